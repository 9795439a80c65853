package io.fundingobservatory.topics.carry;

import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.records.Basis;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One contract's funding over the common window of a pair.
 *
 * @param venue the exchange's identifier
 * @param symbol the exchange's own spelling of the instrument
 * @param listingEpoch which listing of the ticker it is
 * @param quote the currency that its prices are quoted in; null when an earlier release wrote the record
 * @param fundingSum fraction of notional: the sum of its settlements in the window; null when the window is empty
 * @param settlements how many are known in the window
 * @param expected how many there must have been: the known ones and the missing ones
 * @param estimated how many of the known ones rest on our own last reading
 * @param firstSettlementMs the first known one in the window, epoch ms UTC; null when there is none
 * @param lastSettlementMs the last known one in the window, epoch ms UTC; null when there is none
 * @param fundingIntervalH the interval of the last one, in hours; null when unknown
 * @param basis the weakest basis of any of them; null when there is none
 * @param dailySums what it charged on each day of the common window
 */
public record CarryLeg(
        String venue,
        String symbol,
        long listingEpoch,
        @Nullable String quote,
        @Nullable BigDecimal fundingSum,
        long settlements,
        long expected,
        long estimated,
        @Nullable Long firstSettlementMs,
        @Nullable Long lastSettlementMs,
        @Nullable BigDecimal fundingIntervalH,
        @Nullable Basis basis,
        DailySums dailySums) {

    public static final JsonCodec<CarryLeg> CODEC = JsonCodec.<CarryLeg>of("carry-leg", 1)
            .text("venue", CarryLeg::venue)
            .text("symbol", CarryLeg::symbol)
            .integer("listing_epoch", CarryLeg::listingEpoch)
            .textIfAny("quote", CarryLeg::quote)
            .decimalOrNull("funding_sum_30d", CarryLeg::fundingSum)
            .integer("settlements", CarryLeg::settlements)
            .integer("expected", CarryLeg::expected)
            .integer("estimated", CarryLeg::estimated)
            .integerOrNull("first_settlement_ms", CarryLeg::firstSettlementMs)
            .integerOrNull("last_settlement_ms", CarryLeg::lastSettlementMs)
            .decimalOrNull("funding_interval_h", CarryLeg::fundingIntervalH)
            .wordOrNull("basis", Basis.class, CarryLeg::basis)
            .decimalsIfAny("daily_sums", leg -> leg.dailySums().list())
            .build(f -> new CarryLeg(
                    f.text("venue"),
                    f.text("symbol"),
                    f.integer("listing_epoch"),
                    f.textOrNull("quote"),
                    f.decimalOrNull("funding_sum_30d"),
                    f.integer("settlements"),
                    f.integer("expected"),
                    f.integer("estimated"),
                    f.integerOrNull("first_settlement_ms"),
                    f.integerOrNull("last_settlement_ms"),
                    f.decimalOrNull("funding_interval_h"),
                    f.wordOrNull("basis", Basis.class),
                    DailySums.of(f.decimalsIfAny("daily_sums"))));
}
