package io.fundingobservatory.ingest.json;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Typed access to the members of an object. Numbers are accepted as JSON numbers and as strings, because exchanges change between the
 * two.
 *
 * <p>{@code text}, {@code decimal} and {@code flag} return a member that must be there, and {@link Skip} the row otherwise. The
 * {@code …OrNull} forms return null when it is absent. {@code price} and the time forms also treat {@code 0} and {@code ""} as absent,
 * as exchanges do.
 *
 * <p>A name that a skipped row is counted under is a constant: a member whose name the venue chooses is read with {@code at(…)}.
 */
public abstract sealed class JsonFields permits JsonValue {
    /** A text; null when absent, null or blank. */
    public abstract @Nullable String textOrNull(String name);

    /**
     * Returns a number; null when absent, null or blank. Zero is a number. Any other value that is not a
     * number skips the row.
     */
    public abstract @Nullable BigDecimal decimalOrNull(@CompileTimeConstant String name);

    public String text(@CompileTimeConstant String name) {
        String text = textOrNull(name);
        if (text == null) {
            throw Skip.unreadable(name);
        }
        return text;
    }

    public boolean is(String name, String... words) {
        String text = textOrNull(name);
        return text != null && List.of(words).contains(text);
    }

    /** Whether the flag under a name is there and true, also spelled as a text. */
    public boolean flag(String name) {
        return "true".equals(textOrNull(name));
    }

    public BigDecimal decimal(@CompileTimeConstant String name) {
        BigDecimal value = decimalOrNull(name);
        if (value == null) {
            throw Skip.unreadable(name);
        }
        return value;
    }

    /** A number that is never really zero: 0 and blank mean absent. A negative one skips the row. */
    public @Nullable BigDecimal positiveOrNull(@CompileTimeConstant String name) {
        return positive(decimalOrNull(name), name);
    }

    static @Nullable BigDecimal positive(@Nullable BigDecimal value, @CompileTimeConstant String name) {
        if (value == null || value.signum() == 0) {
            return null;
        }
        if (value.signum() < 0) {
            throw Skip.unreadable(name);
        }
        return value;
    }

    /** A price: 0 and blank mean that there is none. A negative one skips the row. */
    public @Nullable BigDecimal price(@CompileTimeConstant String name) {
        return positiveOrNull(name);
    }

    /** The funding rate; a row without one is skipped as such. Zero is a rate. */
    public BigDecimal fundingRate(@CompileTimeConstant String name) {
        BigDecimal value = decimalOrNull(name);
        if (value == null) {
            throw Skip.because(Skip.NO_FUNDING_RATE);
        }
        return value;
    }

    /** An instant in epoch milliseconds; null when absent, blank or 0. */
    public @Nullable Long millis(@CompileTimeConstant String name) {
        return scaledTime(name, 0);
    }

    /** An instant in epoch seconds, in milliseconds; null when absent, blank or 0. */
    public @Nullable Long seconds(@CompileTimeConstant String name) {
        return scaledTime(name, 3);
    }

    /** An instant in epoch microseconds, in milliseconds; null when absent, blank or 0. */
    public @Nullable Long micros(@CompileTimeConstant String name) {
        return scaledTime(name, -3);
    }

    /** An instant in epoch nanoseconds, in milliseconds; null when absent, blank or 0. */
    public @Nullable Long nanos(@CompileTimeConstant String name) {
        return scaledTime(name, -6);
    }

    /** An ISO-8601 instant, in epoch milliseconds; null when absent or blank. */
    public @Nullable Long iso(@CompileTimeConstant String name) {
        return isoWith("", name);
    }

    /** An ISO-8601 time that is UTC without saying so, in epoch milliseconds; null when absent or blank. */
    public @Nullable Long isoUtc(@CompileTimeConstant String name) {
        return isoWith("Z", name);
    }

    private @Nullable Long isoWith(String zone, @CompileTimeConstant String name) {
        String text = textOrNull(name);
        return text == null ? null : Long.valueOf(Decimals.iso(text.endsWith("Z") ? text : text + zone, name));
    }

    private @Nullable Long scaledTime(@CompileTimeConstant String name, int powerOfTen) {
        BigDecimal value = positiveOrNull(name);
        return value == null ? null : Long.valueOf(Decimals.instant(value, powerOfTen, name));
    }
}
