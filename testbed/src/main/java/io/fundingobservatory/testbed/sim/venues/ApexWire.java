package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Unpublished;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.records.AssetClass;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** ApeX Omni: contract by contract, hourly; three kinds of contracts in one list, two spellings of each. */
final class ApexWire implements Wire {
    private static final long PAGE = 100;

    private static final String V3 = "omni.apex.exchange/api/v3/";
    private static final List<String> STOCKS = List.of("NVDA", "TSLA", "MSTR");

    @Override
    public Traits traits() {
        return Traits.usual(185)
                .dead(120)
                .intervals(1)
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + contract.quote();
    }

    @Override
    public @Nullable AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClassAmong(AssetClass.EQUITY, AssetClass.COMMODITY);
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case V3 + "symbols" -> symbols(market);
            case V3 + "ticker" ->
                Json.object(body -> body.list(
                        "data",
                        market.findAll(this, request.param("symbol")),
                        (row, l) -> ticker(row, l, market.nowMs())));
            case V3 + "history-funding" -> history(request, market);
            default -> null;
        };
    }

    private String symbols(MarketSnapshot market) {
        return Json.object(body -> body.object(
                "data",
                data -> data.object(
                        "contractConfig",
                        config -> config.list(
                                        "perpetualContract",
                                        market.where(l -> !STOCKS.contains(l.asset())),
                                        (row, l) -> contract(row, l, "UNKNOWN_CONTRACT_TYPE"))
                                .list(
                                        "stockContract",
                                        market.where(l -> STOCKS.contains(l.asset())),
                                        (row, l) -> contract(row, l, "STOCK_CONTRACT"))
                                .list(
                                        "predictionContract",
                                        List.of("Some_Election"),
                                        (row, name) -> row.text("symbol", name + "-USDT")
                                                .text("crossSymbolName", name + "USDT")
                                                .text("contractType", "PREDICTION_CONTRACT")
                                                .flag("enableTrade", true)))));
    }

    private void contract(Json row, SimulatedContract l, String type) {
        boolean gone = l.state() == State.DELISTED;
        row.text("symbol", l.base() + "-" + l.quote())
                .text("crossSymbolName", symbol(l))
                .text("baseTokenId", l.base())
                .text("settleAssetId", l.quote())
                .text(
                        "category",
                        switch (l.assetClass()) {
                            case EQUITY -> "STOCK";
                            case COMMODITY -> "COMMODITY";
                            default -> "L1";
                        })
                .flag("enableTrade", !gone)
                .flag("enableDisplay", !gone)
                .flag("enableOpenPosition", !gone && l.state() != State.PAUSED)
                .flag("isPrelaunch", l.state() == State.PRE_LISTING)
                .text("contractType", type);
    }

    /** For 5 seconds after the hour still the row that has settled. */
    private void ticker(Json row, SimulatedContract l, long nowMs) {
        boolean settled = l.hasJustSettled(nowMs, 5);
        row.text("symbol", symbol(l))
                .text("fundingRate", settled ? l.lastSettledRate() : l.rate())
                .text("predictedFundingRate", "0.0000125")
                .text(
                        "nextFundingTime",
                        Instant.ofEpochMilli(settled ? l.lastFundingMs() : l.nextFundingMs())
                                .toString())
                .text("markPrice", plain(l.markPrice(), ""))
                .text("indexPrice", plain(l.indexPrice(), ""))
                .text("oraclePrice", "");
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        String dashed = request.param("symbol");
        SimulatedContract contract = dashed == null ? null : market.find(this, dashed.replace("-", ""));
        if (contract == null || dashed == null || !dashed.contains("-")) {
            return null;
        }
        // 101 are refused, with HTTP 200
        if (request.number("limit", PAGE) > PAGE) {
            return errorBody();
        }
        var settled = contract.newestSettled(
                request.number("beginTimeInclusive", 0),
                request.number("endTimeExclusive", market.nowMs()) - 1,
                request.number("limit", PAGE));
        return Json.object(body -> body.object(
                "data",
                data -> data.list(
                        "historyFunds",
                        settled,
                        (row, s) -> row.text("symbol", dashed)
                                .text("rate", s.rate())
                                .text("price", "1")
                                .number("fundingTime", s.settledMs())
                                .number("fundingTimestamp", s.settledMs()))));
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"code\":3,\"msg\":\"invalid parameter\",\"timeCost\":1}",
                "{\"code\":429,\"msg\":\"too many requests\",\"timeCost\":1}");
    }
}
