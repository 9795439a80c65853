package io.fundingobservatory.ingest.reading;

/** Settlement instants that an exchange's own clock and rule give exactly. */
public final class Instants {
    private static final long MINUTE_MS = 60_000;
    private static final long HOUR_MS = 3_600_000;

    private Instants() {}

    /** The first whole UTC hour after an instant, epoch ms. */
    public static long nextHour(long epochMs) {
        return nextMultiple(epochMs, HOUR_MS);
    }

    /** The whole UTC hour at or before an instant, epoch ms. */
    public static long hourBelow(long epochMs) {
        return Math.floorDiv(epochMs, HOUR_MS) * HOUR_MS;
    }

    /** The whole minute nearest to an instant, epoch ms: settlement times carry jitter of some seconds. */
    public static long nearestMinute(long epochMs) {
        return Math.floorDiv(epochMs + MINUTE_MS / 2, MINUTE_MS) * MINUTE_MS;
    }

    /** The first whole multiple of a period, counted from the epoch, after an instant; epoch ms. */
    public static long nextMultiple(long epochMs, long periodMs) {
        return (Math.floorDiv(epochMs, periodMs) + 1) * periodMs;
    }
}
