package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.faults.invariants.Recovers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What came of a fault in one run: that it fired, and how long everything took to work again. */
public final class Played {
    /** Ends a run that hangs. The fault's bound alone decides whether a recovery is quick enough. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Recovers recovers;
    private final List<String> fired = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    public Played(Duration recoveryBound, double slack) {
        this.recovers = new Recovers(recoveryBound, slack);
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
            recovers.never(on.flowState());
            on.awaitFlow(PATIENCE);
        }
    }

    /**
     * Waits until pairs have a correction that was published by now, and keeps the time from an instant until
     * then.
     *
     * @param recoveryBound of that time
     */
    public void awaitPairs(Installation on, String asset, long sinceNanos, Duration recoveryBound)
            throws InterruptedException {
        if (on.awaitTable(asset, PATIENCE)) {
            Duration took = Duration.ofNanos(System.nanoTime() - sinceNanos);
            note("pairs in " + Recovers.seconds(took) + " s of " + Recovers.seconds(recoveryBound));
            recovers.within("pairs", took, recoveryBound);
        } else {
            recovers.never("the table of " + asset + " lacks a settlement");
        }
    }

    public void recovered(long sinceNanos) {
        recovers.after(Duration.ofNanos(System.nanoTime() - sinceNanos));
    }

    public void note(String text) {
        notes.add(text);
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

    public Recovers recovers() {
        return recovers;
    }

    public List<String> fired() {
        return List.copyOf(fired);
    }

    public List<String> notes() {
        return List.copyOf(notes);
    }

    public List<String> wrong() {
        return List.copyOf(wrong);
    }
}
