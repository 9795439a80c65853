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
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** MEXC Futures: rates and prices in one list, bare numbers with exponents, cycles of up to 24 hours. */
final class MexcWire implements Wire {
    private static final String API = "api.mexc.com/api/v1/contract/";

    @Override
    public Traits traits() {
        return Traits.usual(1_131)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USDT", "USDC")
                .intervals(8, 4, 1, 24)
                .scales(1_000, 1_000_000)
                .rateDecimals(6);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + "_" + contract.quote() + (contract.state() == State.DATED ? "_261225" : "");
    }

    @Override
    public @Nullable AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClassAmong(AssetClass.COMMODITY);
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case API + "funding_rate" -> enveloped(market.listings(), (row, l) -> fundingRate(row, l, market.nowMs()));
            case API + "ticker" ->
                enveloped(market.where(SimulatedContract::isLive), (row, l) -> ticker(row, l, market.nowMs()));
            case API + "detail" -> enveloped(market.listings(), this::detail);
            case API + "funding_rate/history" -> history(request, market);
            default -> null;
        };
    }

    private void fundingRate(Json row, SimulatedContract l, long nowMs) {
        row.text("symbol", symbol(l))
                .raw("fundingRate", l.rate().toString())
                .raw("maxFundingRate", "0.0018")
                .raw("minFundingRate", "-0.0018")
                .number("collectCycle", l.intervalH())
                .number("nextSettleTime", l.state() == State.DATED ? 0 : l.nextFundingMs())
                .number("timestamp", nowMs)
                .raw("idxPrice", plain(l.indexPrice(), "0"))
                .raw("fairPrice", plain(l.markPrice(), "0"));
    }

    private void ticker(Json row, SimulatedContract l, long nowMs) {
        row.text("symbol", symbol(l))
                .raw("lastPrice", plain(l.markPrice(), "0"))
                .raw("fairPrice", plain(l.markPrice(), "0"))
                .raw("indexPrice", plain(l.indexPrice(), "0"))
                .raw("fundingRate", l.rate().toString())
                .number("timestamp", nowMs);
    }

    private void detail(Json row, SimulatedContract l) {
        row.text("symbol", symbol(l))
                .text("baseCoin", l.base())
                .text("quoteCoin", l.quote())
                .text("settleCoin", l.type() == ContractType.INVERSE ? l.asset() : l.quote())
                .raw("contractSize", "0.0001")
                .array(
                        "conceptPlate",
                        plates -> plates.item("mc-trade-zone-0fees")
                                .item(
                                        l.assetClass() == AssetClass.COMMODITY
                                                ? "mc-trade-zone-Commodities"
                                                : "mc-trade-zone-pow"))
                .number("state", state(l.state()))
                .number("futureType", l.state() == State.DATED ? 2 : 1)
                .flag("isHidden", l.state() == State.PRE_LISTING);
    }

    private String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        if (contract == null) {
            return errorBody();
        }
        long number = request.number("page_num", 1);
        long size = Math.min(1_000, request.number("page_size", 20));
        var settled = contract.settled().reversed();
        var page = settled.stream().skip((number - 1) * size).limit(size).toList();
        return Json.object(body -> body.flag("success", true)
                .number("code", 0)
                .object(
                        "data",
                        data -> data.number("pageSize", size)
                                .number("totalCount", settled.size())
                                .number("totalPage", (settled.size() + size - 1) / size)
                                .number("currentPage", number)
                                .list(
                                        "resultList",
                                        page,
                                        (row, s) -> row.text("symbol", symbol(contract))
                                                .raw("fundingRate", s.rate().toString())
                                                .number("settleTime", s.settledMs())
                                                .number("collectCycle", s.intervalH()))));
    }

    private static <T> String enveloped(List<T> rows, BiConsumer<Json, T> members) {
        return Json.object(body -> body.flag("success", true).number("code", 0).list("data", rows, members));
    }

    private static int state(State state) {
        return switch (state) {
            case LIVE, DATED, PRE_LISTING -> 0;
            case DELISTED -> 3;
            case PAUSED -> 4;
        };
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"success\":false,\"code\":1001,\"message\":\"Contract does not exist\"}",
                "{\"success\":false,\"code\":510,\"message\":\"Requests are too frequent, please try again later\"}");
    }
}
