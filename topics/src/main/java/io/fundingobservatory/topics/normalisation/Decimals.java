package io.fundingobservatory.topics.normalisation;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Exact decimals: quotients, and the one spelling of a number. */
public final class Decimals {
    /**
     * Decimals of a rate, an interval or a price: of a double in exponent notation, 1.2345678901234567e-24. A sum of 744 such rates, an
     * eighth of one and the difference of two sums stay within the 64 digits of a record.
     */
    public static final int MOST_DECIMALS = 40;

    /** Decimals of a quotient that does not end. */
    private static final int ENDLESS_SCALE = 18;

    /** Every divisor of so many digits is a long. */
    private static final int LONG_DIGITS = 18;

    private static final BigDecimal TWO = BigDecimal.valueOf(2);
    private static final BigInteger FIVE = BigInteger.valueOf(5);

    private Decimals() {}

    /** The exact quotient where it ends, else 18 decimals, half-even. */
    public static BigDecimal quotient(BigDecimal dividend, BigDecimal divisor) {
        return divisor.precision() <= LONG_DIGITS && divisor.signum() > 0
                ? byLong(dividend, divisor)
                : ends(dividend, divisor)
                        ? dividend.divide(divisor)
                        : dividend.divide(divisor, ENDLESS_SCALE, RoundingMode.HALF_EVEN);
    }

    /** The exact product, or half-even at {@link #MOST_DECIMALS}: a rate of 34 decimals times a price of 13 has 47. */
    public static BigDecimal product(BigDecimal a, BigDecimal b) {
        BigDecimal exact = a.multiply(b);
        return exact.scale() <= MOST_DECIMALS ? exact : exact.setScale(MOST_DECIMALS, RoundingMode.HALF_EVEN);
    }

    /** Hours and most prices: a divisor of twos and fives is a factor of a power of ten, and the quotient a product. */
    private static BigDecimal byLong(BigDecimal dividend, BigDecimal divisor) {
        long rest = divisor.unscaledValue().longValue();
        int twos = Long.numberOfTrailingZeros(rest);
        rest >>= twos;
        int fives = 0;
        for (; rest % 5 == 0; rest /= 5) {
            fives++;
        }
        BigDecimal whole = dividend;
        if (rest != 1) {
            BigInteger[] parts = dividend.unscaledValue().divideAndRemainder(BigInteger.valueOf(rest));
            if (parts[1].signum() != 0) {
                return dividend.divide(divisor, ENDLESS_SCALE, RoundingMode.HALF_EVEN);
            }
            whole = new BigDecimal(parts[0], dividend.scale());
        }
        int tens = Math.max(twos, fives);
        BigDecimal factor =
                twos < fives ? TWO.pow(fives - twos) : BigDecimal.valueOf(5).pow(twos - fives);
        return whole.multiply(factor).scaleByPowerOfTen(divisor.scale() - tens);
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
    public static BigDecimal plain(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    /** The same; null for null. */
    public static @Nullable BigDecimal plainOrNull(@Nullable BigDecimal value) {
        return value == null ? null : plain(value);
    }

    /** Whether two numbers are equal in value, or both unknown. */
    public static boolean same(@Nullable BigDecimal a, @Nullable BigDecimal b) {
        return a == null ? b == null : b != null && a.compareTo(b) == 0;
    }
}
