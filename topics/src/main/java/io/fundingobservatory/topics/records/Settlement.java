package io.fundingobservatory.topics.records;

import static io.fundingobservatory.topics.json.Field.Range.ABOVE_ZERO;
import static io.fundingobservatory.topics.json.Field.Range.FROM_ZERO;

import io.fundingobservatory.topics.json.Field;
import io.fundingobservatory.topics.json.JsonCodec;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One settlement of one contract. Unique by contract, listing number and instant: a later record replaces an earlier one.
 */
public record Settlement(
        @Field("Exchange identifier.") String venue,

        @Field("The exchange's own spelling of the instrument.")
        String symbol,

        @Field(value = "Counts relistings of the ticker.", range = FROM_ZERO)
        long listingEpoch,

        @Field("Normalised asset name.") String asset,

        @Field("Instant of the charge, epoch ms UTC, rounded to the minute.")
        long settledMs,

        @Field("The same instant as published, epoch ms UTC.")
        long settledRawMs,

        @Field("Fraction of notional charged at this one settlement; longs pay shorts when positive.")
        BigDecimal fundingRate,

        @Field("How the settlement is known.") Basis basis,

        @Field(value = "The interval that this settlement closed, hours; null when unknown.", range = ABOVE_ZERO)
        @Nullable
        BigDecimal fundingIntervalH,

        @Field("When the value was read, epoch ms UTC.") long observedAtMs) {

    public static final JsonCodec<Settlement> CODEC = JsonCodec.of(
            "settlement",
            1,
            Settlement.class,
            "One funding payment of one contract; a later record with the same venue, symbol, listing_epoch and settled_ms replaces it. Two that are closer than half of their funding_interval_h are one payment, by the better basis.");

    public ContractKey key() {
        return new ContractKey(venue, symbol);
    }
}
