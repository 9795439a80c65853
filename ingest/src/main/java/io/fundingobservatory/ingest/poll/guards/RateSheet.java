package io.fundingobservatory.ingest.poll.guards;

import io.fundingobservatory.topics.normalisation.AssetNames;
import io.fundingobservatory.topics.normalisation.RateConversion;
import io.fundingobservatory.topics.records.Quote;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rates of one poll, by asset, as fractions per 8 hours. They are floating-point numbers because they are only
 * compared; none is published.
 *
 * @param atMs when the poll ended, epoch ms UTC
 */
record RateSheet(Map<String, Double> rates, long atMs) {
    private static final long RECENT_MS = Duration.ofMinutes(10).toMillis();

    /** The rate of each asset, converted exactly; of several contracts of an asset the median. */
    static RateSheet of(List<Quote> quotes, long atMs) {
        var all = new HashMap<String, List<Double>>();
        for (Quote quote : quotes) {
            BigDecimal rate = RateConversion.per8h(quote);
            if (rate != null) {
                String asset = AssetNames.of(quote.venue(), quote.base()).asset();
                all.computeIfAbsent(asset, a -> new ArrayList<>()).add(rate.doubleValue());
            }
        }
        return new RateSheet(medians(all, 1), atMs);
    }

    /** The median rate of each asset that at least so many polls have. */
    static Map<String, Double> medians(Collection<RateSheet> polls, int atLeast) {
        var all = new HashMap<String, List<Double>>();
        for (RateSheet poll : polls) {
            poll.rates()
                    .forEach((asset, rate) ->
                            all.computeIfAbsent(asset, a -> new ArrayList<>()).add(rate));
        }
        return medians(all, atLeast);
    }

    private static Map<String, Double> medians(Map<String, List<Double>> all, int atLeast) {
        var medians = new HashMap<String, Double>();
        all.forEach((asset, rates) -> {
            if (rates.size() >= atLeast) {
                rates.sort(null);
                int half = rates.size() / 2;
                medians.put(
                        asset, rates.size() % 2 == 1 ? rates.get(half) : (rates.get(half - 1) + rates.get(half)) / 2);
            }
        });
        return medians;
    }

    boolean isRecent(long nowMs) {
        return Math.abs(nowMs - atMs) <= RECENT_MS;
    }
}
