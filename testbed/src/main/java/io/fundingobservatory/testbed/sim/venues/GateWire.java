package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.Settled;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Unpublished;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gate futures: one list for each settlement coin that carries everything, times in seconds, prices per single coin. */
final class GateWire implements Wire {
    /** Whatever limit is requested, about so many settlements come back. */
    private static final long PAGE = 90;

    private static final long LIST_PAGE = 100;

    @Override
    public Traits traits() {
        return Traits.usual(720)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USDT", "USD1")
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .scales(1)
                .unpublished(Unpublished.VENUE_TIME)
                .rateDecimals(6);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.asset() + "_" + contract.quote();
    }

    @Override
    public AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClass();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "api.gateio.ws/api/v4/futures/usdt/contracts" -> contracts(request, market, market.quotedIn("USDT"));
            case "api.gateio.ws/api/v4/futures/usd1/contracts" -> contracts(request, market, market.quotedIn("USD1"));
            case "api.gateio.ws/api/v4/futures/btc/contracts" ->
                contracts(request, market, market.of(ContractType.INVERSE));
            case "api.gateio.ws/api/v4/futures/usdt/funding_rate" -> history(request, market, market.quotedIn("USDT"));
            case "api.gateio.ws/api/v4/futures/usd1/funding_rate" -> history(request, market, market.quotedIn("USD1"));
            case "api.gateio.ws/api/v4/futures/btc/funding_rate" ->
                history(request, market, market.of(ContractType.INVERSE));
            case "api.gateio.ws/api/v4/futures/usdt/funding_rates" -> bulkHistory(request, market);
            default -> null;
        };
    }

    /** All of a book, or the first 100 where a number of rows is requested. */
    private String contracts(SimulatedRequest request, MarketSnapshot market, List<SimulatedContract> book) {
        long most = request.param("limit") == null
                ? Long.MAX_VALUE
                : Math.min(LIST_PAGE, request.number("limit", LIST_PAGE));
        long nowMs = market.nowMs();
        return Json.list(
                book.stream().limit(most).toList(),
                (row, l) -> row.text("name", symbol(l))
                        .text("type", l.type() == ContractType.INVERSE ? "inverse" : "direct")
                        .text(
                                "contract_type",
                                switch (l.assetClass()) {
                                    case EQUITY -> "stocks";
                                    case COMMODITY -> "metals";
                                    default -> "";
                                })
                        .text("quanto_multiplier", l.type() == ContractType.INVERSE ? "0" : "0.0001")
                        .number("funding_interval", l.intervalH() * 3_600L)
                        .number("funding_next_apply", l.nextFundingMs() / 1_000)
                        .text("funding_rate", shown(l, nowMs))
                        .text("funding_rate_indicative", shown(l, nowMs))
                        .text("index_price", plain(l.indexPrice(), "0"))
                        .text("last_price", plain(l.markPrice(), "0"))
                        .text("mark_price", plain(l.markPrice(), "0"))
                        .flag("in_delisting", l.state() == State.DELISTED)
                        .flag("is_pre_market", l.state() == State.PRE_LISTING)
                        .text("status", status(l.state())));
    }

    /** For about a minute the rate just charged, next to the time of the following settlement. */
    private static BigDecimal shown(SimulatedContract l, long nowMs) {
        return l.hasJustSettled(nowMs, 60) ? l.lastSettledRate() : l.rate();
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market, List<SimulatedContract> book) {
        SimulatedContract contract = market.find(this, request.param("contract"));
        if (contract == null || !book.contains(contract)) {
            return null;
        }
        long to = request.number("to", market.nowMs() / 1_000) * 1_000;
        long size = Math.min(PAGE, request.number("limit", 100));
        return Json.list(contract.newestSettled(request.number("from", 0) * 1_000, to, size), GateWire::settled);
    }

    private String bulkHistory(SimulatedRequest request, MarketSnapshot market) {
        List<SimulatedContract> requested = market.where(l -> request.body().contains("\"" + symbol(l) + "\""));
        return Json.list(
                requested,
                (row, l) -> row.text("contract", symbol(l))
                        .list("data", l.newestSettled(0, market.nowMs(), PAGE), GateWire::settled));
    }

    /** Stamped a second or two after the hour. */
    private static void settled(Json row, Settled settled) {
        row.text("r", settled.rate())
                .number("t", settled.settledMs() / 1_000 + 1 + settled.settledMs() / 3_600_000 % 2);
    }

    private static String status(State state) {
        return switch (state) {
            case LIVE, DATED -> "trading";
            case DELISTED -> "delisting";
            case PAUSED -> "circuit_breaker";
            case PRE_LISTING -> "prelaunch";
        };
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"label\":\"CONTRACT_NOT_FOUND\"}",
                "{\"label\":\"TOO_MANY_REQUESTS\",\"message\":\"Request Rate limit Exceeded\"}");
    }
}
