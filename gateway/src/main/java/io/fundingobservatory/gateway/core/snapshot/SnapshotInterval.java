package io.fundingobservatory.gateway.core.snapshot;

import java.time.Duration;

/**
 * The snapshot interval. Snapshots are published at multiples of it in wall-clock time, counted from
 * 1970-01-01T00:00:00Z. Every gateway with the same setting therefore publishes at the same instants, and a
 * cache in front of several of them keeps one list.
 *
 * @param millis the interval, 1 to 10 whole seconds
 */
public record SnapshotInterval(long millis) {
    private static final long SHORTEST_MS = 1_000;
    /** A row is marked as stale within 10 s. */
    private static final long LONGEST_MS = 10_000;

    public SnapshotInterval {
        if (millis < SHORTEST_MS || millis > LONGEST_MS || millis % 1_000 != 0) {
            throw new IllegalArgumentException(
                    "the generation interval is 1 to 10 whole seconds, not " + Duration.ofMillis(millis));
        }
    }

    public static SnapshotInterval of(Duration interval) {
        return new SnapshotInterval(interval.toMillis());
    }

    /** Returns the last multiple of the interval that is not after an instant, both epoch ms UTC. */
    public long atOrBefore(long nowMs) {
        return Math.floorDiv(nowMs, millis) * millis;
    }

    /** The first snapshot time after an instant, both epoch ms UTC. */
    public long after(long nowMs) {
        return atOrBefore(nowMs) + millis;
    }
}
