package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.topics.Quote;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is held back although it could be read, and what is only looked at twice. Pure: a poll's quotes in, the same quotes sorted
 * out.
 *
 * <p>The comparison with the other exchanges is {@link CommonFactor}'s.
 */
public final class Guards {
    /** The exchange's time of a figure may be ahead of ours by this much. */
    public static final long AHEAD_MS = 60_000;

    public static final String VENUE_TIME_AHEAD = "venue_time_ahead";
    public static final String PRICE_NOT_POSITIVE = "price_not_positive";

    private static final BigDecimal UNUSUAL_8H = new BigDecimal("0.03");
    private static final BigDecimal PERCENT = new BigDecimal("0.01");
    private static final BigDecimal EIGHT = BigDecimal.valueOf(8);

    /** A poll with fewer rows than this share of the usual number is partial. */
    private static final int PARTIAL_BELOW_PERCENT = 80;

    private Guards() {}

    /**
     * A poll sorted out.
     *
     * @param passed what may be published
     * @param quarantined what is held back, counted by reason
     * @param unusual rows published whose rate is beyond ±3 % per 8 hours
     */
    public record Sorted(List<Quote> passed, Map<String, Long> quarantined, int unusual) {}

    public static Sorted sort(List<Quote> quotes, long nowMs) {
        var passed = new ArrayList<Quote>(quotes.size());
        var quarantined = new TreeMap<String, Long>();
        int unusual = 0;
        for (Quote quote : quotes) {
            String reason = quarantine(quote, nowMs);
            if (reason == null) {
                passed.add(quote);
                unusual += isUnusual(quote) ? 1 : 0;
            } else {
                quarantined.merge(reason, 1L, Long::sum);
            }
        }
        return new Sorted(List.copyOf(passed), Map.copyOf(quarantined), unusual);
    }

    /** Whether a poll brought clearly fewer rows than usual; never when nothing is usual yet. */
    public static boolean isPartial(int rows, @Nullable Integer usual) {
        return usual != null && (long) rows * 100 < (long) usual * PARTIAL_BELOW_PERCENT;
    }

    private static @Nullable String quarantine(Quote quote, long nowMs) {
        Long venueTime = quote.venueTimeMs();
        if (venueTime != null && venueTime - nowMs > AHEAD_MS) {
            return VENUE_TIME_AHEAD;
        }
        return notPositive(quote.markPrice()) || notPositive(quote.indexPrice()) ? PRICE_NOT_POSITIVE : null;
    }

    private static boolean notPositive(@Nullable BigDecimal price) {
        return price != null && price.signum() <= 0;
    }

    private static boolean isUnusual(Quote quote) {
        BigDecimal hours = quote.rateHours();
        if (hours == null || hours.signum() <= 0) {
            return false;
        }
        BigDecimal fraction = switch (quote.rateUnit()) {
            case FRACTION -> quote.rate();
            case PERCENT -> quote.rate().multiply(PERCENT);
            case QUOTE_PER_COIN_AT_INDEX, QUOTE_PER_COIN_AT_MARK, COIN_PER_QUOTE_AT_INDEX -> BigDecimal.ZERO;
        };
        return fraction.abs()
                        .multiply(EIGHT)
                        .divide(hours, MathContext.DECIMAL64)
                        .compareTo(UNUSUAL_8H)
                > 0;
    }
}
