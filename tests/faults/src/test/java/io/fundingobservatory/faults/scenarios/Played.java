package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.faults.invariants.Invariant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What came of a fault in one run: that it fired, what it broke, and how long everything took to work again. */
public final class Played {
    /** Ends a run that hangs. The fault's bound alone decides whether a recovery is quick enough. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Duration recoveryBound;
    private final double slack;
    private final List<String> fired = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private final List<String> slow = new ArrayList<>();
    private final List<Duration> recoveries = new ArrayList<>();

    /**
     * Nothing has happened yet.
     *
     * @param slack factor by which the bound may be exceeded; measurements on a busy machine say little
     */
    public Played(Duration recoveryBound, double slack) {
        this.recoveryBound = recoveryBound;
        this.slack = slack;
    }

    Duration recoveryBound() {
        return recoveryBound;
    }

    /** Evidence that it fired; a run without any counts as failed. */
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
        recoveries.add(took);
        judge("took ", took, recoveryBound);
    }

    private void judge(String what, Duration took, Duration bound) {
        if (took.toMillis() > bound.toMillis() * slack) {
            slow.add(what + seconds(took) + " s of " + seconds(bound) + " s");
        }
    }

    public void never(String why) {
        slow.add("not within its time: " + why);
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
        wrong.add(how);
    }

    public void require(boolean holds, String otherwise) {
        if (!holds) {
            wrong.add(otherwise);
        }
    }

    /** The times of all recoveries. */
    public List<Duration> recoveries() {
        return List.copyOf(recoveries);
    }

    public List<String> fired() {
        return List.copyOf(fired);
    }

    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** What was broken. */
    public List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** What took too long. */
    public List<String> slow() {
        return List.copyOf(slow);
    }

    public static String seconds(Duration time) {
        return "%.1f".formatted(time.toMillis() / 1_000.0);
    }
}
