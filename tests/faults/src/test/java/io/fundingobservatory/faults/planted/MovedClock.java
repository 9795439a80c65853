package io.fundingobservatory.faults.planted;

import java.time.Instant;

/** The wall clock of a process, moved by so much; a monotone clock is never moved. */
public final class MovedClock {
    /** By how many milliseconds. */
    public static volatile long byMs;

    private MovedClock() {}

    public static long currentTimeMillis() {
        return System.currentTimeMillis() + byMs;
    }

    public static Instant moved(Instant now) {
        return now.plusMillis(byMs);
    }
}
