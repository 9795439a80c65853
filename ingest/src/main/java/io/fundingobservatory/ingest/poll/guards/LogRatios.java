package io.fundingobservatory.ingest.poll.guards;

import java.util.Arrays;
import java.util.Locale;

/**
 * By what each of many rates differs from the rate it is compared with, in natural logarithms: where they lie and how closely.
 * Rates of opposite sign have no ratio and are only counted.
 */
final class LogRatios {
    /** The median deviation of ratios: of an unchanged market over ten minutes it is about half of this. */
    private static final double TIGHT = 0.15;

    private static final double TIGHT_WITHIN = 0.35;
    private static final double TIGHT_SHARE = 0.8;

    /** Wider than this, half of the symbols are off the common factor by more than 2. */
    private static final double WIDEST = 0.7;

    private static final double SAME_SIGN_SHARE = 0.65;

    private final double[] logs;
    private final int opposite;
    private final double middle;
    private final double spread;

    /** Natural logarithms of the ratios of rates of the same sign, at least one, and how many pairs had opposite signs. */
    LogRatios(double[] logs, int opposite) {
        this.logs = logs;
        this.opposite = opposite;
        this.middle = median(logs.clone());
        double[] distances = new double[logs.length];
        for (int i = 0; i < logs.length; i++) {
            distances[i] = Math.abs(logs[i] - middle);
        }
        this.spread = median(distances);
    }

    int count() {
        return logs.length + opposite;
    }

    double middle() {
        return middle;
    }

    /** Whether the median is at least this factor, either way. */
    boolean isAtLeast(double factor) {
        return Math.abs(middle) >= Math.log(factor);
    }

    /** Whether most symbols show the factor: with the same sign, and within a factor of 2 on half of them. */
    boolean isCommon() {
        return spread <= WIDEST && logs.length >= SAME_SIGN_SHARE * count();
    }

    /** Whether nearly all symbols differ by the same factor, as a change of unit makes them and no market does. */
    boolean isTight() {
        int within = 0;
        for (double log : logs) {
            within += Math.abs(log - middle) <= TIGHT_WITHIN ? 1 : 0;
        }
        return spread <= TIGHT && within >= TIGHT_SHARE * count();
    }

    /** Such as {@code 8.0 times} or {@code 1/24}. */
    String words() {
        double factor = Math.exp(Math.abs(middle));
        String number = String.format(Locale.ROOT, factor < 9.95 ? "%.1f" : "%.0f", factor);
        return middle > 0 ? number + " times" : "1/" + number;
    }

    static double median(double[] values) {
        Arrays.sort(values);
        int half = values.length / 2;
        return values.length % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    }
}
