package io.fundingobservatory.streams.settlements;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How many estimates were off by how much. A bucket is |settled − estimate| rounded to three digits, so it is
 * at most 1 % wide, with its count. Adding and removing are commutative.
 *
 * @param counts how many errors each bucket holds, by decimal exponent and mantissa, the smallest error first; they
 *     change
 */
public record ErrorHistogram(NavigableMap<Integer, Integer> counts) {
    private static final MathContext BUCKET = new MathContext(3, RoundingMode.HALF_EVEN);
    private static final int MANTISSAS = 1_000;
    private static final int ZERO = Integer.MIN_VALUE;

    /** A histogram without errors. */
    public ErrorHistogram() {
        this(new TreeMap<>());
    }

    /** An error that is new, or replaces another one. */
    public void replace(@Nullable BigDecimal before, BigDecimal error) {
        if (before != null) {
            count(bucket(before), -1);
        }
        count(bucket(error), 1);
    }

    /** Adds all that another histogram holds. */
    public void add(ErrorHistogram other) {
        other.counts.forEach(this::count);
    }

    private void count(int bucket, int change) {
        int count = counts.getOrDefault(bucket, 0) + change;
        if (count == 0) {
            counts.remove(bucket);
        } else {
            counts.put(bucket, count);
        }
    }

    /** How many errors it holds. */
    public int size() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Nearest rank: the smallest bucket that so many percent of the errors do not exceed; the histogram must not be empty. */
    public BigDecimal atPercent(int percent) {
        long rank = Math.max(1, Math.ceilDiv((long) size() * percent, 100));
        for (Map.Entry<Integer, Integer> bucket : counts.entrySet()) {
            rank -= bucket.getValue();
            if (rank <= 0) {
                return value(bucket.getKey());
            }
        }
        throw new IllegalStateException("an empty histogram has no ranks");
    }

    private static int bucket(BigDecimal error) {
        if (error.signum() == 0) {
            return ZERO;
        }
        BigDecimal rounded = error.round(BUCKET);
        int scale = rounded.scale() + BUCKET.getPrecision() - rounded.precision();
        return -scale * MANTISSAS + rounded.setScale(scale).unscaledValue().intValueExact();
    }

    private static BigDecimal value(int bucket) {
        return bucket == ZERO
                ? BigDecimal.ZERO
                : BigDecimal.valueOf(Math.floorMod(bucket, MANTISSAS), -Math.floorDiv(bucket, MANTISSAS));
    }
}
