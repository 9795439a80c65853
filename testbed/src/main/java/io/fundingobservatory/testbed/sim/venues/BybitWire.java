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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Bybit V5: categories instead of books, every value a text, intervals in hours here and in minutes there. */
final class BybitWire implements Wire {
    @Override
    public Traits traits() {
        return Traits.usual(600)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USDT", "USDC")
                .scales(1_000, 10_000, 1_000_000)
                .states(State.DATED);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        boolean dated = contract.state() == State.DATED;
        return switch (contract.quote()) {
            case "USDC" -> base(contract) + (dated ? "-25DEC26" : "PERP");
            case "USDT" -> base(contract) + (dated ? "USDT-25DEC26" : "USDT");
            default -> base(contract) + (dated ? "USDZ26" : "USD");
        };
    }

    @Override
    public @Nullable AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClassAmong(AssetClass.EQUITY, AssetClass.COMMODITY);
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        ContractType category =
                "inverse".equals(request.param("category")) ? ContractType.INVERSE : ContractType.LINEAR;
        return switch (request.address()) {
            case "api.bybit.com/v5/market/tickers" -> tickers(market, category);
            case "api.bybit.com/v5/market/instruments-info" -> instruments(request, market, category);
            case "api.bybit.com/v5/market/funding/history" -> history(request, market, category);
            default -> null;
        };
    }

    private String tickers(MarketSnapshot market, ContractType category) {
        return enveloped(
                market,
                result -> result.list("list", market.of(category), (row, l) -> {
                    boolean dated = l.state() == State.DATED;
                    row.text("symbol", symbol(l))
                            .text("lastPrice", plain(l.markPrice(), ""))
                            .text("indexPrice", plain(l.indexPrice(), ""))
                            .text("markPrice", plain(l.markPrice(), ""))
                            .text("fundingRate", dated ? "" : l.rate().toPlainString())
                            .text("nextFundingTime", dated ? 0 : l.nextFundingMs())
                            .text("deliveryTime", dated ? 1_798_185_600_000L : 0)
                            .text("fundingIntervalHour", dated ? "" : Integer.toString(l.intervalH()));
                }));
    }

    private String instruments(SimulatedRequest request, MarketSnapshot market, ContractType category) {
        List<SimulatedContract> all = market.of(category);
        int from = (int) request.number("cursor", 0);
        int to = (int) Math.min(all.size(), from + request.number("limit", 500));
        return enveloped(
                market,
                result -> result.list(
                                "list",
                                all.subList(from, to),
                                (row, l) -> row.text("symbol", symbol(l))
                                        .text("contractType", contractType(l))
                                        .text("status", "Trading")
                                        .text(
                                                "symbolType",
                                                switch (l.assetClass()) {
                                                    case EQUITY -> "stock";
                                                    case COMMODITY -> "commodity";
                                                    default -> "";
                                                })
                                        .text("baseCoin", base(l))
                                        .text("quoteCoin", l.quote())
                                        .text("settleCoin", l.type() == ContractType.INVERSE ? l.asset() : l.quote())
                                        .number("fundingInterval", l.intervalH() * 60L)
                                        .text("upperFundingRate", "0.005")
                                        .text("lowerFundingRate", "-0.005")
                                        .flag("isPreListing", false))
                        .text("nextPageCursor", to < all.size() ? Integer.toString(to) : ""));
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market, ContractType category) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        boolean halfARange = request.param("startTime") != null && request.param("endTime") == null;
        if (contract == null || contract.type() != category || halfARange) {
            return errorBody();
        }
        var page = contract.newestSettled(
                request.number("startTime", 0),
                request.number("endTime", market.nowMs()),
                Math.min(200, request.number("limit", 200)));
        return enveloped(
                market,
                result -> result.list(
                        "list",
                        page,
                        (row, settled) -> row.text("symbol", symbol(contract))
                                .text("fundingRate", settled.rate())
                                .text("fundingRateTimestamp", settled.settledMs())));
    }

    private static String enveloped(MarketSnapshot market, Consumer<Json> result) {
        return Json.object(body -> body.number("retCode", 0)
                .text("retMsg", "OK")
                .object("result", result)
                .raw("retExtInfo", "{}")
                .number("time", market.nowMs()));
    }

    private static String contractType(SimulatedContract contract) {
        return (contract.type() == ContractType.INVERSE ? "Inverse" : "Linear")
                + (contract.state() == State.DATED ? "Futures" : "Perpetual");
    }

    /** One old contract carries its multiplier behind the name. */
    private static String base(SimulatedContract contract) {
        return contract.asset().equals("SHIB") && contract.priceScale() == 1_000
                ? "SHIB" + contract.priceScale()
                : contract.base();
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"retCode\":10001,\"retMsg\":\"Illegal"
                        + " category\",\"result\":{},\"retExtInfo\":{},\"time\":1789824034328}",
                "{\"retCode\":10006,\"retMsg\":\"Too many"
                        + " visits!\",\"result\":{},\"retExtInfo\":{},\"time\":1789824034328}");
    }
}
