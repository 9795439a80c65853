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
import io.fundingobservatory.topics.records.ContractType;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Bitget mix V2: three product types; the funding list has rows that no ticker has. */
final class BitgetWire implements Wire {
    /** The list ends there in silence; taken for a number of rows, the harder of two readings (the other is 90 days). */
    private static final long REACH = 270;

    @Override
    public Traits traits() {
        return Traits.usual(800)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USDT", "USDC")
                .intervals(8, 4, 2, 1)
                .rateDecimals(6);
    }

    @Override
    public String symbol(SimulatedContract listing) {
        String suffix = listing.quote().equals("USDC") ? "PERP" : listing.quote();
        return listing.base() + suffix + (listing.state() == State.DATED ? "Z26" : "");
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        String product = request.param("productType");
        List<SimulatedContract> book = market.where(l -> product(l).equals(product));
        return switch (request.address()) {
            case "api.bitget.com/api/v2/mix/market/current-fund-rate" -> enveloped(market, book, this::fundRate);
            case "api.bitget.com/api/v2/mix/market/tickers" ->
                enveloped(
                        market,
                        book.stream().filter(BitgetWire::hasTicker).toList(),
                        (row, l) -> ticker(row, l, market.nowMs()));
            case "api.bitget.com/api/v2/mix/market/contracts" -> enveloped(market, book, this::contract);
            case "api.bitget.com/api/v2/mix/market/history-fund-rate" -> history(request, market, book);
            default -> null;
        };
    }

    private static boolean hasTicker(SimulatedContract listing) {
        return listing.isLive() || listing.state() == State.DATED;
    }

    private void fundRate(Json row, SimulatedContract l) {
        boolean dated = l.state() == State.DATED;
        boolean announced = l.state() == State.PRE_LISTING;
        row.text("symbol", symbol(l))
                .text("fundingRate", dated ? "0" : l.rate().toPlainString())
                .text("fundingRateInterval", l.intervalH())
                .text("nextUpdate", dated ? 0 : l.nextFundingMs())
                .text("minFundingRate", announced ? null : "-0.003")
                .text("maxFundingRate", announced ? null : "0.003");
    }

    private void ticker(Json row, SimulatedContract l, long nowMs) {
        row.text("symbol", symbol(l))
                .text("lastPr", plain(l.markPrice(), ""))
                .text("ts", nowMs)
                .text("indexPrice", plain(l.indexPrice(), ""))
                // lags the funding list: not the value to read
                .text("fundingRate", l.lastSettledRate())
                .text("deliveryTime", l.state() == State.DATED ? "1798185600000" : null)
                .text("deliveryStatus", "")
                .text("markPrice", plain(l.markPrice(), ""));
    }

    private void contract(Json row, SimulatedContract l) {
        row.text("symbol", symbol(l))
                .text("baseCoin", l.base())
                .text("quoteCoin", l.quote())
                .text("sizeMultiplier", "0.01")
                .text("symbolType", l.state() == State.DATED ? "delivery" : "perpetual")
                .text("symbolStatus", status(l.state()))
                .text("fundInterval", l.state() == State.DATED ? "" : Integer.toString(l.intervalH()));
    }

    private String history(SimulatedRequest request, MarketSnapshot market, List<SimulatedContract> book) {
        SimulatedContract listing = market.find(this, request.param("symbol"));
        if (listing == null || !book.contains(listing)) {
            return errorBody();
        }
        long size = Math.min(100, request.number("pageSize", 20));
        var page = listing.settled().reversed().stream()
                .limit(REACH)
                .skip((request.number("pageNo", 1) - 1) * size)
                .limit(size)
                .toList();
        return enveloped(
                market,
                page,
                (row, settled) -> row.text("symbol", symbol(listing))
                        .text("fundingRate", settled.rate())
                        .text("fundingTime", settled.settledMs()));
    }

    private static <T> String enveloped(MarketSnapshot market, List<T> rows, BiConsumer<Json, T> members) {
        return Json.object(body -> body.text("code", "00000")
                .text("msg", "success")
                .number("requestTime", market.nowMs())
                .list("data", rows, members));
    }

    private static String product(SimulatedContract listing) {
        return listing.type() == ContractType.INVERSE ? "COIN-FUTURES" : listing.quote() + "-FUTURES";
    }

    private static String status(State state) {
        return switch (state) {
            case LIVE, DATED -> "normal";
            case DELISTED -> "off";
            case PAUSED -> "maintain";
            case PRE_LISTING -> "listed";
        };
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"code\":\"40034\",\"msg\":\"Parameter does not exist\",\"requestTime\":1789456276980,\"data\":null}",
                "{\"code\":\"429\",\"msg\":\"Too Many Requests\",\"requestTime\":1789456276980,\"data\":null}");
    }
}
