package io.fundingobservatory.topics.records;

import static io.fundingobservatory.topics.json.Field.Range.ABOVE_ZERO;

import io.fundingobservatory.topics.json.Field;
import io.fundingobservatory.topics.json.JsonCodec;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A settlement that an exchange itself published, unmodified.
 */
public record SettledRate(
        @Field("Exchange identifier.") String venue,

        @Field("The exchange's own spelling of the instrument.")
        String symbol,

        @Field("The instant as published, epoch ms UTC.") long settledMs,

        @Field("The value as published, in rate_unit; longs paid shorts when positive.")
        BigDecimal rate,

        @Field("Unit of rate.") RateUnit rateUnit,

        @Field(value = "Hours that rate covers; null: the interval that this settlement closed.", range = ABOVE_ZERO)
        @Nullable
        BigDecimal rateHours,

        @Field(value = "The interval that this settlement closed, hours; null when not published.", range = ABOVE_ZERO)
        @Nullable
        BigDecimal intervalH,

        @Field(
                value = "Price that an absolute rate is divided or multiplied by; null for fractions and percent.",
                range = ABOVE_ZERO)
        @Nullable
        BigDecimal referencePrice,

        @Field("When the response was read, epoch ms UTC.") long observedAtMs) {

    public static final JsonCodec<SettledRate> CODEC = JsonCodec.of(
            "settled-rate", 1, SettledRate.class, "A settlement that an exchange itself published, unmodified.");

    public ContractKey key() {
        return new ContractKey(venue, symbol);
    }
}
