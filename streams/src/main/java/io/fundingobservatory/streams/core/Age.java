package io.fundingobservatory.streams.core;

import io.fundingobservatory.topics.Rate;
import java.time.Duration;

/** How a row stands by the time that has passed since it was read. */
public enum Age {
    /** Shown as it is. */
    FRESH,
    /** Shown, and marked. */
    STALE,
    /** No longer shown, but remembered, so that an old quote that is read again does not bring it back. */
    GONE,
    /** Older than anything that {@code quotes.raw} still holds: nothing can bring it back, so it need not be remembered. */
    FORGOTTEN;

    /** One day more than {@code quotes.raw} keeps its records. */
    static final long FORGOTTEN_AFTER_MS = Duration.ofDays(4).toMillis();

    /** The age of an observation at an instant, both epoch ms. */
    public static Age of(long observedAtMs, long nowMs) {
        if (observedAtMs < nowMs - FORGOTTEN_AFTER_MS) {
            return FORGOTTEN;
        }
        if (observedAtMs < nowMs - Rate.REMOVED_AFTER_MS) {
            return GONE;
        }
        return observedAtMs < nowMs - Rate.STALE_AFTER_MS ? STALE : FRESH;
    }
}
