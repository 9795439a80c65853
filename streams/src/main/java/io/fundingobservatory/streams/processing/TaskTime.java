package io.fundingobservatory.streams.processing;

import java.util.function.LongSupplier;

/**
 * Time of one task: the stamp that a broker gave the task's last record, plus what a monotonic clock has counted since. No clock of
 * this process decides anything.
 */
public final class TaskTime {
    private final LongSupplier steadyMs;
    private boolean known;
    private boolean arrived;

    /** How far the brokers' time is ahead of the monotonic clock, ms. */
    private long aheadMs;

    /** {@code steadyMs} counts milliseconds from any instant and never jumps. */
    public TaskTime(LongSupplier steadyMs) {
        this.steadyMs = steadyMs;
    }

    /** A record was read, with its broker's stamp, epoch ms. */
    public void arrived(long stampMs) {
        arrived = true;
        set(stampMs);
    }

    /** An instant that the task's stores hold, epoch ms: until the first record the newest of them counts. */
    public void stored(long epochMs) {
        if (!arrived && (!known || epochMs > nowMs())) {
            set(epochMs);
        }
    }

    private void set(long nowMs) {
        aheadMs = nowMs - steadyMs.getAsLong();
        known = true;
    }

    /** Whether there was a record, or anything in the stores. */
    public boolean isKnown() {
        return known;
    }

    /** The time, epoch ms; without meaning while it is not known. */
    public long nowMs() {
        return steadyMs.getAsLong() + aheadMs;
    }
}
