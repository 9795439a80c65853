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
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Aster: Binance's format with every interval listed, and rows of rate 0 that the instrument list lacks. */
final class AsterWire implements Wire {
    /** A share's dividend is a row of its own right after the settlement of its hour; no field marks it. */
    private static final long DIVIDEND_AFTER_MS = 700;

    private static final long PAGE = 1_000;

    @Override
    public Traits traits() {
        return Traits.usual(752).quotes("USDT", "USD1").intervals(8, 4, 2, 1);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + contract.quote() + (contract.state() == State.DATED ? "_261225" : "");
    }

    @Override
    public @Nullable AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClassAmong(AssetClass.EQUITY, AssetClass.COMMODITY);
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "fapi.asterdex.com/fapi/v1/premiumIndex" -> premiumIndex(market);
            case "fapi.asterdex.com/fapi/v1/fundingInfo" -> fundingInfo(market);
            case "fapi.asterdex.com/fapi/v1/exchangeInfo" -> exchangeInfo(market);
            case "fapi.asterdex.com/fapi/v1/fundingRate" -> fundingRate(request, market);
            default -> null;
        };
    }

    private String premiumIndex(MarketSnapshot market) {
        return Json.list(market.listings(), (row, l) -> {
            boolean dated = l.state() == State.DATED;
            row.text("symbol", symbol(l))
                    .text("markPrice", plain(l.markPrice(), "0.00000000"))
                    .text("indexPrice", plain(l.indexPrice(), "0.00000000"))
                    .text(
                            "lastFundingRate",
                            dated
                                    ? ""
                                    : l.state() == State.DELISTED
                                            ? "0"
                                            : plain(l.rate().setScale(8), ""))
                    .text("interestRate", "0.00010000")
                    .number("nextFundingTime", dated ? 0 : l.nextFundingMs())
                    .number("time", market.nowMs());
        });
    }

    private String fundingInfo(MarketSnapshot market) {
        return Json.list(
                market.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("interestRate", "0.00010000")
                        .number("time", market.nowMs())
                        .number("fundingIntervalHours", l.intervalH()));
    }

    private String exchangeInfo(MarketSnapshot market) {
        return Json.object(body -> body.text("timezone", "UTC")
                .list(
                        "symbols",
                        market.where(l -> l.state() != State.DELISTED),
                        (row, l) -> row.text("symbol", symbol(l))
                                .text("status", status(l.state()))
                                .text("contractType", contractType(l.state()))
                                .array(
                                        "underlyingSubType",
                                        kinds -> kinds.item(
                                                switch (l.assetClass()) {
                                                    case EQUITY -> "STOCK";
                                                    case COMMODITY -> "Commodities";
                                                    default -> "Layer-1";
                                                }))
                                .text("baseAsset", l.base())
                                .text("quoteAsset", l.quote())
                                .text("marginAsset", l.quote())));
    }

    private @Nullable String fundingRate(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        if (contract == null) {
            return null;
        }
        long from = request.number("startTime", 0);
        long to = request.number("endTime", market.nowMs());
        var payments = new TreeMap<Long, BigDecimal>();
        contract.settledBetween(from, to).forEach(settled -> payments.put(settled.settledMs(), settled.rate()));
        contract.dividendsBetween(from - DIVIDEND_AFTER_MS, to)
                .forEach(dividend -> payments.put(dividend.bookedMs() + DIVIDEND_AFTER_MS, dividend.rate()));
        List<Map.Entry<Long, BigDecimal>> page =
                payments.subMap(from, true, Math.max(from, to), true).entrySet().stream()
                        .limit(Math.min(PAGE, request.number("limit", 100)))
                        .toList();
        return Json.list(
                page,
                (row, payment) -> row.text("symbol", symbol(contract))
                        .number("fundingTime", payment.getKey())
                        .text("fundingRate", payment.getValue().setScale(8)));
    }

    private static String status(State state) {
        return switch (state) {
            case LIVE, DATED -> "TRADING";
            case DELISTED, PAUSED -> "SETTLING";
            case PRE_LISTING -> "PENDING_TRADING";
        };
    }

    private static String contractType(State state) {
        return switch (state) {
            case LIVE, DELISTED, PAUSED -> "PERPETUAL";
            case PRE_LISTING -> "";
            case DATED -> "CURRENT_QUARTER";
        };
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"code\":-1121,\"msg\":\"Invalid symbol.\"}", "{\"code\":-1003,\"msg\":\"Too many requests.\"}");
    }
}
