package io.fundingobservatory.streams.settlements;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
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

    /** A bucket in the upper half, its count in the lower one, which is never 0. */
    private long[] cells;

    public ErrorHistogram() {
        this(new long[0]);
    }

    private ErrorHistogram(long[] cells) {
        this.cells = cells;
    }

    /** As {@link #bytes} returned it. */
    public static ErrorHistogram of(byte[] bytes) {
        var cells = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).asLongBuffer().get(cells);
        return new ErrorHistogram(cells);
    }

    /** Each bucket, by decimal exponent and mantissa, and its count, in 8 bytes; the smallest error first. */
    public byte[] bytes() {
        var bytes = ByteBuffer.allocate(cells.length * Long.BYTES);
        bytes.asLongBuffer().put(cells);
        return bytes.array();
    }

    /** An error that is new, or replaces another one. */
    public void replace(@Nullable BigDecimal before, BigDecimal error) {
        if (before != null) {
            count(bucket(before), -1);
        }
        count(bucket(error), 1);
    }

    public void add(ErrorHistogram other) {
        for (long cell : other.cells) {
            count(bucket(cell), (int) cell);
        }
    }

    private void count(int bucket, int change) {
        int at = -Arrays.binarySearch(cells, (long) bucket << 32) - 1;
        boolean known = at < cells.length && bucket(cells[at]) == bucket;
        int count = known ? (int) cells[at] + change : change;
        long cell = ((long) bucket << 32) | (count & 0xffffffffL);
        if (known && count != 0) {
            cells[at] = cell;
            return;
        }
        int rest = known ? at + 1 : at;
        long[] added = count == 0 ? new long[0] : new long[] {cell};
        var now = Arrays.copyOf(cells, at + added.length + cells.length - rest);
        System.arraycopy(added, 0, now, at, added.length);
        System.arraycopy(cells, rest, now, at + added.length, cells.length - rest);
        cells = now;
    }

    public int size() {
        return Arrays.stream(cells).mapToInt(cell -> (int) cell).sum();
    }

    /** Nearest rank: the smallest bucket that so many percent of the errors do not exceed; the histogram must not be empty. */
    public BigDecimal atPercent(int percent) {
        long rank = Math.max(1, Math.ceilDiv((long) size() * percent, 100));
        for (long cell : cells) {
            rank -= (int) cell;
            if (rank <= 0) {
                return value(bucket(cell));
            }
        }
        throw new IllegalStateException("an empty histogram has no ranks");
    }

    private static int bucket(long cell) {
        return (int) (cell >> 32);
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
