package io.fundingobservatory.topics.normalisation;

import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Converts published rates into fractions of notional over 8 hours or over a contract's own funding interval.
 *
 * <p>Quotients that end are exact. Others have 18 decimals, half-even, taken from the exact quotient. A result is null when it needs
 * hours or a price that are unknown, zero or negative.
 */
public final class RateConversion {
    /** The hours of every {@code funding_rate_8h}. */
    public static final BigDecimal HOURS = BigDecimal.valueOf(8);

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    private RateConversion() {}

    /** Returns the fraction of notional per 8 hours; null when unknown. */
    public static @Nullable BigDecimal per8h(Quote quote) {
        return per8h(quote, quote.rate());
    }

    /** Returns the same of another value of the quote that has the unit and the hours of its rate; null where there is none. */
    public static @Nullable BigDecimal per8h(Quote quote, @Nullable BigDecimal published) {
        return published == null
                ? null
                : over(
                        fraction(published, quote.rateUnit(), quote.indexPrice(), quote.markPrice()),
                        HOURS,
                        quote.rateHours());
    }

    /** Returns an amount that accrues over some hours, converted to 8 hours. */
    public static BigDecimal per8h(BigDecimal amount, BigDecimal hours) {
        return Decimals.plain(Decimals.quotient(amount.multiply(HOURS), hours));
    }

    /** Returns what a rate per 8 hours is over other hours. */
    public static BigDecimal over(BigDecimal rate8h, BigDecimal hours) {
        return Decimals.plain(Decimals.product(rate8h.divide(HOURS), hours)); // an eighth always ends
    }

    /** Returns the fraction of notional per funding interval; null when unknown. A rate without hours covers one interval. */
    public static @Nullable BigDecimal perInterval(Quote quote) {
        return perInterval(fraction(quote), quote.rateHours(), quote.intervalH());
    }

    /** Returns the fraction of notional that one settlement charged; null when unknown. A rate without hours covers one interval. */
    public static @Nullable BigDecimal perInterval(SettledRate settled) {
        BigDecimal price = settled.referencePrice();
        return perInterval(
                fraction(settled.rate(), settled.rateUnit(), price, price), settled.rateHours(), settled.intervalH());
    }

    private static @Nullable BigDecimal perInterval(
            @Nullable Fraction fraction, @Nullable BigDecimal rateHours, @Nullable BigDecimal intervalH) {
        return rateHours == null
                ? over(fraction, BigDecimal.ONE, BigDecimal.ONE)
                : over(fraction, intervalH, rateHours);
    }

    private static @Nullable Fraction fraction(Quote quote) {
        return fraction(quote.rate(), quote.rateUnit(), quote.indexPrice(), quote.markPrice());
    }

    /** The published rate as a fraction of notional over the hours that it covers; null when its reference price is missing. */
    private static @Nullable Fraction fraction(
            BigDecimal rate, RateUnit unit, @Nullable BigDecimal index, @Nullable BigDecimal mark) {
        return switch (unit) {
            case FRACTION -> new Fraction(rate, BigDecimal.ONE);
            case PERCENT -> new Fraction(rate, HUNDRED);
            case QUOTE_PER_COIN_AT_INDEX -> index == null || index.signum() <= 0 ? null : new Fraction(rate, index);
            // Settled by the venue as a rate of 18 decimals, so that the 8-hour rate is a multiple of the one it
            // shows.
            case QUOTE_PER_COIN_AT_MARK ->
                mark == null || mark.signum() <= 0 ? null : new Fraction(Decimals.quotient(rate, mark), BigDecimal.ONE);
            case COIN_PER_QUOTE_AT_INDEX ->
                index == null || index.signum() <= 0
                        ? null
                        : new Fraction(Decimals.product(rate, index), BigDecimal.ONE);
        };
    }

    /** The fraction, which covers some hours, converted to others. */
    private static @Nullable BigDecimal over(
            @Nullable Fraction fraction, @Nullable BigDecimal toHours, @Nullable BigDecimal fromHours) {
        if (fraction == null || toHours == null || fromHours == null || fromHours.signum() <= 0) {
            return null;
        }
        return Decimals.plain(
                Decimals.quotient(fraction.dividend.multiply(toHours), fraction.divisor.multiply(fromHours)));
    }

    /** A quotient that is not divided yet, so that nothing is rounded twice. */
    private record Fraction(BigDecimal dividend, BigDecimal divisor) {}
}
