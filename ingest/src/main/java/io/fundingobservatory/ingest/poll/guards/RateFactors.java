package io.fundingobservatory.ingest.poll.guards;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many times the rates of a venue are those that they are compared with, symbol by symbol.
 *
 * @param factors of symbols whose rates have the same sign, in order
 * @param symbols how many symbols were compared, those of opposite signs included
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RateFactors(double[] factors, int symbols) {
    /** With fewer comparable symbols nothing is concluded. */
    private static final int FEWEST = 20;

    /** Below this, in 8 hours, a rate changes by more than a factor within minutes. */
    private static final double ABOUT_ZERO = 2e-5;

    /** A rate of more than this part of the symbols is a floor, a cap or a default, which says nothing about a unit. */
    private static final double FLOOR_SHARE = 0.05;

    /** Compares 8-hour rates by asset; null when fewer than 20 symbols can be compared. */
    static @Nullable RateFactors of(Map<String, Double> own, Map<String, Double> others) {
        Map<Long, Integer> ownRates = frequencies(own);
        Map<Long, Integer> otherRates = frequencies(others);
        var factors = new double[own.size()];
        int same = 0;
        int symbols = 0;
        for (var entry : own.entrySet()) {
            double rate = entry.getValue();
            double other = others.getOrDefault(entry.getKey(), 0.0);
            if (rate == 0
                    || Math.abs(other) < ABOUT_ZERO
                    || isFloor(rate, ownRates, own.size())
                    || isFloor(other, otherRates, others.size())) {
                continue;
            }
            symbols++;
            if (rate * other > 0) {
                factors[same++] = rate / other;
            }
        }
        double[] known = Arrays.copyOf(factors, same);
        Arrays.sort(known);
        return symbols < FEWEST ? null : new RateFactors(known, symbols);
    }

    private static Map<Long, Integer> frequencies(Map<String, Double> rates) {
        var counts = new HashMap<Long, Integer>();
        rates.values().forEach(rate -> counts.merge(rounded(rate), 1, Integer::sum));
        return counts;
    }

    private static boolean isFloor(double rate, Map<Long, Integer> frequencies, int of) {
        return frequencies.getOrDefault(rounded(rate), 0) > Math.max(1, of * FLOOR_SHARE);
    }

    /** Equal for rates that agree in about three digits. */
    private static long rounded(double rate) {
        return Math.round(Math.log(Math.abs(rate)) * 500);
    }

    /** Whether more than half of the symbols differ by at least this factor, all of them upwards or all downwards. */
    boolean areMostly(double factor) {
        long above = Arrays.stream(factors).filter(f -> f >= factor).count();
        long below = Arrays.stream(factors).filter(f -> f <= 1 / factor).count();
        return 2 * Math.max(above, below) > symbols;
    }

    /** Such as {@code 8.0 times the others' on most of 60 symbols}; the factor is the median. */
    String words(String than) {
        double median = factors[factors.length / 2];
        double factor = Math.max(median, 1 / median);
        String number = String.format(Locale.ROOT, factor < 9.95 ? "%.1f" : "%.0f", factor);
        return (median > 1 ? number + " times " : "1/" + number + " ") + than + " on most of " + symbols + " symbols";
    }
}
