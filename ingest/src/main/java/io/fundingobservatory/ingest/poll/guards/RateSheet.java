package io.fundingobservatory.ingest.poll.guards;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.fundingobservatory.topics.normalisation.AssetNames;
import io.fundingobservatory.topics.normalisation.RateConversion;
import io.fundingobservatory.topics.records.Quote;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rates of one poll, by asset, as fractions per 8 hours. They are floating-point numbers because they are only
 * compared; none is published.
 *
 * @param atMs when the poll ended, epoch ms UTC
 */
record RateSheet(Map<String, Double> rates, long atMs) {
    private static final long RECENT_MS = Duration.ofMinutes(10).toMillis();

    /** With fewer comparable symbols nothing is concluded. */
    private static final int FEWEST = 20;

    /** Below this, in 8 hours, a rate changes by more than a factor within minutes. */
    private static final double ABOUT_ZERO = 2e-5;

    /** A rate of more than this part of the symbols is a floor, a cap or a default, which says nothing about a unit. */
    private static final double FLOOR_SHARE = 0.05;

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
        return medians(all, 1, atMs);
    }

    /** The median rate of each asset that at least so many polls have. */
    static RateSheet ofAll(Collection<RateSheet> polls, int atLeast, long atMs) {
        var all = new HashMap<String, List<Double>>();
        polls.forEach(poll -> poll.rates.forEach((asset, rate) ->
                all.computeIfAbsent(asset, a -> new ArrayList<>()).add(rate)));
        return medians(all, atLeast, atMs);
    }

    private static RateSheet medians(Map<String, List<Double>> all, int atLeast, long atMs) {
        var medians = new HashMap<String, Double>();
        all.forEach((asset, rates) -> {
            if (rates.size() >= atLeast) {
                rates.sort(null);
                medians.put(asset, (rates.get((rates.size() - 1) / 2) + rates.get(rates.size() / 2)) / 2);
            }
        });
        return new RateSheet(medians, atMs);
    }

    boolean isRecent(long nowMs) {
        return Math.abs(nowMs - atMs) <= RECENT_MS;
    }

    /** How many times these rates are another sheet's, asset by asset; null when fewer than 20 can be compared. */
    @Nullable
    Factors times(RateSheet other) {
        Map<String, Double> own = comparable(0);
        double[] factors = other.comparable(ABOUT_ZERO).entrySet().stream()
                .filter(its -> own.containsKey(its.getKey()))
                .mapToDouble(its -> own.getOrDefault(its.getKey(), 0.0) / its.getValue())
                .sorted()
                .toArray();
        return factors.length < FEWEST ? null : new Factors(factors);
    }

    /** The rates that are neither zero, nor smaller than a limit, nor floors. */
    private Map<String, Double> comparable(double least) {
        Map<Long, Long> counts = rates.values().stream().collect(groupingBy(RateSheet::rounded, counting()));
        var comparable = new HashMap<>(rates);
        comparable
                .values()
                .removeIf(rate -> rate == 0
                        || Math.abs(rate) < least
                        || counts.getOrDefault(rounded(rate), 0L) > Math.max(1, rates.size() * FLOOR_SHARE));
        return comparable;
    }

    /** Equal for rates that agree in about three digits. */
    private static long rounded(double rate) {
        return Math.round(Math.log(Math.abs(rate)) * 500);
    }

    /** Factors of comparable symbols, in order; negative where the signs differ. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Factors(double[] all) {
        /** Whether more than half of the symbols differ by at least this factor, all of them upwards or all downwards. */
        boolean areMostly(double factor) {
            long above = Arrays.stream(all).filter(f -> f >= factor).count();
            long below =
                    Arrays.stream(all).filter(f -> f > 0 && f <= 1 / factor).count();
            return 2 * Math.max(above, below) > all.length;
        }

        /** Such as {@code 8.0 times the others' on most of 60 symbols}; the factor is the median. */
        String words(String than) {
            double[] same = Arrays.stream(all).filter(f -> f > 0).toArray();
            double median = same[same.length / 2];
            double factor = Math.max(median, 1 / median);
            String number = String.format(Locale.ROOT, factor < 9.95 ? "%.1f" : "%.0f", factor);
            return (median > 1 ? number : "1/" + number) + " times " + than + " on most of " + all.length + " symbols";
        }
    }
}
