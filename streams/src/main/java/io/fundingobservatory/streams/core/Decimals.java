package io.fundingobservatory.streams.core;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Exact decimals: quotients, and the one spelling of a number. */
final class Decimals {
    /** Decimals of a quotient that does not end. */
    static final int ENDLESS_SCALE = 18;

    /** What {@code JsonCodec} reads back. */
    private static final int MOST_DIGITS = 64;

    private static final BigInteger FIVE = BigInteger.valueOf(5);

    private Decimals() {}

    /** The exact quotient where it ends, else 18 decimals, half-even. */
    static BigDecimal quotient(BigDecimal dividend, BigDecimal divisor) {
        return ends(dividend, divisor)
                ? dividend.divide(divisor)
                : dividend.divide(divisor, ENDLESS_SCALE, RoundingMode.HALF_EVEN);
    }

    /** A fraction in lowest terms ends exactly when its denominator has no prime factor but 2 and 5. */
    private static boolean ends(BigDecimal dividend, BigDecimal divisor) {
        BigInteger rest = divisor.unscaledValue().abs();
        rest = rest.divide(rest.gcd(dividend.unscaledValue()));
        rest = rest.shiftRight(rest.getLowestSetBit());
        for (BigInteger[] byFive = rest.divideAndRemainder(FIVE);
                byFive[1].signum() == 0;
                byFive = rest.divideAndRemainder(FIVE)) {
            rest = byFive[0];
        }
        return rest.equals(BigInteger.ONE);
    }

    /** Without trailing zeros and without an exponent: 8, not 8.0 or 8E0. */
    static BigDecimal plain(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    static @Nullable BigDecimal plainOrNull(@Nullable BigDecimal value) {
        return value == null ? null : plain(value);
    }

    /** Whether the number, once written, can be read back. */
    static boolean fits(@Nullable BigDecimal value) {
        return value == null || (value.precision() <= MOST_DIGITS && value.scale() <= MOST_DIGITS);
    }
}
