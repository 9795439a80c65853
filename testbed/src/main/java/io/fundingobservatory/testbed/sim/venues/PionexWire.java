package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Pionex: no interval anywhere but in the gaps of the settled past. */
final class PionexWire implements Wire {
    private static final String V1 = "api.pionex.com/api/v1/";

    @Override
    public Traits traits() {
        return Traits.usual(605).scales(1).states(State.DELISTED, State.PAUSED);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.asset() + "_" + contract.quote() + "_PERP";
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case V1 + "market/indexes" ->
                data(market, data -> data.list("indexes", market.listings(), (row, l) -> index(row, l, market)));
            case V1 + "common/symbols" ->
                data(
                        market,
                        data -> data.list(
                                "symbols",
                                market.where(l -> l.state() != State.DELISTED),
                                (row, l) -> row.text("symbol", symbol(l))
                                        .text("type", "PERP")
                                        .text("baseCurrency", "X" + l.asset())
                                        .text("quoteCurrency", l.quote())
                                        .text("status", l.isLive() ? "TRADING" : "OFFLINE")));
            case V1 + "market/fundingRates" -> {
                SimulatedContract contract = market.find(this, request.param("symbol"));
                yield contract == null ? errorBody() : history(request, market, contract);
            }
            default -> null;
        };
    }

    private static String data(MarketSnapshot market, Consumer<Json> data) {
        return Json.object(
                body -> body.object("data", data).flag("result", true).number("timestamp", market.nowMs()));
    }

    private void index(Json row, SimulatedContract l, MarketSnapshot market) {
        row.text("symbol", symbol(l))
                .text("indexPrice", plain(l.indexPrice(), ""))
                .text("markPrice", plain(l.markPrice(), ""))
                .text("nextFundingRate", l.rate())
                .number("nextFundingTime", l.nextFundingMs())
                .number("updateTime", market.nowMs() - 100);
    }

    private String history(SimulatedRequest request, MarketSnapshot market, SimulatedContract contract) {
        long most = request.number("limit", 1);
        if (most > 100) {
            return "{\"result\":false,\"code\":\"MARKET_PARAMETER_ERROR\",\"message\":\"limit error\"}";
        }
        return data(
                market,
                data -> data.text("symbol", symbol(contract))
                        .list(
                                "rates",
                                contract.newestSettled(0, request.number("endTime", market.nowMs()), most),
                                (row, s) -> row.text("fundingRate", s.rate()).number("fundingTime", s.settledMs())));
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"result\":false,\"code\":\"MARKET_INVALID_SYMBOL\",\"message\":\"symbol error\",\"timestamp\":1790133551}",
                "{\"result\":false,\"code\":\"TOO_MANY_REQUESTS\",\"message\":\"too many requests\"}");
    }
}
