package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Unpublished;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * KuCoin Futures: one list with everything, intervals in milliseconds, a countdown next to the instant, bare
 * numbers.
 */
final class KucoinWire implements Wire {
    private static final long PAGE = 100;
    private static final long HOUR_MS = 3_600_000;
    /** 12 to 14 of 674 rows lack the interval in force. */
    private static final int NOT_PUBLISHED_OF = 50;

    @Override
    public Traits traits() {
        return Traits.usual(674)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USDT", "USDC")
                .scales(1_000, 10_000, 1_000_000)
                .unpublished(Unpublished.VENUE_TIME)
                .rateDecimals(6);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return base(contract) + contract.quote() + "M" + (contract.state() == State.DATED ? "Z26" : "");
    }

    private static String base(SimulatedContract contract) {
        return contract.asset().equals("BTC") ? "XBT" : contract.base();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "api-futures.kucoin.com/api/v1/contracts/active" ->
                enveloped(market.listings(), (row, l) -> contract(row, l, market.nowMs()));
            case "api-futures.kucoin.com/api/v1/contract/funding-rates" -> history(request, market);
            default -> null;
        };
    }

    private void contract(Json row, SimulatedContract l, long nowMs) {
        boolean inverse = l.type() == ContractType.INVERSE;
        boolean dated = l.state() == State.DATED;
        row.text("symbol", symbol(l))
                .text("type", dated ? "FFICSX" : "FFWCSX")
                .text("baseCurrency", base(l))
                .text("quoteCurrency", l.quote())
                .text("settleCurrency", inverse ? base(l) : l.quote())
                .raw("multiplier", inverse ? "-1.0" : "0.001")
                // true on plain USDT contracts
                .flag("isQuanto", !inverse)
                .flag("isInverse", inverse)
                .text("status", status(l.state()))
                .raw("fundingFeeRate", dated ? "null" : shown(l, nowMs).toString())
                .nothing("predictedFundingFeeRate")
                .raw("fundingRateCap", "0.003")
                .raw("fundingRateFloor", "-0.003")
                .raw("lastTimeFundingRate", dated ? "null" : l.lastSettledRate().toString())
                // the configured interval, also one that is only announced; the next field has the one in force, or
                // null
                // on some rows
                .raw("fundingRateGranularity", dated ? "null" : Long.toString(configuredH(l) * HOUR_MS))
                .raw("currentFundingRateGranularity", inForce(l))
                .raw(
                        "effectiveFundingRateCycleStartTime",
                        l.announced() == null
                                ? "null"
                                : Long.toString(l.announced().fromMs()))
                .number("markPrice", l.markPrice())
                .number("indexPrice", l.indexPrice())
                .raw("nextFundingRateTime", dated ? "null" : Long.toString(l.nextFundingMs() - nowMs))
                .raw("nextFundingRateDateTime", dated ? "null" : Long.toString(l.nextFundingMs()));
    }

    /** For some seconds the estimate of the settlement that has passed, then for about a minute the rate that it charged. */
    private static BigDecimal shown(SimulatedContract l, long nowMs) {
        if (l.hasJustSettled(nowMs, 15)) {
            return l.lastSettledRate().add(new BigDecimal("0.000001"));
        }
        return l.hasJustSettled(nowMs, 75) ? l.lastSettledRate() : l.rate();
    }

    private static int configuredH(SimulatedContract l) {
        return l.announced() == null ? l.intervalH() : l.announced().intervalH();
    }

    private static String inForce(SimulatedContract l) {
        boolean absent = l.state() == State.DATED || (l.announced() == null && l.oneOf(NOT_PUBLISHED_OF) == 0);
        return absent ? "null" : Long.toString(l.intervalH() * HOUR_MS);
    }

    private String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        if (contract == null) {
            return errorBody();
        }
        var page = contract.newestSettled(request.number("from", 0), request.number("to", 0), PAGE);
        return enveloped(
                page,
                (row, settled) -> row.text("symbol", symbol(contract))
                        .raw("fundingRate", settled.rate().toString())
                        .number("timepoint", settled.settledMs()));
    }

    private static <T> String enveloped(List<T> rows, BiConsumer<Json, T> members) {
        return Json.object(body -> body.text("code", "200000").list("data", rows, members));
    }

    private static String status(State state) {
        return switch (state) {
            case LIVE, DATED -> "Open";
            case DELISTED -> "BeingSettled";
            case PAUSED -> "Paused";
            case PRE_LISTING -> "Init";
        };
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"code\":\"404000\",\"msg\":\"Url Not Found\"}",
                "{\"code\":\"200002\",\"msg\":\"Too many requests in a short period of time, please retry later\"}");
    }
}
