package io.fundingobservatory.topics.records;

import io.fundingobservatory.topics.json.JsonCodec;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One settlement of one contract. Unique by contract, listing number and instant: a later record replaces an earlier one.
 *
 * @param venue the exchange's identifier
 * @param symbol the exchange's own spelling of the instrument
 * @param listingEpoch 0 for the first listing that was seen, counted up when the ticker is relisted or reused
 * @param asset the normalised asset name
 * @param settledMs the instant of the settlement, epoch ms UTC, rounded to the nearest whole minute
 * @param settledRawMs the same instant as published
 * @param fundingRate fraction of notional at this one settlement; longs pay shorts when positive
 * @param basis the settlement basis
 * @param fundingIntervalH the interval that this settlement closed, in hours; null when unknown
 * @param observedAtMs when the value was read, epoch ms UTC
 */
public record Settlement(
        String venue,
        String symbol,
        long listingEpoch,
        String asset,
        long settledMs,
        long settledRawMs,
        BigDecimal fundingRate,
        Basis basis,
        @Nullable BigDecimal fundingIntervalH,
        long observedAtMs) {

    public static final JsonCodec<Settlement> CODEC = JsonCodec.<Settlement>of("settlement", 1)
            .text("venue", Settlement::venue)
            .text("symbol", Settlement::symbol)
            .integer("listing_epoch", Settlement::listingEpoch)
            .text("asset", Settlement::asset)
            .integer("settled_ms", Settlement::settledMs)
            .integer("settled_raw_ms", Settlement::settledRawMs)
            .decimal("funding_rate", Settlement::fundingRate)
            .word("basis", Basis.class, Settlement::basis)
            .decimalOrNull("funding_interval_h", Settlement::fundingIntervalH)
            .integer("observed_at_ms", Settlement::observedAtMs)
            .build(f -> new Settlement(
                    f.text("venue"),
                    f.text("symbol"),
                    f.integer("listing_epoch"),
                    f.text("asset"),
                    f.integer("settled_ms"),
                    f.integer("settled_raw_ms"),
                    f.decimal("funding_rate"),
                    f.word("basis", Basis.class),
                    f.decimalOrNull("funding_interval_h"),
                    f.integer("observed_at_ms")));

    public ContractKey key() {
        return new ContractKey(venue, symbol);
    }
}
