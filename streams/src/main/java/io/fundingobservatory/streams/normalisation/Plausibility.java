package io.fundingobservatory.streams.normalisation;

import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.json.DeclaredField;
import io.fundingobservatory.topics.json.FieldLimits;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What forbids a record that came from outside, field by field: the reason for its dead letter, or null. Beyond this no later step has
 * to expect a number that cannot be written, a time that overflows or an interval that never ends.
 */
public final class Plausibility {
    /** Digits before the point; a price of 10^20 is nobody's. */
    static final int WHOLE_DIGITS = 20;

    /** dYdX names a market after its pool: 64 characters and more. */
    static final int WORD_LENGTH = 128;

    private static final BigDecimal MINUTES_AN_HOUR = BigDecimal.valueOf(60);
    private static final BigDecimal LONGEST_INTERVAL_H = BigDecimal.valueOf(7 * 24);
    private static final BigDecimal LEAP_YEAR_H = BigDecimal.valueOf(366 * 24);

    /** 1000 % of notional: nothing that a venue charges comes near it. */
    private static final BigDecimal NONSENSE = BigDecimal.TEN;

    private static final long EARLIEST_MS =
            Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();
    private static final long LATEST_MS = Instant.parse("2100-01-01T00:00:00Z").toEpochMilli();

    private Plausibility() {}

    static @Nullable String flaw(Quote quote) {
        boolean sourceWithoutInterval = (quote.intervalH() == null) != (quote.intervalSource() == null);
        return first(
                wordFlaw(quote.venue(), quote.symbol(), quote.base(), quote.quote(), quote.dex()),
                priceFlaw(quote.markPrice(), quote.indexPrice()),
                sourceWithoutInterval ? Normaliser.INTERVAL_OUT_OF_RANGE : null,
                hoursFlaw(quote.intervalH(), quote.rateHours()),
                digitFlaw(Quote.CODEC, quote),
                timeFlaw(quote.observedAtMs(), quote.nextFundingMs(), quote.venueTimeMs()));
    }

    static @Nullable String flaw(SettledRate settled) {
        return first(
                wordFlaw(settled.venue(), settled.symbol()),
                priceFlaw(settled.referencePrice()),
                hoursFlaw(settled.intervalH(), settled.rateHours()),
                digitFlaw(SettledRate.CODEC, settled),
                timeFlaw(settled.settledMs(), settled.observedAtMs()));
    }

    /** What forbids a row that was made of a plausible quote. */
    static @Nullable String flaw(Rate rate) {
        return first(
                wordFlaw(rate.venue(), rate.asset()),
                rateFlaw(rate.fundingRate8h() == null ? rate.fundingRate() : rate.fundingRate8h()),
                digitFlaw(Rate.CODEC, rate));
    }

    static @Nullable String flaw(BigDecimal settledRate) {
        return first(rateFlaw(settledRate), digitFlaw(settledRate));
    }

    private static @Nullable String first(@Nullable String... flaws) {
        for (String flaw : flaws) {
            if (flaw != null) {
                return flaw;
            }
        }
        return null;
    }

    private static @Nullable String wordFlaw(String venue, @Nullable String... words) {
        if (!ListedVenue.isListed(venue)) {
            return Normaliser.UNLISTED_VENUE;
        }
        for (String word : words) {
            if (word == null) {
                continue;
            }
            if (word.isBlank()) {
                return Normaliser.BLANK_FIELD;
            }
            // Control characters separate the lines of a receipt and the parts of a key.
            if (word.length() > WORD_LENGTH
                    || !FieldLimits.fits(word)
                    || word.chars().anyMatch(Character::isISOControl)) {
                return Normaliser.TEXT_OUT_OF_RANGE;
            }
        }
        return null;
    }

    private static @Nullable String rateFlaw(@Nullable BigDecimal rate) {
        return rate != null && rate.abs().compareTo(NONSENSE) > 0 ? Normaliser.RATE_OUT_OF_RANGE : null;
    }

    private static @Nullable String priceFlaw(@Nullable BigDecimal... prices) {
        for (BigDecimal price : prices) {
            if (price != null && price.signum() <= 0) {
                return Normaliser.PRICE_NOT_POSITIVE;
            }
        }
        return null;
    }

    private static @Nullable String hoursFlaw(@Nullable BigDecimal intervalH, @Nullable BigDecimal rateHours) {
        return outOfRange(intervalH, LONGEST_INTERVAL_H) || outOfRange(rateHours, LEAP_YEAR_H)
                ? Normaliser.INTERVAL_OUT_OF_RANGE
                : null;
    }

    private static boolean outOfRange(@Nullable BigDecimal hours, BigDecimal most) {
        return hours != null
                && (hours.compareTo(most) > 0 || hours.multiply(MINUTES_AN_HOUR).compareTo(BigDecimal.ONE) < 0);
    }

    /** Of all numbers that a record has. */
    private static <T> @Nullable String digitFlaw(JsonCodec<T> codec, T record) {
        for (DeclaredField<T> field : codec.fields()) {
            String flaw = field.type() == BigDecimal.class
                    ? digitFlaw((BigDecimal) field.value().apply(record))
                    : null;
            if (flaw != null) {
                return flaw;
            }
        }
        return null;
    }

    private static @Nullable String digitFlaw(@Nullable BigDecimal... numbers) {
        for (BigDecimal number : numbers) {
            if (number != null
                    && number.signum() != 0
                    && (number.scale() > Decimals.MOST_DECIMALS
                            || number.precision() - number.scale() > WHOLE_DIGITS)) {
                return Normaliser.TOO_MANY_DIGITS;
            }
        }
        return null;
    }

    private static @Nullable String timeFlaw(@Nullable Long... instants) {
        for (Long ms : instants) {
            if (ms != null && (ms < EARLIEST_MS || ms >= LATEST_MS)) {
                return Normaliser.TIME_OUT_OF_RANGE;
            }
        }
        return null;
    }
}
