package io.fundingobservatory.ingest.polling;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** By what each of many figures differs from what it is held against, in natural logarithms: where they lie and how closely. */
final class LogRatios {
    /** Per day and per 8 hours, per 8 hours and per hour, percent and fraction, 1000x, per year and per hour. */
    private static final double[] FACTORS = {3, 8, 100, 1000, 8760};

    private final double[] logs;
    private final double middle;
    private final double spread;

    LogRatios(double[] logs) {
        this.logs = logs;
        this.middle = logs.length == 0 ? 0 : median(logs.clone());
        this.spread = logs.length == 0
                ? 0
                : median(Arrays.stream(logs).map(l -> Math.abs(l - middle)).toArray());
    }

    int count() {
        return logs.length;
    }

    double middle() {
        return middle;
    }

    /** The median distance from the middle. */
    double spread() {
        return spread;
    }

    /** The factor whose logarithm is no further from the middle than it may be; null when there is none. */
    @Nullable
    Double factor(DoubleUnaryOperator mayBeOff) {
        for (double factor : FACTORS) {
            double log = Math.copySign(Math.log(factor), middle);
            if (Math.abs(middle - log) <= mayBeOff.applyAsDouble(factor)) {
                return log;
            }
        }
        return null;
    }

    /** The share of the figures that lie nearer to this logarithm than to agreement. */
    double shareNearer(double log) {
        return share(l -> Math.abs(l - log) < Math.abs(l) ? 1 : 0);
    }

    /** The share of the figures that lie within a distance of this logarithm. */
    double shareWithin(double distance, double log) {
        return share(l -> Math.abs(l - log) <= distance ? 1 : 0);
    }

    private double share(DoubleUnaryOperator counts) {
        return Arrays.stream(logs).map(counts).sum() / logs.length;
    }

    /** Such as {@code 8 times} or {@code 1/8}. */
    static String words(double log) {
        String number = String.format(Locale.ROOT, "%.0f", Math.exp(Math.abs(log)));
        return log > 0 ? number + " times" : "1/" + number;
    }

    static double median(double[] values) {
        Arrays.sort(values);
        int half = values.length / 2;
        return values.length % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    }
}
