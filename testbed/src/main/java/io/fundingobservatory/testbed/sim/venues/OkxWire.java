package io.fundingobservatory.testbed.sim.venues;

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
import java.math.BigDecimal;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** OKX V5: rates, marks, indices and instruments in four lists; no interval, only the two settlements to come. */
final class OkxWire implements Wire {
    @Override
    public Traits traits() {
        return Traits.usual(470)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .intervals(8, 4, 2, 1)
                .states(State.PAUSED, State.PRE_LISTING, State.DATED, State.DELISTED)
                .scales(1)
                .rateDecimals(16);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return underlying(contract) + (isXPerp(contract) ? "_UM_XPERP-310404" : "-SWAP");
    }

    @Override
    public AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClass();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "www.okx.com/api/v5/public/funding-rate" -> fundingRate(market);
            case "www.okx.com/api/v5/public/mark-price" -> markPrice(market);
            case "www.okx.com/api/v5/market/index-tickers" -> indexTickers(market, request.param("quoteCcy"));
            case "www.okx.com/api/v5/public/instruments" -> instruments(market);
            case "www.okx.com/api/v5/public/funding-rate-history" -> history(request, market);
            default -> null;
        };
    }

    private String fundingRate(MarketSnapshot market) {
        return enveloped(
                market.listings(),
                (row, l) -> row.text("instId", symbol(l))
                        .text("instType", isXPerp(l) ? "FUTURES" : "SWAP")
                        .text("fundingRate", l.rate().setScale(16))
                        .text("minFundingRate", "-0.015")
                        .text("maxFundingRate", "0.015")
                        .text("fundingTime", l.nextFundingMs())
                        .text("method", "current_period")
                        .text("nextFundingRate", "")
                        .text("nextFundingTime", l.nextFundingMs() + l.intervalH() * 3_600_000L)
                        .text("prevFundingTime", l.lastFundingMs())
                        .text("settFundingRate", l.lastSettledRate().setScale(16))
                        .text("settState", "settled")
                        .text("ts", market.nowMs()));
    }

    private String markPrice(MarketSnapshot market) {
        return enveloped(
                swaps(market, l -> l.markPrice() != null),
                (row, l) -> row.text("instId", symbol(l))
                        .text("instType", "SWAP")
                        .text("markPx", l.markPrice())
                        .text("ts", market.nowMs()));
    }

    private String indexTickers(MarketSnapshot market, @Nullable String quote) {
        return enveloped(
                swaps(market, l -> l.indexPrice() != null && l.quote().equals(quote)),
                (row, l) -> row.text("instId", underlying(l))
                        .text("idxPx", l.indexPrice())
                        .text("ts", market.nowMs()));
    }

    private String instruments(MarketSnapshot market) {
        return enveloped(
                swaps(market, l -> true),
                (row, l) -> row.text("instId", symbol(l))
                        .text(
                                "instCategory",
                                switch (l.assetClass()) {
                                    case EQUITY -> "3";
                                    case COMMODITY -> "4";
                                    default -> "1";
                                })
                        .text("instType", "SWAP")
                        .text("uly", underlying(l))
                        .text("baseCcy", "")
                        .text("quoteCcy", "")
                        .text("ctType", l.type() == ContractType.INVERSE ? "inverse" : "linear")
                        .text("settleCcy", l.type() == ContractType.INVERSE ? l.asset() : l.quote())
                        .text("state", state(l.state())));
    }

    private String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("instId"));
        if (contract == null) {
            return errorBody();
        }
        var page = contract.newestSettled(
                request.number("before", 0) + 1,
                request.number("after", market.nowMs() + 1) - 1,
                Math.min(400, request.number("limit", 400)));
        return enveloped(
                page,
                (row, settled) -> row.text("instId", symbol(contract))
                        .text("instType", "SWAP")
                        .text("fundingRate", settled.rate().add(new BigDecimal("0.00001")))
                        .text("realizedRate", settled.rate())
                        .text("fundingTime", settled.settledMs()));
    }

    private static <T> String enveloped(List<T> rows, BiConsumer<Json, T> members) {
        return Json.object(body -> body.text("code", "0").text("msg", "").list("data", rows, members));
    }

    private static List<SimulatedContract> swaps(MarketSnapshot market, Predicate<SimulatedContract> condition) {
        return market.where(l -> !isXPerp(l) && condition.test(l));
    }

    /** Dated perpetuals of five years: among the rates, in no list of swaps. */
    private static boolean isXPerp(SimulatedContract contract) {
        return contract.state() == State.DATED;
    }

    /** Of the dead ones some are instruments that the exchange tests with, live in every field. */
    private static boolean isTest(SimulatedContract contract) {
        return contract.state() == State.DELISTED;
    }

    private static String underlying(SimulatedContract contract) {
        return (isTest(contract) ? "TEST" + contract.asset() : contract.asset()) + "-" + contract.quote();
    }

    private static String state(State state) {
        return switch (state) {
            case LIVE, DATED, DELISTED -> "live";
            case PAUSED -> "suspend";
            case PRE_LISTING -> "preopen";
        };
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"code\":\"51001\",\"msg\":\"Instrument ID does not exist\",\"data\":[]}",
                "{\"code\":\"50011\",\"msg\":\"Too Many Requests\",\"data\":[]}");
    }
}
