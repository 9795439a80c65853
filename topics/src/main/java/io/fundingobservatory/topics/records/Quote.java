package io.fundingobservatory.topics.records;

import static io.fundingobservatory.topics.json.Field.Range.ABOVE_ZERO;

import io.fundingobservatory.topics.json.Field;
import io.fundingobservatory.topics.json.JsonCodec;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What an exchange published about one perpetual contract, unmodified, and when it was read.
 */
public record Quote(
        @Field("Exchange identifier.") String venue,

        @Field("The exchange's own spelling of the instrument.")
        String symbol,

        @Field("The exchange's own spelling of the base coin, multiplier included.")
        String base,

        @Field("Currency that prices are quoted in.") String quote,

        @Field("How the contract is margined.") ContractType contractType,

        @Field("Class of the underlying in the venue's own data; null where the venue states none, or none of these.")
        @Nullable
        AssetClass assetClass,

        @Field("Builder market that lists the contract; null at the venue's own market.") @Nullable
        String dex,

        @Field("The rate as published, in rate_unit, over rate_hours; longs pay shorts when positive.")
        BigDecimal rate,

        @Field("Unit of rate.") RateUnit rateUnit,

        @Field(value = "Hours that rate covers; null: one settlement interval of unknown length.", range = ABOVE_ZERO)
        @Nullable
        BigDecimal rateHours,

        @Field("The most that rate can be, in rate_unit, over rate_hours; null when not published.") @Nullable
        BigDecimal rateCap,

        @Field("The least that rate can be, in rate_unit, over rate_hours; null when not published.") @Nullable
        BigDecimal rateFloor,

        @Field("What the value stands for.") RateKind rateKind,

        @Field(value = "Settlement interval, hours; null when not published.", range = ABOVE_ZERO) @Nullable
        BigDecimal intervalH,

        @Field("Where the interval was read; null exactly when interval_h is.") @Nullable
        IntervalSource intervalSource,

        @Field("Announced next settlement, epoch ms UTC; null when none is announced.") @Nullable
        Long nextFundingMs,

        @Field(value = "Quote currency per priced unit; null when not published.", range = ABOVE_ZERO) @Nullable
        BigDecimal markPrice,

        @Field(value = "Quote currency per priced unit; null when not published.", range = ABOVE_ZERO) @Nullable
        BigDecimal indexPrice,

        @Field("The exchange's own time of the value, epoch ms UTC; null when not published.") @Nullable
        Long venueTimeMs,

        @Field("When the response was read, epoch ms UTC.") long observedAtMs) {

    public static final JsonCodec<Quote> CODEC = JsonCodec.of(
            "quote", 1, Quote.class, "What an exchange published about one perpetual contract, unmodified.");

    public ContractKey key() {
        return new ContractKey(venue, symbol);
    }
}
