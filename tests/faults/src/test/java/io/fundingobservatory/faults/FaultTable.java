package io.fundingobservatory.faults;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Played;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What one fault came to over all seeds. */
public final class FaultTable {
    private final Fault fault;
    private int played;
    private Duration worst = Duration.ZERO;
    private long worstSeed;
    private long rows;
    private final List<String> wrong = new ArrayList<>();
    private final List<String> slow = new ArrayList<>();
    private Played last = new Played(Duration.ZERO, 1);

    FaultTable(Fault fault) {
        this.fault = fault;
    }

    void add(long seed, Played came) {
        last = came;
        played += came.fired().size();
        for (Duration took : came.recoveries()) {
            if (took.compareTo(worst) > 0) {
                worst = took;
                worstSeed = seed;
            }
        }
        if (came.fired().isEmpty()) {
            wrong.add("seed " + seed + ": it did not fire " + came.notes());
        }
        came.wrong().forEach(how -> wrong.add("seed " + seed + ": " + how));
        came.slow().forEach(how -> slow.add("seed " + seed + ": " + how));
    }

    void verified(long rows) {
        this.rows = Math.max(this.rows, rows);
    }

    /** Whether it fired, nothing was broken and everything worked again in time. */
    public boolean held() {
        return wrong.isEmpty() && slow.isEmpty();
    }

    /** Whether something is wrong that more time would not have mended. */
    boolean isBroken() {
        return !wrong.isEmpty();
    }

    /** What was broken, and what took too long. */
    public List<String> wrong() {
        var all = new ArrayList<>(wrong);
        all.addAll(slow);
        return all;
    }

    String last() {
        String times =
                Arrays.toString(last.recoveries().stream().map(Played::seconds).toArray());
        return (held() ? "held" : (isBroken() ? "BROKEN " : "SLOW ") + wrong()) + ", recovered in " + times
                + " s of "
                + Played.seconds(fault.recoveryBound()) + ", " + last.fired() + " " + last.notes() + ", " + rows
                + " rows compared";
    }

    void print() {
        System.out.printf(
                "%-4s %-42s %6d %5s s %7s s  %d%s%n",
                fault.id(),
                fault.what(),
                played,
                Played.seconds(fault.recoveryBound()),
                Played.seconds(worst),
                worstSeed,
                isBroken() ? "  BROKEN" : !held() ? "  SLOW" : played == 0 ? "  not played" : "");
        wrong().forEach(how -> System.out.println("       " + how));
    }
}
