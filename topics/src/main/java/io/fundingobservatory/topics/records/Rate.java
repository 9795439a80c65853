package io.fundingobservatory.topics.records;

import static io.fundingobservatory.topics.json.Field.Range.ABOVE_ZERO;

import io.fundingobservatory.topics.json.Field;
import io.fundingobservatory.topics.json.JsonCodec;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One normalised funding rate with its prices: the row of {@code /api/v1/latest}, and the value of {@code rates.normalised}
 * and {@code rates.latest}. Rates are fractions of notional; longs pay shorts when positive. Decimals are exact and carry no
 * trailing zeros.
 */
public record Rate(
        @Field("Exchange identifier.") String venue,

        @Field("The exchange's own spelling of the instrument.")
        String symbol,

        @Field("Normalised asset name; the field to join on.")
        String asset,

        @Field("Currency that prices are quoted in.") String quote,

        @Field("How the contract is margined.") ContractType contractType,

        @Field(
                value =
                        "Class of the underlying in the venue's own data, or as asset_class_by_asset says; null where it is not known, or none of these.",
                whenNull = "asset_class_not_published")
        @Nullable
        AssetClass assetClass,

        @Field("Builder market that lists the contract; null at the venue's own market.") @Nullable
        String dex,

        @Field(
                value =
                        "Fraction of notional per 8 hours, already converted: never convert it again; null when unknown.",
                unit = "fraction of notional per 8 hours; longs pay shorts when positive",
                whenNull = "funding_rate_8h_not_known")
        @Nullable
        BigDecimal fundingRate8h,

        @Field(
                value = "The exchange's own settlement interval, hours; null when unknown.",
                unit = "hours between two settlements",
                range = ABOVE_ZERO,
                whenNull = "funding_interval_not_published")
        @Nullable
        BigDecimal fundingIntervalH,

        @Field("Where the interval was read; null exactly when it is unknown.") @Nullable
        IntervalSource fundingIntervalSource,

        @Field(
                value = "Fraction of notional per the exchange's own interval; null when unknown.",
                unit = "fraction of notional per funding_interval_h; longs pay shorts when positive",
                whenNull = "funding_rate_not_known")
        @Nullable
        BigDecimal fundingRate,

        @Field("What the exchange's value stands for.") RateKind rateKind,

        @Field(
                value =
                        "funding_rate_8h x 3 x 365, simple, hypothetical, fraction of notional per year; null when unknown.",
                unit = "fraction of notional per 365 days, simple, hypothetical",
                whenNull = "funding_rate_annualised_not_known")
        @Nullable
        BigDecimal fundingRateAnnualised,

        @Field(
                value = "The most that funding_rate_8h can be, by the exchange's own rule; null when not published.",
                unit = "fraction of notional per 8 hours; longs pay shorts when positive",
                whenNull = "funding_cap_not_published")
        @Nullable
        BigDecimal fundingCap8h,

        @Field(
                value = "The least that funding_rate_8h can be, by the exchange's own rule; null when not published.",
                unit = "fraction of notional per 8 hours; longs pay shorts when positive",
                whenNull = "funding_floor_not_published")
        @Nullable
        BigDecimal fundingFloor8h,

        @Field(
                value = "Announced next settlement, epoch ms UTC; null when none is announced.",
                unit = Field.EPOCH_MS,
                whenNull = "next_funding_not_published")
        @Nullable
        Long nextFundingMs,

        @Field(
                value = "Quote currency per priced unit of price_scale coins; null when not published.",
                unit = "units of quote per price_scale coins of asset",
                range = ABOVE_ZERO,
                whenNull = "mark_price_not_published")
        @Nullable
        BigDecimal markPrice,

        @Field(
                value = "Quote currency per priced unit of price_scale coins; null when not published.",
                unit = "units of quote per price_scale coins of asset",
                range = ABOVE_ZERO,
                whenNull = "index_price_not_published")
        @Nullable
        BigDecimal indexPrice,

        @Field(
                value = "Coins that one priced unit stands for.",
                unit = "coins of asset that one priced unit stands for",
                range = ABOVE_ZERO)
        BigDecimal priceScale,

        @Field(
                value = "The exchange's own time of the value, epoch ms UTC; null when not published.",
                unit = Field.EPOCH_MS,
                whenNull = "venue_time_not_published")
        @Nullable
        Long venueTimeMs,

        @Field(value = "When the response was read, epoch ms UTC.", unit = Field.EPOCH_MS)
        long observedAtMs,

        @Field("Present once the row is older than 180 s.") boolean stale,

        @Field(
                "Present in responses where the venue states no class, and others state this one for the same asset at the same price. Never on topics.")
        boolean assetClassByAsset) {

    /** A row older than this is marked stale. */
    public static final long STALE_AFTER_MS = 180_000;

    /** A row older than this is removed and counted as missing. */
    public static final long REMOVED_AFTER_MS = 600_000;

    public static final JsonCodec<Rate> CODEC = JsonCodec.of(
            "rate",
            1,
            Rate.class,
            "One normalised funding rate with its prices: a row of /api/v1/latest. Rates are fractions of notional; longs pay shorts when positive.");

    public ContractKey key() {
        return new ContractKey(venue, symbol);
    }

    /** The same row with its staleness as of an instant. */
    public Rate asOf(long nowMs) {
        boolean old = nowMs - observedAtMs > STALE_AFTER_MS;
        return old == stale ? this : with(observedAtMs, old);
    }

    /** The same row, read at another time: where the reader's own clock is known to be wrong. */
    public Rate readAt(long epochMs) {
        return with(epochMs, stale);
    }

    private Rate with(long readAtMs, boolean old) {
        return CODEC.with(this, "observed_at_ms", readAtMs, "stale", old);
    }

    /** Whether the row is too old to be shown at all. */
    public boolean goneAt(long nowMs) {
        return nowMs - observedAtMs > REMOVED_AFTER_MS;
    }
}
