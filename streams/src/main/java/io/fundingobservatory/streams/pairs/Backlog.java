package io.fundingobservatory.streams.pairs;

/**
 * Whether a backlog is being read: the brokers' time, as the stamps of records tell it, then runs many times as fast as a clock. The tables
 * of each hour in between would be replaced seconds later.
 */
final class Backlog {
    private static final long SAMPLE_MS = 5_000;

    /** Four times as fast as a clock. */
    private static final long RISES_BY_MS = 3 * SAMPLE_MS;

    private boolean begun;
    private long sampledAtMs;
    private long aheadMs;
    private boolean beingRead;

    /**
     * Takes a sample, and returns whether a backlog is being read.
     *
     * @param steadyMs of a clock that never jumps, epoch ms
     * @param nowMs the brokers' time, epoch ms
     */
    boolean isBeingRead(long steadyMs, long nowMs) {
        long ahead = nowMs - steadyMs;
        if (!begun || ahead - aheadMs > RISES_BY_MS || steadyMs - sampledAtMs >= SAMPLE_MS) {
            beingRead = begun && ahead - aheadMs > RISES_BY_MS;
            begun = true;
            sampledAtMs = steadyMs;
            aheadMs = ahead;
        }
        return beingRead;
    }
}
