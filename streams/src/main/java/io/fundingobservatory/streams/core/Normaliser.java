package io.fundingobservatory.streams.core;

import static io.fundingobservatory.streams.core.Decimals.plain;
import static io.fundingobservatory.streams.core.Decimals.plainOrNull;

import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a venue said into a rate per 8 hours.
 *
 * <p>Figures that end are exact. Where a division does not end, the result has 18 decimals, half-even, taken from the exact
 * quotient. A figure that needs an unknown interval or a price that was not published is null.
 */
public final class Normaliser {
    public static final String UNLISTED_VENUE = "unlisted_venue";
    public static final String BLANK_FIELD = "blank_field";
    public static final String PRICE_NOT_POSITIVE = "price_not_positive";
    public static final String INTERVAL_OUT_OF_RANGE = "interval_out_of_range";
    public static final String RATE_OUT_OF_RANGE = "rate_out_of_range";
    public static final String INTERVAL_OR_PRICE_UNKNOWN = "interval_or_price_unknown";
    public static final String OBSERVED_IN_THE_FUTURE = "observed_in_the_future";

    /** Longer than 128 characters, or with control characters or half of a surrogate pair. */
    public static final String TEXT_OUT_OF_RANGE = "text_out_of_range";

    /** An instant before 2000 or from 2100 on. */
    public static final String TIME_OUT_OF_RANGE = "time_out_of_range";

    /** More than 20 digits before the point, or more than 40 after it. */
    public static final String TOO_MANY_DIGITS = "too_many_digits";

    private static final BigDecimal EIGHT = BigDecimal.valueOf(8);
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final BigDecimal PERIODS_A_YEAR = BigDecimal.valueOf(3 * 365);

    private Normaliser() {}

    /**
     * Normalises one quote.
     *
     * @param receivedAtMs when the quote was received, by a clock other than the reader's own, epoch ms. A
     *     reader whose clock is ahead must not freeze its rows at a future time
     */
    public static Normalised normalise(Quote quote, long receivedAtMs) {
        String flaw = Plausibility.flaw(quote, receivedAtMs);
        if (flaw != null) {
            return new Normalised.Rejected(flaw);
        }
        Rate rate = convert(quote);
        flaw = Plausibility.flaw(rate);
        return flaw == null ? new Normalised.Accepted(rate) : new Normalised.Rejected(flaw);
    }

    private static Rate convert(Quote quote) {
        AssetNames.Name name = AssetNames.of(quote.venue(), quote.base());
        Figure figure = fraction(quote.rate(), quote.rateUnit(), quote.indexPrice(), quote.markPrice());
        BigDecimal per8h = over(figure, EIGHT, quote.rateHours());
        BigDecimal perInterval = quote.rateHours() == null
                ? over(figure, BigDecimal.ONE, BigDecimal.ONE)
                : over(figure, quote.intervalH(), quote.rateHours());
        return new Rate(
                quote.venue(),
                quote.symbol(),
                name.asset(),
                quote.quote(),
                quote.contractType(),
                quote.assetClass(),
                quote.dex(),
                per8h,
                plainOrNull(quote.intervalH()),
                quote.intervalSource(),
                perInterval,
                quote.rateKind(),
                per8h == null ? null : plain(per8h.multiply(PERIODS_A_YEAR)),
                quote.nextFundingMs(),
                plainOrNull(quote.markPrice()),
                plainOrNull(quote.indexPrice()),
                name.priceScale(),
                quote.venueTimeMs(),
                quote.observedAtMs(),
                false);
    }

    /** The fraction of notional that a published settlement charged, once; unclear where its interval or price is missing. */
    public static Normalised.Payment settled(SettledRate settled) {
        String flaw = Plausibility.flaw(settled);
        if (flaw != null) {
            return new Normalised.Unclear(flaw);
        }
        BigDecimal price = settled.referencePrice();
        Figure figure = fraction(settled.rate(), settled.rateUnit(), price, price);
        BigDecimal paid = settled.rateHours() == null
                ? over(figure, BigDecimal.ONE, BigDecimal.ONE)
                : over(figure, settled.intervalH(), settled.rateHours());
        if (paid == null) {
            return new Normalised.Unclear(INTERVAL_OR_PRICE_UNKNOWN);
        }
        flaw = Plausibility.flaw(paid);
        return flaw == null ? new Normalised.Paid(paid) : new Normalised.Unclear(flaw);
    }

    /** The published figure as a fraction of notional over the hours that it covers; null when its reference price is missing. */
    private static @Nullable Figure fraction(
            BigDecimal rate, RateUnit unit, @Nullable BigDecimal index, @Nullable BigDecimal mark) {
        return switch (unit) {
            case FRACTION -> new Figure(rate, BigDecimal.ONE);
            case PERCENT -> new Figure(rate, HUNDRED);
            case QUOTE_PER_COIN_AT_INDEX -> index == null ? null : new Figure(rate, index);
            // Settled by the venue as a rate of 18 decimals, so that the 8-hour figure is a multiple of the one it
            // shows.
            case QUOTE_PER_COIN_AT_MARK ->
                mark == null ? null : new Figure(Decimals.quotient(rate, mark), BigDecimal.ONE);
            case COIN_PER_QUOTE_AT_INDEX ->
                index == null ? null : new Figure(Decimals.product(rate, index), BigDecimal.ONE);
        };
    }

    /** The figure, which covers some hours, brought to others. */
    private static @Nullable BigDecimal over(
            @Nullable Figure figure, @Nullable BigDecimal toHours, @Nullable BigDecimal fromHours) {
        if (figure == null || toHours == null || fromHours == null) {
            return null;
        }
        return plain(Decimals.quotient(figure.dividend.multiply(toHours), figure.divisor.multiply(fromHours)));
    }

    /** A quotient that is not divided yet, so that nothing is rounded twice. */
    private record Figure(BigDecimal dividend, BigDecimal divisor) {}
}
