package io.fundingobservatory.streams.topology;

import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time as the brokers tell it: that of the last record to arrive, plus what a steady clock has counted since.
 *
 * <p>A wall clock that jumps by an hour or a month ages no row, and rows do not age while older records wait to be read. Only until
 * the first record arrives there is nothing but the wall clock.
 */
final class ArrivalClock {
    private final InstantSource wall;
    private final LongSupplier steadyMs;
    private @Nullable Long arrivedMs;
    private long arrivedAtSteadyMs;

    ArrivalClock(InstantSource wall, LongSupplier steadyMs) {
        this.wall = wall;
        this.steadyMs = steadyMs;
    }

    void arrived(long recordMs) {
        arrivedMs = recordMs;
        arrivedAtSteadyMs = steadyMs.getAsLong();
    }

    /** Whether the time is the brokers'; what cannot be undone waits for that. */
    boolean certain() {
        return arrivedMs != null;
    }

    long nowMs() {
        return arrivedMs == null ? wall.millis() : arrivedMs + steadyMs.getAsLong() - arrivedAtSteadyMs;
    }
}
