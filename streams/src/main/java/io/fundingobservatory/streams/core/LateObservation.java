package io.fundingobservatory.streams.core;

import org.jspecify.annotations.Nullable;

/**
 * An observation whose own time lies minutes before its arrival: a late copy, or a reader whose clock is behind.
 *
 * <p>Three new observations in a row within 30 s that are behind by the same show a clock that is behind. Late
 * copies are behind by different times, and between them there are observations in time. From then on the observation
 * counts as made when the broker took it. A clock that is an hour behind therefore loses no row for an hour.
 *
 * @param observedAtMs when it was read, by the reader's clock, epoch ms
 * @param arrivedAtMs when the broker took it, epoch ms
 * @param inARow how many observations were behind by the same, this one included
 */
public record LateObservation(long observedAtMs, long arrivedAtMs, int inARow) {
    static final long IN_TIME_MS = 5 * 60_000;
    private static final long SAME_WITHIN_MS = 30_000;
    private static final int A_CLOCK = 3;

    /** What is remembered after an observation; null when it came in time. */
    public static @Nullable LateObservation after(
            @Nullable LateObservation before, long observedAtMs, long arrivedAtMs) {
        if (arrivedAtMs - observedAtMs <= IN_TIME_MS) {
            return null;
        }
        if (before == null) {
            return new LateObservation(observedAtMs, arrivedAtMs, 1);
        }
        if (observedAtMs <= before.observedAtMs || arrivedAtMs <= before.arrivedAtMs) {
            return before;
        }
        boolean same = Math.abs(before.behindMs() - (arrivedAtMs - observedAtMs)) <= SAME_WITHIN_MS;
        return new LateObservation(observedAtMs, arrivedAtMs, same ? Math.min(A_CLOCK, before.inARow + 1) : 1);
    }

    /** Whether it is the reader's clock that is behind. */
    public boolean isClock() {
        return inARow >= A_CLOCK;
    }

    private long behindMs() {
        return arrivedAtMs - observedAtMs;
    }
}
