package io.fundingobservatory.ingest.poll.guards;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares an exchange's rates with the median of the others', and with its own of some minutes ago.
 *
 * <p>Floating point is enough: the result decides whether a poll is held back and is never published. A symbol can be compared when
 * its rate is neither about zero nor one of the floors and caps at which many symbols stand.
 */
final class CommonFactor {
    /** With fewer comparable symbols nothing is concluded. */
    static final int SYMBOLS = 20;

    /** A median of fewer others is not used. */
    static final int OTHERS = 5;
    /** Below this, in 8 hours, a rate changes by more than a factor within minutes. */
    private static final double ABOUT_ZERO = 2e-5;

    /** A rate of more than this part of the symbols is a floor, a cap or a default. */
    private static final double FLOOR_SHARE = 0.05;

    /** The rates of one poll: fractions per 8 hours by asset, read at an instant in epoch ms UTC. */
    record RateSheet(Map<String, Double> rates, long atMs) {
        boolean isWithin(long ms, long nowMs) {
            return Math.abs(nowMs - atMs) <= ms;
        }
    }

    private CommonFactor() {}

    /**
     * An exchange against the others; null when fewer than 20 symbols can be compared with at least 5 others.
     *
     * @param own 8-hour rates by asset
     * @param others the same of every other exchange
     */
    static @Nullable LogRatios toOthers(Map<String, Double> own, Collection<Map<String, Double>> others) {
        List<Map<String, Double>> sheets = List.copyOf(others);
        var medians = new HashMap<String, Double>();
        var known = new double[sheets.size()];
        own.forEach((asset, rate) -> {
            int count = 0;
            for (Map<String, Double> sheet : sheets) {
                Double other = sheet.get(asset);
                if (other != null) {
                    known[count++] = other;
                }
            }
            if (count >= OTHERS) {
                medians.put(asset, LogRatios.median(Arrays.copyOf(known, count)));
            }
        });
        return toRates(own, medians);
    }

    /** An exchange against other rates, such as its own of another time; null when fewer than 20 symbols can be compared. */
    static @Nullable LogRatios toRates(Map<String, Double> own, Map<String, Double> against) {
        if (Math.min(own.size(), against.size()) < SYMBOLS) {
            return null;
        }
        Map<Long, Integer> ownFloors = frequencies(own.values());
        Map<Long, Integer> floors = frequencies(against.values());
        var logs = new double[against.size()];
        int count = 0;
        int opposite = 0;
        for (var entry : against.entrySet()) {
            double other = entry.getValue();
            double rate = own.getOrDefault(entry.getKey(), 0.0);
            if (rate == 0
                    || Math.abs(other) < ABOUT_ZERO
                    || isFloor(other, floors, against.size())
                    || isFloor(rate, ownFloors, own.size())) {
                continue;
            }
            if (rate * other > 0) {
                logs[count++] = Math.log(rate / other);
            } else {
                opposite++;
            }
        }
        return count == 0 || count + opposite < SYMBOLS ? null : new LogRatios(Arrays.copyOf(logs, count), opposite);
    }

    private static Map<Long, Integer> frequencies(Collection<Double> rates) {
        var counts = new HashMap<Long, Integer>();
        rates.forEach(rate -> counts.merge(rounded(rate), 1, Integer::sum));
        return counts;
    }

    private static boolean isFloor(double rate, Map<Long, Integer> frequencies, int of) {
        return frequencies.getOrDefault(rounded(rate), 0) > Math.max(1, of * FLOOR_SHARE);
    }

    /** Equal for rates that agree in about three digits. */
    private static long rounded(double rate) {
        return Math.round(Math.log(Math.abs(rate)) * 500);
    }
}
