package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.faults.invariants.Invariant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What came of a fault, run after run: that it fired, what it broke, and how long everything took to work again. */
public final class Played {
    /** Ends a run that hangs. The fault's bound alone decides whether a recovery is quick enough. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Fault fault;
    private final double slack;
    private final List<String> wrong = new ArrayList<>();
    private final List<String> slow = new ArrayList<>();
    private Duration worst = Duration.ZERO;
    private long worstSeed;
    private int times;
    private long rows;

    private long seed;
    private final List<String> fired = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> recoveries = new ArrayList<>();

    /**
     * Nothing has happened yet.
     *
     * @param slack factor by which the bound may be exceeded; measurements on a busy machine say little
     */
    public Played(Fault fault, double slack) {
        this.fault = fault;
        this.slack = slack;
    }

    /** A run begins. */
    public void begin(long seedOfRun) {
        seed = seedOfRun;
        fired.clear();
        notes.clear();
        recoveries.clear();
    }

    /** A run has ended; one in which the fault did not fire proves nothing. */
    public void end() {
        times += fired.size();
        require(!fired.isEmpty(), "it did not fire " + notes);
    }

    /** Whether it has fired in this run. */
    public boolean hasFired() {
        return !fired.isEmpty();
    }

    Duration recoveryBound() {
        return fault.recoveryBound();
    }

    /** Evidence that it fired. */
    public void fired(String evidence) {
        fired.add(evidence);
    }

    /** Waits for quotes to flow again, and keeps the time from when the fault began or ended until then. */
    public void awaitFlow(Installation on, long sinceNanos) throws InterruptedException {
        if (on.awaitFlow(PATIENCE)) {
            recovered(sinceNanos);
        } else {
            never(on.flowState());
            on.awaitFlow(PATIENCE);
        }
    }

    /**
     * Waits until pairs have a correction that was published by now. That time has a bound of its own, and is not among those that
     * are kept.
     */
    public void awaitPairs(Installation on, String asset, long sinceNanos, Duration bound) throws InterruptedException {
        if (on.awaitTable(asset, PATIENCE)) {
            Duration took = Duration.ofNanos(System.nanoTime() - sinceNanos);
            note("pairs in " + seconds(took) + " s of " + seconds(bound));
            judge("pairs took ", took, bound);
        } else {
            never("the table of " + asset + " lacks a settlement");
        }
    }

    public void recovered(long sinceNanos) {
        recovered(Duration.ofNanos(System.nanoTime() - sinceNanos));
    }

    /** Everything works again after so long. */
    public void recovered(Duration took) {
        recoveries.add(seconds(took));
        judge("took ", took, recoveryBound());
        if (took.compareTo(worst) > 0) {
            worst = took;
            worstSeed = seed;
        }
    }

    private void judge(String what, Duration took, Duration bound) {
        if (took.toMillis() > bound.toMillis() * slack) {
            slow.add(what + seconds(took) + " s of " + seconds(bound) + " s with seed " + seed);
        }
    }

    public void never(String why) {
        slow.add("not within its time with seed " + seed + ": " + why);
    }

    public void note(String text) {
        notes.add(text);
    }

    /** What broke invariants. */
    public void check(List<Invariant> invariants) {
        for (Invariant invariant : invariants) {
            invariant.violations().get().forEach(how -> wrong(invariant.name() + ": " + how));
        }
    }

    /** A violation that no invariant covers. */
    public void wrong(String how) {
        wrong.add("seed " + seed + ": " + how);
    }

    public void require(boolean holds, String otherwise) {
        if (!holds) {
            wrong(otherwise);
        }
    }

    /** So many rows were compared. */
    public void verified(long compared) {
        rows = Math.max(rows, compared);
    }

    /** Whether it fired, nothing was broken and everything worked again in time, in every run. */
    public boolean held() {
        return wrong.isEmpty() && slow.isEmpty();
    }

    /** Whether something is wrong that more time would not have mended. */
    public boolean isBroken() {
        return !wrong.isEmpty();
    }

    /** What was broken, and what took too long. */
    public List<String> problems() {
        var all = new ArrayList<>(wrong);
        all.addAll(slow);
        return all;
    }

    /** The last run in a line. */
    public String last() {
        return (held() ? "held" : (isBroken() ? "BROKEN " : "SLOW ") + problems()) + ", recovered in " + recoveries
                + " s of " + seconds(recoveryBound()) + ", " + fired + " " + notes + ", " + rows + " rows compared";
    }

    /** All runs as a line of a table, and what was broken. */
    public void print() {
        System.out.printf(
                "%-4s %-42s %6d %5s s %7s s  %d%s%n",
                fault.id(),
                fault.what(),
                times,
                seconds(recoveryBound()),
                seconds(worst),
                worstSeed,
                isBroken() ? "  BROKEN" : !held() ? "  SLOW" : times == 0 ? "  not played" : "");
        problems().forEach(how -> System.out.println("       " + how));
    }

    private static String seconds(Duration time) {
        return "%.1f".formatted(time.toMillis() / 1_000.0);
    }
}
