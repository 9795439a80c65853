package io.fundingobservatory.ingest.poll.guards;

import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.topics.normalisation.RateConversion;
import io.fundingobservatory.topics.records.Quote;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Refuses single rows that cannot be right, and counts those that are only unusual. Pure. */
public final class RowGuard {
    /** The exchange's time of a value may be ahead of ours by this much. */
    public static final long AHEAD_MS = 60_000;

    public static final SkipReason VENUE_TIME_AHEAD = SkipReason.of("venue_time_ahead");
    public static final SkipReason PRICE_NOT_POSITIVE = SkipReason.of("price_not_positive");

    private static final BigDecimal UNUSUAL_8H = new BigDecimal("0.03");

    private RowGuard() {}

    /**
     * What may be published, and the other rows, counted by reason.
     *
     * @param ahead rows whose exchange's time is ahead of ours, published or not
     * @param unusual published rows whose rate is beyond ±3 % per 8 hours
     */
    record Sorted(List<Quote> passed, Map<SkipReason, Long> refused, int ahead, int unusual) {}

    /** Sorts a poll; rows of a trusted venue pass with any time. A price of zero or less is never a price. */
    static Sorted sort(List<Quote> quotes, long nowMs, boolean trusted) {
        var passed = new ArrayList<Quote>(quotes.size());
        var refused = new TreeMap<SkipReason, Long>();
        int ahead = 0;
        int unusual = 0;
        for (Quote quote : quotes) {
            boolean isAhead = isAhead(quote, nowMs);
            ahead += isAhead ? 1 : 0;
            if (isAhead && !trusted) {
                refused.merge(VENUE_TIME_AHEAD, 1L, Long::sum);
            } else if (notPositive(quote.markPrice()) || notPositive(quote.indexPrice())) {
                refused.merge(PRICE_NOT_POSITIVE, 1L, Long::sum);
            } else {
                passed.add(quote);
                unusual += isUnusual(quote) ? 1 : 0;
            }
        }
        return new Sorted(List.copyOf(passed), Map.copyOf(refused), ahead, unusual);
    }

    private static boolean isAhead(Quote quote, long nowMs) {
        Long venueTime = quote.venueTimeMs();
        return venueTime != null && venueTime - nowMs > AHEAD_MS;
    }

    private static boolean notPositive(@Nullable BigDecimal price) {
        return price != null && price.signum() <= 0;
    }

    private static boolean isUnusual(Quote quote) {
        BigDecimal rate = RateConversion.per8h(quote);
        return rate != null && rate.abs().compareTo(UNUSUAL_8H) > 0;
    }
}
