package io.fundingobservatory.ingest.spec;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settlement instants that an exchange's own clock and rule give exactly. */
public final class Instants {
    /** Two gaps that differ by less are one interval: stamps are minutes late at most, and another interval is off by an hour at least. */
    public static final long INTERVALS_AGREE_WITHIN_MS = Duration.ofMinutes(15).toMillis();

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

    /**
     * Returns whether the settlement before the announced next one was less than so long ago when a row was
     * read. Some venues still show the settled rate together with the next settlement's time.
     *
     * @param nextMs the announced next settlement, epoch ms; null when none is announced
     * @param intervalMs the funding interval; null when it is not known
     * @return false when it cannot be determined
     */
    public static boolean isJustSettled(
            @Nullable Long nextMs, @Nullable BigDecimal intervalMs, long readAtMs, Duration within) {
        if (nextMs == null || intervalMs == null) {
            return false;
        }
        long since = readAtMs - (nextMs - intervalMs.longValue());
        return since >= 0 && since < within.toMillis();
    }

    /** The first whole multiple of a period, counted from the epoch, after an instant; epoch ms. */
    public static long nextMultiple(long epochMs, long periodMs) {
        return (Math.floorDiv(epochMs, periodMs) + 1) * periodMs;
    }
}
