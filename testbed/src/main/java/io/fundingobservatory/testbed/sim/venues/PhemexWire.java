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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Phemex: prices in a ticker, intervals (seconds) and next settlements in a list of their own, delisted contracts
 * in both lists. A ticker's time is the last change of any of its members, up to 58 s ago.
 */
final class PhemexWire implements Wire {
    private static final long MOST_ROWS = 200;
    private static final int QUIET_S = 58;

    @Override
    public Traits traits() {
        return Traits.usual(134).quotes("USDT", "USDC").states(State.DELISTED).unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return (contract.priceScale() == 1 ? "" : "u") + contract.base() + contract.quote();
    }

    @Override
    public @Nullable AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClassAmong(AssetClass.EQUITY, AssetClass.COMMODITY);
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "api.phemex.com/md/v3/ticker/24hr/all" -> ticker(market);
            case "api.phemex.com/contract-biz/public/real-funding-rates" -> rates(request, market);
            case "api.phemex.com/public/products" -> products(market);
            case "api.phemex.com/api-data/public/data/funding-rate-history" -> history(request, market);
            default -> null;
        };
    }

    private String ticker(MarketSnapshot market) {
        return Json.object(body -> body.nothing("error")
                .number("id", 0)
                .list(
                        "result",
                        market.listings(),
                        (row, l) -> row.text("symbol", symbol(l))
                                .text("fundingRateRr", l.rate())
                                .text("predFundingRateRr", l.rate())
                                .text("markRp", plain(l.markPrice(), "0"))
                                .text("indexRp", plain(l.indexPrice(), "0"))
                                .number(
                                        "timestamp",
                                        (market.nowMs() - l.oneOf(QUIET_S) * 1_000L) * 1_000_000 - 314_159)));
    }

    private String rates(SimulatedRequest request, MarketSnapshot market) {
        List<SimulatedContract> live = market.in(State.LIVE);
        long size = Math.min(MOST_ROWS, request.number("pageSize", 20));
        List<SimulatedContract> page = live.stream()
                .skip((request.number("pageNum", 1) - 1) * size)
                .limit(size)
                .toList();
        return Json.object(body -> body.number("code", 0)
                .text("msg", "OK")
                .object(
                        "data",
                        data -> data.number("total", live.size())
                                .list(
                                        "rows",
                                        page,
                                        (row, l) -> row.text("symbol", symbol(l))
                                                .number("fundingInterval", l.intervalH() * 3_600L)
                                                .number(
                                                        "toNextfundingInterval",
                                                        (l.nextFundingMs() - market.nowMs()) / 1_000)
                                                .number("nextfundingTime", l.nextFundingMs())
                                                .text("fundingRate", l.rate()))));
    }

    private String products(MarketSnapshot market) {
        return Json.object(body -> body.number("code", 0)
                .text("msg", "OK")
                .object(
                        "data",
                        data -> data.array(
                                        "products",
                                        spot -> spot.item(row ->
                                                row.text("symbol", "sBTCUSDT").text("type", "Spot")))
                                .list(
                                        "perpProductsV2",
                                        market.listings(),
                                        (row, l) -> row.text("symbol", symbol(l))
                                                .text("type", "PerpetualV2")
                                                .text("fundingRate8hSymbol", index(l))
                                                .text(
                                                        "perpProductSubType",
                                                        l.assetClass() == AssetClass.CRYPTO ? "Normal" : "TradFi")
                                                .text(
                                                        "perpProductSubGroup",
                                                        switch (l.assetClass()) {
                                                            case EQUITY -> "Stocks";
                                                            case COMMODITY -> "Metals";
                                                            default -> "";
                                                        })
                                                .text("settleCurrency", l.quote())
                                                .text("quoteCurrency", l.quote())
                                                .text(
                                                        "baseCurrency",
                                                        (l.priceScale() == 1 ? "" : l.priceScale() + " ") + l.asset())
                                                .text("status", l.isLive() ? "Listed" : "Delisted")
                                                .number("fundingInterval", l.intervalH() * 3_600L))));
    }

    private String index(SimulatedContract l) {
        return "." + symbol(l) + "FR8H";
    }

    private String history(SimulatedRequest request, MarketSnapshot market) {
        String name = request.param("symbol");
        List<Settled> page = market.where(l -> index(l).equals(name)).stream()
                .flatMap(l ->
                        l.settledBetween(request.number("start", 0), request.number("end", market.nowMs())).stream())
                .limit(Math.min(100, request.number("limit", 100)))
                .toList();
        return Json.object(body -> body.number("code", 0)
                .text("msg", "OK")
                .object(
                        "data",
                        data -> data.list(
                                "rows",
                                page,
                                (row, s) -> row.text("symbol", name)
                                        .text("fundingRate", s.rate())
                                        .number("fundingTime", s.settledMs())
                                        .number("intervalSeconds", s.intervalH() * 3_600L))));
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"error\":{\"code\":6001,\"message\":\"invalid argument\"},\"id\":null,\"result\":null}", "");
    }
}
