package io.fundingobservatory.gateway.publishing;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares this process's clock with that of the brokers, whose time the statuses carry. A status is
 * published every second or two, so the newest one is current, except while a backlog is read. A difference
 * therefore counts once it has lasted. One thread uses it.
 */
final class ClockComparison {
    private static final Logger LOG = LoggerFactory.getLogger(ClockComparison.class);
    private static final long DIFFERENT_MS = 60_000;
    private static final long LASTED_MS = 30_000;

    private long newestMs = Long.MIN_VALUE;
    private @Nullable Long sinceMs;
    private long aheadMs;
    private boolean logged;

    /** Takes in the brokers' time of the newest status and this process's time, both epoch ms UTC. */
    void check(long publishedAtMs, long nowMs) {
        boolean first = newestMs == Long.MIN_VALUE;
        if (publishedAtMs <= newestMs) {
            return;
        }
        newestMs = publishedAtMs;
        aheadMs = nowMs - publishedAtMs;
        if (Math.abs(aheadMs) <= DIFFERENT_MS || first) {
            // What is on the topic at the start may be of any age.
            sinceMs = first && aheadMs < -DIFFERENT_MS ? Long.valueOf(nowMs) : null;
            logged = false;
        } else if (sinceMs == null) {
            sinceMs = nowMs;
        } else if (!logged && nowMs - sinceMs >= LASTED_MS) {
            logged = true;
            LOG.warn(
                    "this clock and that of the brokers differ seconds_ahead={}; rows may be marked stale or left out",
                    aheadMs / 1_000);
        }
    }

    /** How far this clock is ahead of the brokers', in seconds, negative where it is behind; null where they agree. */
    @Nullable
    Long secondsAhead() {
        return logged ? Long.valueOf(aheadMs / 1_000) : null;
    }
}
