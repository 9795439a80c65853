package io.fundingobservatory.faults.invariants;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** After each fault everything works again within its bound. Keeps all times, for the worst of them. */
public final class Recovers implements Invariant {
    private final Duration recoveryBound;
    private final double slack;
    private final List<Duration> took = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    /**
     * Nothing measured yet.
     *
     * @param recoveryBound of the fault
     * @param slack factor by which the bound may be exceeded; measurements on a busy machine say little
     */
    public Recovers(Duration recoveryBound, double slack) {
        this.recoveryBound = recoveryBound;
        this.slack = slack;
    }

    public void after(Duration time) {
        took.add(time);
        if (time.toMillis() > recoveryBound.toMillis() * slack) {
            violations.add("took " + seconds(time) + " s of " + seconds(recoveryBound) + " s");
        }
    }

    /** Part of an installation that has a bound of its own; it is not among the times that were kept. */
    public void within(String part, Duration time, Duration ofPart) {
        if (time.toMillis() > ofPart.toMillis() * slack) {
            violations.add(part + " took " + seconds(time) + " s of " + seconds(ofPart) + " s");
        }
    }

    public void never(String why) {
        violations.add("not within its time: " + why);
    }

    public List<Duration> took() {
        return List.copyOf(took);
    }

    public static String seconds(Duration time) {
        return "%.1f".formatted(time.toMillis() / 1_000.0);
    }

    @Override
    public List<String> violations() {
        return List.copyOf(violations);
    }
}
