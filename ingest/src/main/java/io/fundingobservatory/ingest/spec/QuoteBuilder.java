package io.fundingobservatory.ingest.spec;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A partial raw quote. The reader sets the values of the row; {@link Rows} adds venue, symbol and the time of
 * reading.
 */
public final class QuoteBuilder {
    private static final BigDecimal MINUTES = BigDecimal.valueOf(60);
    private static final BigDecimal SECONDS = BigDecimal.valueOf(3_600);
    private static final BigDecimal MILLIS = BigDecimal.valueOf(3_600_000);

    private final String base;
    private final String quote;
    private final ContractType contractType;
    private @Nullable AssetClass assetClass;
    private @Nullable String dex;
    private @Nullable BigDecimal rate;
    private RateUnit rateUnit = RateUnit.FRACTION;
    private @Nullable BigDecimal rateHours;
    private @Nullable BigDecimal rateCap;
    private @Nullable BigDecimal rateFloor;
    private @Nullable RateKind rateKind;
    private @Nullable BigDecimal intervalH;
    private @Nullable IntervalSource intervalSource;
    private @Nullable Long nextFundingMs;
    private @Nullable BigDecimal markPrice;
    private @Nullable BigDecimal indexPrice;
    private @Nullable Long venueTimeMs;
    private @Nullable Long observedAtMs;

    private QuoteBuilder(String base, String quote, ContractType contractType) {
        this.base = base;
        this.quote = quote;
        this.contractType = contractType;
    }

    /** The base is the exchange's own spelling, with the multiplier that prices are per ({@code 1000PEPE}). */
    public static QuoteBuilder of(ContractType type, String base, String quote) {
        return new QuoteBuilder(base, quote, type);
    }

    public static QuoteBuilder linear(String base, String quote) {
        return of(ContractType.LINEAR, base, quote);
    }

    public static QuoteBuilder inverse(String base, String quote) {
        return of(ContractType.INVERSE, base, quote);
    }

    /** The class that the venue's word names, null where it states none; a word without a class leaves it unknown. */
    public QuoteBuilder assetClass(@Nullable String word, Map<String, AssetClass> classes) {
        return assetClass(word == null ? null : classes.get(word));
    }

    /** The same, of the first of several words that names a class. */
    public QuoteBuilder assetClass(List<JsonValue> words, Map<String, AssetClass> classes) {
        return assetClass(
                words.stream()
                        .map(JsonValue::asText)
                        .filter(word -> word != null && classes.containsKey(word))
                        .findFirst()
                        .orElse(null),
                classes);
    }

    /** The class of the underlying that the venue states; null where it states none. */
    public QuoteBuilder assetClass(@Nullable AssetClass stated) {
        this.assetClass = stated;
        return this;
    }

    /** The builder market that lists the contract; null at the venue's own market. */
    public QuoteBuilder dex(@Nullable String name) {
        this.dex = name;
        return this;
    }

    /** The rate as a fraction of notional per the contract's own settlement interval. */
    public QuoteBuilder rate(BigDecimal fraction) {
        this.rate = fraction;
        return this;
    }

    /** The rate in another unit, per the contract's own settlement interval. */
    public QuoteBuilder rate(BigDecimal published, RateUnit unit) {
        this.rateUnit = unit;
        return rate(published);
    }

    /** The hours that the published value covers, where that is not the settlement interval: 8 for "per 8 h", 8760 for "a year". */
    public QuoteBuilder coversHours(int hours) {
        this.rateHours = BigDecimal.valueOf(hours);
        return this;
    }

    /**
     * The least and the most that the rate can be, in its unit and over its hours; null where the venue does not publish them. A floor that
     * is not below the cap, such as two zeros, states no bounds.
     */
    public QuoteBuilder between(@Nullable BigDecimal floor, @Nullable BigDecimal cap) {
        boolean bounds = floor == null || cap == null || floor.compareTo(cap) < 0;
        this.rateFloor = bounds ? floor : null;
        this.rateCap = bounds ? cap : null;
        return this;
    }

    /** The kind of this row's rate, where it differs from the header's. */
    public QuoteBuilder kind(RateKind kind) {
        this.rateKind = kind;
        return this;
    }

    /** The funding interval in hours; null when the exchange does not publish it. */
    public QuoteBuilder intervalHours(@Nullable BigDecimal hours, IntervalSource source) {
        this.intervalH = hours;
        this.intervalSource = hours == null ? null : source;
        return this;
    }

    public QuoteBuilder intervalHours(int hours, IntervalSource source) {
        return intervalHours(BigDecimal.valueOf(hours), source);
    }

    public QuoteBuilder intervalMinutes(@Nullable BigDecimal minutes, IntervalSource source) {
        return intervalHours(inHours(minutes, MINUTES), source);
    }

    public QuoteBuilder intervalSeconds(@Nullable BigDecimal seconds, IntervalSource source) {
        return intervalHours(inHours(seconds, SECONDS), source);
    }

    public QuoteBuilder intervalMillis(@Nullable BigDecimal millis, IntervalSource source) {
        return intervalHours(inHours(millis, MILLIS), source);
    }

    /** The gap between two instants, each to the nearest minute; unknown unless both are known and in order. */
    public QuoteBuilder intervalBetween(@Nullable Long fromMs, @Nullable Long toMs) {
        long gap = fromMs == null || toMs == null ? 0 : Instants.nearestMinute(toMs) - Instants.nearestMinute(fromMs);
        return intervalMillis(gap > 0 ? BigDecimal.valueOf(gap) : null, IntervalSource.ANNOUNCED_SETTLEMENTS);
    }

    /** The announced next settlement, epoch ms; null when none is announced. */
    public QuoteBuilder next(@Nullable Long epochMs) {
        this.nextFundingMs = epochMs;
        return this;
    }

    public QuoteBuilder mark(@Nullable BigDecimal price) {
        this.markPrice = price;
        return this;
    }

    public QuoteBuilder index(@Nullable BigDecimal price) {
        this.indexPrice = price;
        return this;
    }

    /** The exchange's own time of the value, epoch ms; null when not published. */
    public QuoteBuilder venueTime(@Nullable Long epochMs) {
        this.venueTimeMs = epochMs;
        return this;
    }

    /** Sets when this row's own response was read, for venues with a request for each symbol. */
    public QuoteBuilder observedAt(long epochMs) {
        this.observedAtMs = epochMs;
        return this;
    }

    Quote asQuote(String venue, String symbol, RateKind usualKind, long pollReadAtMs) {
        if (rate == null) {
            throw Skip.because(Skip.NO_FUNDING_RATE);
        }
        if (intervalH != null && intervalH.signum() <= 0) {
            throw Skip.unreadable("interval");
        }
        return new Quote(
                venue,
                symbol,
                base,
                quote,
                contractType,
                assetClass,
                dex,
                rate,
                rateUnit,
                rateHours == null ? intervalH : rateHours,
                rateCap,
                rateFloor,
                rateKind == null ? usualKind : rateKind,
                intervalH,
                intervalSource,
                nextFundingMs,
                markPrice,
                indexPrice,
                venueTimeMs,
                observedAtMs == null ? pollReadAtMs : observedAtMs);
    }

    /** Less than one of a unit is not a valid interval, and in hours it could have more digits than a record may. */
    private static @Nullable BigDecimal inHours(@Nullable BigDecimal count, BigDecimal perHour) {
        return count == null || count.compareTo(BigDecimal.ONE) < 0
                ? null
                : count.divide(perHour, MathContext.DECIMAL64);
    }
}
