package io.fundingobservatory.streams.settlements;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How many estimates were off by how much. A bucket is |settled − estimate| rounded to three digits, so it is
 * at most 1 % wide, with its count. Adding and removing are commutative.
 *
 * <p>A day of a venue has a thousand buckets, and each error reads and writes all of them. As a map of boxed numbers
 * that took nearly all of a stream thread's time while errors arrived.
 */
public final class ErrorHistogram {
    private static final MathContext BUCKET = new MathContext(3, RoundingMode.HALF_EVEN);
    private static final int MANTISSAS = 1_000;
    private static final int ZERO = Integer.MIN_VALUE;

    private int[] cells;

    public ErrorHistogram() {
        this(new int[0]);
    }

    /** As {@link #cells} returned them. */
    public ErrorHistogram(int[] cells) {
        this.cells = cells.clone();
    }

    /** Each bucket, by decimal exponent and mantissa, and its count, in turn; the smallest error first. */
    public int[] cells() {
        return cells.clone();
    }

    /** An error that is new, or replaces another one. */
    public void replace(@Nullable BigDecimal before, BigDecimal error) {
        if (before != null) {
            count(bucket(before), -1);
        }
        count(bucket(error), 1);
    }

    public void add(ErrorHistogram other) {
        for (int at = 0; at < other.cells.length; at += 2) {
            count(other.cells[at], other.cells[at + 1]);
        }
    }

    private void count(int bucket, int change) {
        int at = place(bucket);
        boolean known = at < cells.length && cells[at] == bucket;
        int count = known ? cells[at + 1] + change : change;
        if (known && count != 0) {
            cells[at + 1] = count;
            return;
        }
        int rest = known ? at + 2 : at;
        int[] added = count == 0 ? new int[0] : new int[] {bucket, count};
        var now = Arrays.copyOf(cells, at + added.length + cells.length - rest);
        System.arraycopy(added, 0, now, at, added.length);
        System.arraycopy(cells, rest, now, at + added.length, cells.length - rest);
        cells = now;
    }

    /** Where a bucket is, or would be. */
    private int place(int bucket) {
        int low = 0;
        int high = cells.length / 2;
        while (low < high) {
            int middle = (low + high) / 2;
            if (cells[2 * middle] < bucket) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return 2 * low;
    }

    public int size() {
        int size = 0;
        for (int at = 0; at < cells.length; at += 2) {
            size += cells[at + 1];
        }
        return size;
    }

    /** Nearest rank: the smallest bucket that so many percent of the errors do not exceed; the histogram must not be empty. */
    public BigDecimal atPercent(int percent) {
        long rank = Math.max(1, Math.ceilDiv((long) size() * percent, 100));
        for (int at = 0; at < cells.length; at += 2) {
            rank -= cells[at + 1];
            if (rank <= 0) {
                return value(cells[at]);
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

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ErrorHistogram histogram && Arrays.equals(cells, histogram.cells);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(cells);
    }

    @Override
    public String toString() {
        return "ErrorHistogram" + Arrays.toString(cells);
    }
}
