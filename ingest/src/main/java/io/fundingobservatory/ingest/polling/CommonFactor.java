package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.topics.Quote;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether an exchange's figures are those of the others times one factor, as when it changes its unit or its interval unannounced.
 *
 * <p>Floating point does here: the result decides whether a poll is held back and is never shown. Only symbols tell anything whose
 * rate is neither about zero nor one of the floors at which whole exchanges sit; without enough of them nothing is said.
 */
final class CommonFactor {
    /** Percent and fraction, 1000x, per year and per hour, per 8 hours and per hour, per day and per 8 hours. */
    private static final double[] FACTORS = {3, 8, 100, 1000, 8760};

    private static final int OTHERS = 5;
    private static final int SYMBOLS = 20;
    private static final double ABOUT_ZERO = 2e-5;

    /** A figure that stands on more than this share of the symbols is a floor or a default, no market's word. */
    private static final double FLOOR_SHARE = 0.05;

    /** How far, in natural logarithms, the median may lie from a factor; chance adds to it when there are few symbols. */
    private static final double TOLERANCE = 0.1;

    private static final double MOST_CHANCE = 0.1;

    /** Wider than this, half the symbols are off by more than a factor of two: no common factor. */
    private static final double WIDEST = 0.7;

    /** So many of the symbols lie nearer to the factor than to agreement. */
    private static final double MOST = 0.65;

    private CommonFactor() {}

    /**
     * A common factor.
     *
     * @param words what was found, such as {@code 8 times} or {@code 1/8}
     * @param symbols how many symbols were compared
     */
    record Finding(String words, int symbols) {}

    /**
     * The factor by which an exchange's figures differ from the others'; null when they agree or too few can be compared.
     *
     * @param own 8-hour rates by {@link #asset}
     * @param others the same of every other exchange
     */
    static @Nullable Finding find(Map<String, Double> own, Collection<Map<String, Double>> others) {
        var medians = new HashMap<String, Double>();
        own.forEach((asset, rate) -> {
            double[] known = others.stream()
                    .map(rates -> rates.get(asset))
                    .filter(r -> r != null)
                    .mapToDouble(Math::abs)
                    .toArray();
            if (known.length >= OTHERS && rate != 0 && median(known) >= ABOUT_ZERO) {
                medians.put(asset, median(known));
            }
        });
        Map<String, Integer> ownFloors = frequencies(own.values());
        Map<String, Integer> floors = frequencies(medians.values());
        double[] logs = medians.entrySet().stream()
                .filter(e -> !isFloor(e.getValue(), floors, medians.size()))
                .filter(e -> !isFloor(rateOf(own, e.getKey()), ownFloors, own.size()))
                .mapToDouble(e -> Math.log(Math.abs(rateOf(own, e.getKey())) / e.getValue()))
                .toArray();
        return logs.length < SYMBOLS ? null : find(logs);
    }

    private static @Nullable Finding find(double[] logs) {
        double middle = median(logs.clone());
        double spread = median(deviations(logs, middle));
        if (spread > WIDEST) {
            return null;
        }
        // twice the standard error of a median
        double chance = Math.min(MOST_CHANCE, 3.7 * spread / Math.sqrt(logs.length));
        for (double factor : FACTORS) {
            double log = Math.copySign(Math.log(factor), middle);
            if (Math.abs(middle - log) <= TOLERANCE + chance) {
                long nearer = Arrays.stream(logs)
                        .filter(l -> Math.abs(l - log) < Math.abs(l))
                        .count();
                if (nearer >= MOST * logs.length) {
                    String number = String.format(Locale.ROOT, "%.0f", factor);
                    return new Finding(middle > 0 ? number + " times" : "1/" + number, logs.length);
                }
            }
        }
        return null;
    }

    private static double rateOf(Map<String, Double> rates, String asset) {
        return rates.getOrDefault(asset, 0.0);
    }

    private static Map<String, Integer> frequencies(Collection<Double> rates) {
        var counts = new HashMap<String, Integer>();
        rates.forEach(rate -> counts.merge(rounded(rate), 1, Integer::sum));
        return counts;
    }

    private static boolean isFloor(double rate, Map<String, Integer> frequencies, int of) {
        return frequencies.getOrDefault(rounded(rate), 0) > Math.max(1, of * FLOOR_SHARE);
    }

    private static String rounded(double rate) {
        return String.format(Locale.ROOT, "%.2e", Math.abs(rate));
    }

    private static double[] deviations(double[] values, double middle) {
        return Arrays.stream(values).map(v -> Math.abs(v - middle)).toArray();
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        int half = values.length / 2;
        return values.length % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    }

    /** The 8-hour rates of a poll by asset, about; of several contracts of an asset the median. */
    static Map<String, Double> ratesByAsset(List<Quote> quotes) {
        var all = new HashMap<String, List<Double>>();
        for (Quote quote : quotes) {
            Double rate = per8h(quote);
            if (rate != null) {
                all.computeIfAbsent(asset(quote.base()), a -> new ArrayList<>()).add(rate);
            }
        }
        var rates = new HashMap<String, Double>();
        all.forEach((asset, of) -> rates.put(
                asset, median(of.stream().mapToDouble(Double::doubleValue).toArray())));
        return rates;
    }

    /** A coin's name without the multiplier that stands before it; about, and only good enough for comparing many of them. */
    static String asset(String base) {
        String plain = base.replaceFirst("^(10+|k(?=[A-Z])|1[KM](?=[A-Z]))", "").toUpperCase(Locale.ROOT);
        return plain.isEmpty() ? base : plain.equals("XBT") ? "BTC" : plain;
    }

    private static @Nullable Double per8h(Quote quote) {
        BigDecimal hours = quote.rateHours();
        if (hours == null || hours.signum() <= 0) {
            return null;
        }
        double index = price(quote.indexPrice());
        double fraction = quote.rate().doubleValue()
                * switch (quote.rateUnit()) {
                    case FRACTION -> 1;
                    case PERCENT -> 0.01;
                    case QUOTE_PER_COIN_AT_INDEX -> 1 / index;
                    case QUOTE_PER_COIN_AT_MARK -> 1 / price(quote.markPrice());
                    case COIN_PER_QUOTE_AT_INDEX -> index;
                };
        double rate = fraction * 8 / hours.doubleValue();
        return Double.isFinite(rate) ? rate : null;
    }

    private static double price(@Nullable BigDecimal price) {
        return price == null ? Double.NaN : price.doubleValue();
    }
}
