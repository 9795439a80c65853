package io.fundingobservatory.testbed.sim.venues;

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

/** WOO X: rates in one response, prices in another, both under data and rows; delisted rows no longer change. */
final class WooxWire implements Wire {
    private static final String V3 = "api.woox.io/v3/public/";
    private static final long FROZEN_MS = 36 * 3_600_000L;

    @Override
    public Traits traits() {
        return Traits.usual(223).intervals(8, 4).states(State.DELISTED, State.PAUSED, State.PRE_LISTING);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return "PERP_" + contract.base() + "_" + contract.quote();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case V3 + "fundingRate" ->
                rows(market, rows -> rows.list("rows", market.listings(), (row, l) -> rate(row, l, market)));
            case V3 + "futures" -> rows(market, rows -> rows.list("rows", market.listings(), this::prices));
            case V3 + "instruments" -> rows(market, rows -> rows.list("rows", market.listings(), this::instrument));
            case V3 + "fundingRateHistory" -> history(request, market);
            default -> null;
        };
    }

    private static String rows(MarketSnapshot market, Consumer<Json> data) {
        return Json.object(
                body -> body.flag("success", true).object("data", data).number("timestamp", market.nowMs()));
    }

    private void rate(Json row, SimulatedContract l, MarketSnapshot market) {
        long frozen = l.state() == State.DELISTED ? FROZEN_MS : 0;
        row.text("symbol", symbol(l))
                .text("estFundingRate", l.rate())
                .number("estFundingRateTimestamp", market.nowMs() - frozen)
                .text("lastFundingRate", l.lastSettledRate())
                .number("lastFundingRateTimestamp", l.lastFundingMs() - frozen)
                .number("nextFundingTime", l.nextFundingMs() - frozen)
                .number("lastFundingIntervalHours", l.intervalH())
                .number("estFundingIntervalHours", l.intervalH());
    }

    private void prices(Json row, SimulatedContract l) {
        row.text("symbol", symbol(l))
                .text("indexPrice", l.indexPrice())
                .text("markPrice", l.markPrice())
                .text("estFundingRate", l.rate())
                .text("lastFundingRate", l.lastSettledRate())
                .number("nextFundingTime", l.nextFundingMs());
    }

    private void instrument(Json row, SimulatedContract l) {
        row.text("symbol", symbol(l))
                .text(
                        "status",
                        switch (l.state()) {
                            case PAUSED -> "SUSPENDED";
                            case PRE_LISTING -> "TESTING";
                            case LIVE, DELISTED, DATED -> "TRADING";
                        })
                .text("baseAsset", l.base())
                .number("baseAssetMultiplier", l.priceScale())
                .text("quoteAsset", l.quote())
                .number("fundingIntervalHours", l.intervalH());
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        if (contract == null) {
            return null;
        }
        long size = request.number("size", 25);
        var settled = contract.newestSettled(
                request.number("startTime", 0), request.number("endTime", market.nowMs()), Integer.MAX_VALUE);
        return rows(
                market,
                data -> data.list(
                                "rows",
                                settled.stream()
                                        .skip((request.number("page", 1) - 1) * size)
                                        .limit(size)
                                        .toList(),
                                (row, s) -> row.text("symbol", symbol(contract))
                                        .text("fundingRate", s.rate())
                                        .number("fundingRateTimestamp", s.settledMs())
                                        .number("nextFundingTime", s.settledMs() + contract.intervalH() * 3_600_000L))
                        .object(
                                "meta",
                                meta -> meta.number("total", settled.size()).number("recordsPerPage", size)));
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"success\":false,\"message\":\"invalid symbol PERP_NOPE_USDT\"}",
                "{\"success\":false,\"code\":-1003,\"message\":\"TOO_MANY_REQUEST\"}");
    }
}
