package io.fundingobservatory.ingest.polling;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether an exchange's figures are what they should be times one factor, as when it changes its unit or its interval unannounced:
 * held against the other exchanges', and against its own of a moment ago.
 *
 * <p>Floating point does here: the result decides whether a poll is held back and is never shown. Only symbols tell anything whose
 * rate is neither about zero nor one of the floors at which whole exchanges sit; without enough of them nothing is said.
 */
final class CommonFactor {
    private static final int OTHERS = 5;
    private static final int SYMBOLS = 20;
    private static final double ABOUT_ZERO = 2e-5;

    /** A figure that stands on more than this share of the symbols is a floor or a default, no market's word. */
    private static final double FLOOR_SHARE = 0.05;

    /** How far, in natural logarithms, the median may lie from a factor; chance adds to it when there are few symbols. */
    private static final double TOLERANCE = 0.1;

    private static final double MOST_CHANCE = 0.2;

    /** Wider than this, half the symbols are off by more than a factor of two: no common factor. */
    private static final double WIDEST = 0.7;

    /** So many of the symbols lie nearer to the factor than to agreement. */
    private static final double MOST = 0.65;

    /** With few symbols nearly all must lie close together, and at a factor that no market makes of itself. */
    private static final int FEW_SYMBOLS = 8;

    private static final double FEW_WIDEST = 0.35;
    private static final double FEW_MOST = 0.9;
    private static final double FEW_LEAST_FACTOR = Math.log(8);

    /** Within minutes a rate moves by a few percent; so many rates that move by the same factor do not move at all. */
    private static final int JUMP_SYMBOLS = 4;

    private static final double JUMP_WIDEST = 0.15;
    private static final double JUMP_WITHIN = 0.35;
    private static final double JUMP_MOST = 0.8;
    private static final double LEAST_RATE = 1e-7;

    private CommonFactor() {}

    /**
     * A common factor.
     *
     * @param log its natural logarithm
     * @param symbols how many symbols were compared
     */
    record Finding(double log, int symbols) {
        /** What was found, such as {@code 8 times} or {@code 1/8}. */
        String words() {
            return LogRatios.words(log);
        }
    }

    /**
     * The factor by which an exchange's figures differ from the others'; null when they agree or too few can be compared.
     *
     * @param own 8-hour rates by asset
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
            if (known.length >= OTHERS && rate != 0 && LogRatios.median(known) >= ABOUT_ZERO) {
                medians.put(asset, LogRatios.median(known));
            }
        });
        LogRatios ratios = ratios(own, medians);
        if (ratios.spread() > WIDEST) {
            return null;
        }
        // twice the standard error of a median
        double chance = Math.min(MOST_CHANCE, 3.7 * ratios.spread() / Math.sqrt(Math.max(1, ratios.count())));
        Double log = ratios.factor(factor -> TOLERANCE + chance);
        if (log == null) {
            return null;
        }
        boolean found = ratios.count() >= SYMBOLS
                ? ratios.shareNearer(log) >= MOST
                : ratios.count() >= FEW_SYMBOLS
                        && Math.abs(log) >= FEW_LEAST_FACTOR
                        && ratios.spread() <= FEW_WIDEST
                        && ratios.shareNearer(log) >= FEW_MOST;
        return found ? new Finding(log, ratios.count()) : null;
    }

    /**
     * The factor by which all of an exchange's figures have moved at once; null when they have not.
     *
     * @param before its 8-hour rates some minutes ago
     */
    static @Nullable Finding jump(Map<String, Double> own, Map<String, Double> before) {
        LogRatios ratios = since(own, before);
        Double log = ratios.count() < JUMP_SYMBOLS || ratios.spread() > JUMP_WIDEST
                ? null
                : ratios.factor(factor -> TOLERANCE);
        return log == null || ratios.shareWithin(JUMP_WITHIN, log) < JUMP_MOST
                ? null
                : new Finding(log, ratios.count());
    }

    /** Whether figures that had jumped are still nearer to the factor than to where they had been. */
    static boolean persists(Finding jumped, Map<String, Double> own, Map<String, Double> before) {
        LogRatios ratios = since(own, before);
        return ratios.count() < JUMP_SYMBOLS || ratios.middle() / jumped.log() > 0.5;
    }

    /** Of what has kept its sign: a market that turned says nothing about units. */
    private static LogRatios since(Map<String, Double> own, Map<String, Double> before) {
        var comparable = new HashMap<String, Double>();
        before.forEach((asset, rate) -> {
            Double now = own.get(asset);
            if (now != null && now * rate > 0 && Math.abs(rate) >= LEAST_RATE) {
                comparable.put(asset, Math.abs(rate));
            }
        });
        return ratios(own, comparable);
    }

    private static LogRatios ratios(Map<String, Double> own, Map<String, Double> against) {
        Map<String, Integer> ownFloors = frequencies(own.values());
        Map<String, Integer> floors = frequencies(against.values());
        return new LogRatios(against.entrySet().stream()
                .filter(e -> !isFloor(e.getValue(), floors, against.size()))
                .filter(e -> !isFloor(own.getOrDefault(e.getKey(), 0.0), ownFloors, own.size()))
                .mapToDouble(e -> Math.log(Math.abs(own.getOrDefault(e.getKey(), 0.0)) / e.getValue()))
                .toArray());
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
}
