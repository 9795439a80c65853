package io.fundingobservatory.topics.records;

import io.fundingobservatory.topics.json.JsonCodec;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A settlement that an exchange itself published, unmodified.
 *
 * @param venue the exchange's identifier
 * @param symbol the exchange's own spelling of the instrument
 * @param settledMs the instant as published, epoch ms UTC, with the exchange's jitter
 * @param rate the value as published, in {@code rateUnit}; longs paid shorts when positive
 * @param rateUnit the unit of {@code rate}
 * @param rateHours hours that {@code rate} covers; null: exactly the interval that this settlement closed
 * @param intervalH the interval that this settlement closed, in hours; null when not published
 * @param referencePrice the price that an absolute {@code rate} is divided or multiplied by; null for fractions and percent
 * @param observedAtMs when the response was read, epoch ms UTC
 */
public record SettledRate(
        String venue,
        String symbol,
        long settledMs,
        BigDecimal rate,
        RateUnit rateUnit,
        @Nullable BigDecimal rateHours,
        @Nullable BigDecimal intervalH,
        @Nullable BigDecimal referencePrice,
        long observedAtMs) {

    public static final JsonCodec<SettledRate> CODEC = JsonCodec.<SettledRate>of("settled-rate", 1)
            .text("venue", SettledRate::venue)
            .text("symbol", SettledRate::symbol)
            .integer("settled_ms", SettledRate::settledMs)
            .decimal("rate", SettledRate::rate)
            .word("rate_unit", RateUnit.class, SettledRate::rateUnit)
            .decimalOrNull("rate_hours", SettledRate::rateHours)
            .decimalOrNull("interval_h", SettledRate::intervalH)
            .decimalOrNull("reference_price", SettledRate::referencePrice)
            .integer("observed_at_ms", SettledRate::observedAtMs)
            .build(f -> new SettledRate(
                    f.text("venue"),
                    f.text("symbol"),
                    f.integer("settled_ms"),
                    f.decimal("rate"),
                    f.word("rate_unit", RateUnit.class),
                    f.decimalOrNull("rate_hours"),
                    f.decimalOrNull("interval_h"),
                    f.decimalOrNull("reference_price"),
                    f.integer("observed_at_ms")));

    public ContractKey key() {
        return new ContractKey(venue, symbol);
    }
}
