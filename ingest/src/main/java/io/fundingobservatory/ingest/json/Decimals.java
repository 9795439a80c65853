package io.fundingobservatory.ingest.json;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads numbers and times as exchanges write them; any other text skips the row with the name of the field. */
final class Decimals {
    /** The end of the year 9999: a later time is none, and sums with it would not fit into a number of ours. */
    private static final BigDecimal LATEST = BigDecimal.valueOf(253_402_300_799_999L);

    private Decimals() {}

    /** A number as it is written, its zeroes included; null when blank. */
    static @Nullable BigDecimal decimal(String written, @CompileTimeConstant String field) {
        String text = written.strip();
        if (text.isEmpty()) {
            return null;
        }
        if (text.length() > PackedJson.MAX_DIGITS) {
            throw Skip.unreadable(field);
        }
        try {
            var value = new BigDecimal(text);
            if (value.precision() > PackedJson.MAX_DIGITS || Math.abs((long) value.scale()) > PackedJson.MAX_DIGITS) {
                throw Skip.unreadable(field);
            }
            return value;
        } catch (NumberFormatException e) {
            throw Skip.unreadable(field);
        }
    }

    /** An instant in epoch milliseconds, of a count of seconds (3), milliseconds (0), microseconds (-3) or nanoseconds (-6). */
    static long instant(BigDecimal count, int powerOfTen, @CompileTimeConstant String field) {
        BigDecimal ms = count.scaleByPowerOfTen(powerOfTen);
        if (ms.compareTo(LATEST) > 0) {
            throw Skip.unreadable(field);
        }
        return ms.longValue();
    }

    static long iso(String text, @CompileTimeConstant String field) {
        try {
            return Instant.parse(text).toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw Skip.unreadable(field);
        }
    }
}
