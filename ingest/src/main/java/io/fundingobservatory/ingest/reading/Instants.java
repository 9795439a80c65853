package io.fundingobservatory.ingest.reading;

/** Settlement instants that an exchange's own clock and rule give exactly. */
public final class Instants {
    private static final long HOUR_MS = 3_600_000;

    private Instants() {}

    /** The first whole UTC hour after an instant, epoch ms. */
    public static long nextHour(long epochMs) {
        return (Math.floorDiv(epochMs, HOUR_MS) + 1) * HOUR_MS;
    }
}
