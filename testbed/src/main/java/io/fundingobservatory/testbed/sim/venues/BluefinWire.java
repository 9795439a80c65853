package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Bluefin: every value an integer between quotes, scaled by a thousand million. */
final class BluefinWire implements Wire {
    private static final int E9 = 9;
    private static final long PAGE = 1_000;

    @Override
    public Traits traits() {
        // Nine decimals hold the model's prices of tiny coins only by the million.
        return Traits.usual(25)
                .intervals(1)
                .quotes("USDC")
                .scales(1_000_000)
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .rateDecimals(9);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + "-PERP";
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "api.sui-prod.bluefin.io/v1/exchange/tickers" -> tickers(market);
            case "api.sui-prod.bluefin.io/v1/exchange/info" -> info(market);
            case "api.sui-prod.bluefin.io/v1/exchange/fundingRateHistory" -> history(request, market);
            default -> null;
        };
    }

    private String tickers(MarketSnapshot market) {
        return Json.list(
                market.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("avgFundingRate8hrE9", "12500")
                        .text("estimatedFundingRateE9", e9(l.rate()))
                        .text("lastFundingRateE9", e9(l.lastSettledRate()))
                        .text("markPriceE9", e9(l.markPrice()))
                        .text("oraclePriceE9", e9(l.indexPrice()))
                        .number("nextFundingTimeAtMillis", l.nextFundingMs())
                        .number("updatedAtMillis", market.nowMs() - 325));
    }

    private String info(MarketSnapshot market) {
        return Json.object(body -> body.list(
                "markets",
                market.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("status", status(l.state()))
                        .text("baseAssetSymbol", l.base())));
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        if (contract == null) {
            return null;
        }
        long size = Math.min(PAGE, request.number("limit", 100));
        // start exclusive, end inclusive
        var page = contract
                .settledBetween(
                        request.number("startTimeAtMillis", 0) + 1, request.number("endTimeAtMillis", market.nowMs()))
                .reversed()
                .stream()
                .skip((request.number("page", 1) - 1) * size)
                .limit(size)
                .toList();
        return Json.list(
                page,
                (row, s) -> row.text("fundingRateE9", e9(s.rate()))
                        .number("fundingTimeAtMillis", s.settledMs() + s.settledMs() / 3_600_000 % 3_000)
                        .text("symbol", symbol(contract)));
    }

    private static String e9(@Nullable BigDecimal value) {
        return value == null
                ? "0"
                : value.movePointRight(E9).toBigIntegerExact().toString();
    }

    private static String status(State state) {
        return switch (state) {
            case LIVE, DATED -> "ACTIVE";
            case DELISTED -> "DELISTED";
            case PAUSED -> "MAINTENANCE";
            case PRE_LISTING -> "BETA";
        };
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"errorCode\":\"INVALID_PARAMS\",\"message\":\"Unknown symbol\",\"details\":null}",
                "{\"errorCode\":\"TOO_MANY_REQUESTS\",\"message\":\"Slow down\",\"details\":null}");
    }
}
