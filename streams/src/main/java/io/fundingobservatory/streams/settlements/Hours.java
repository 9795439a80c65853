package io.fundingobservatory.streams.settlements;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Intervals: hours where they are published, milliseconds where they are compared. */
public final class Hours {
    private static final BigDecimal HOUR_MS = BigDecimal.valueOf(Window.HOUR_MS);

    private Hours() {}

    /** Hours as milliseconds; null for null. */
    public static @Nullable Long toMs(@Nullable BigDecimal hours) {
        return hours == null ? null : hours.multiply(HOUR_MS).longValue();
    }

    /** Milliseconds as hours; a fraction of an hour is rounded to 18 decimals. */
    public static BigDecimal ofMs(long ms) {
        return ms % Window.HOUR_MS == 0
                ? BigDecimal.valueOf(ms / Window.HOUR_MS)
                : BigDecimal.valueOf(ms).divide(HOUR_MS, 18, RoundingMode.HALF_EVEN);
    }
}
