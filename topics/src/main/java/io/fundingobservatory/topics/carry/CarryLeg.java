package io.fundingobservatory.topics.carry;

import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.records.Basis;
import java.math.BigDecimal;
import java.util.function.Function;
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
 * @param percentiles of its settled rates over 30 days, whatever the common window is; null where fewer than 30 whole days are known
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
        DailySums dailySums,
        @Nullable RatePercentiles percentiles) {

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
            .decimalIfAny("rate_8h_p10", leg -> leg.percentile(RatePercentiles::p10))
            .decimalIfAny("rate_8h_p50", leg -> leg.percentile(RatePercentiles::p50))
            .decimalIfAny("rate_8h_p90", leg -> leg.percentile(RatePercentiles::p90))
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
                    DailySums.of(f.decimalsIfAny("daily_sums")),
                    percentiles(
                            f.decimalOrNull("rate_8h_p10"),
                            f.decimalOrNull("rate_8h_p50"),
                            f.decimalOrNull("rate_8h_p90"))));

    private static @Nullable RatePercentiles percentiles(
            @Nullable BigDecimal p10, @Nullable BigDecimal p50, @Nullable BigDecimal p90) {
        return p10 == null || p50 == null || p90 == null ? null : new RatePercentiles(p10, p50, p90);
    }

    /** One of the percentiles; null where none is known. */
    public @Nullable BigDecimal percentile(Function<RatePercentiles, BigDecimal> which) {
        return percentiles == null ? null : which.apply(percentiles);
    }
}
