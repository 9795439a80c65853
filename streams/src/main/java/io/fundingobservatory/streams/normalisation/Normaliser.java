package io.fundingobservatory.streams.normalisation;

import static io.fundingobservatory.topics.normalisation.Decimals.plain;
import static io.fundingobservatory.topics.normalisation.Decimals.plainOrNull;

import io.fundingobservatory.topics.normalisation.AssetNames;
import io.fundingobservatory.topics.normalisation.RateConversion;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;

/**
 * Turns a raw quote into a rate record, and a published settlement into the fraction that it charged, or names what forbids it.
 *
 * <p>{@link RateConversion} converts the rates and {@link AssetNames} the names.
 */
public final class Normaliser {
    public static final String UNLISTED_VENUE = "unlisted_venue";
    public static final String BLANK_FIELD = "blank_field";
    public static final String PRICE_NOT_POSITIVE = "price_not_positive";
    public static final String INTERVAL_OUT_OF_RANGE = "interval_out_of_range";
    public static final String RATE_OUT_OF_RANGE = "rate_out_of_range";
    public static final String INTERVAL_OR_PRICE_UNKNOWN = "interval_or_price_unknown";

    /** Longer than 128 characters, or with control characters or half of a surrogate pair. */
    public static final String TEXT_OUT_OF_RANGE = "text_out_of_range";

    /** An instant before 2000 or from 2100 on. */
    public static final String TIME_OUT_OF_RANGE = "time_out_of_range";

    /** More than 20 digits before the point, or more than 40 after it. */
    public static final String TOO_MANY_DIGITS = "too_many_digits";

    private static final BigDecimal PERIODS_A_YEAR = BigDecimal.valueOf(3 * 365);

    private Normaliser() {}

    /** What becomes of a record. */
    public sealed interface Result<T> {}

    /** The value is plausible. */
    public record Accepted<T>(T value) implements Result<T> {}

    /** The record contradicts itself or cannot be true; the reason is one of a small closed vocabulary. */
    public record Rejected<T>(String reason) implements Result<T> {}

    /** Normalises one quote. */
    public static Result<Rate> normalise(Quote quote) {
        String flaw = Plausibility.flaw(quote);
        if (flaw != null) {
            return new Rejected<>(flaw);
        }
        Rate rate = convert(quote);
        flaw = Plausibility.flaw(rate);
        return flaw == null ? new Accepted<>(rate) : new Rejected<>(flaw);
    }

    private static Rate convert(Quote quote) {
        AssetNames.Name name = AssetNames.of(quote.venue(), quote.base());
        BigDecimal per8h = RateConversion.per8h(quote);
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
                RateConversion.perInterval(quote),
                quote.rateKind(),
                per8h == null ? null : plain(per8h.multiply(PERIODS_A_YEAR)),
                RateConversion.per8h(quote, quote.rateCap()),
                RateConversion.per8h(quote, quote.rateFloor()),
                quote.nextFundingMs(),
                plainOrNull(quote.markPrice()),
                plainOrNull(quote.indexPrice()),
                name.priceScale(),
                quote.venueTimeMs(),
                quote.observedAtMs(),
                false,
                false);
    }

    /**
     * The fraction of notional that was charged at one published settlement; longs paid shorts when positive. Rejected where its
     * interval or price is missing.
     */
    public static Result<BigDecimal> settled(SettledRate settled) {
        String flaw = Plausibility.flaw(settled);
        if (flaw != null) {
            return new Rejected<>(flaw);
        }
        BigDecimal fundingRate = RateConversion.perInterval(settled);
        if (fundingRate == null) {
            return new Rejected<>(INTERVAL_OR_PRICE_UNKNOWN);
        }
        flaw = Plausibility.flaw(fundingRate);
        return flaw == null ? new Accepted<>(fundingRate) : new Rejected<>(flaw);
    }
}
