package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** WOO X: rates in one answer, prices in another, both under data and rows; delisted rows stand still. */
final class Woox implements Wire {
    private static final String V3 = "api.woox.io/v3/public/";
    private static final long FROZEN_MS = 36 * 3_600_000L;

    @Override
    public String venue() {
        return "woox";
    }

    @Override
    public Traits traits() {
        return Traits.usual(223).intervals(8, 4).states(State.DELISTED, State.PAUSED, State.PRE_LISTING);
    }

    @Override
    public String symbol(Listing listing) {
        return "PERP_" + listing.base() + "_" + listing.quote();
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case V3 + "fundingRate" ->
                rows(moment, rows -> rows.list("rows", moment.listings(), (row, l) -> rate(row, l, moment)));
            case V3 + "futures" -> rows(moment, rows -> rows.list("rows", moment.listings(), this::prices));
            case V3 + "instruments" -> rows(moment, rows -> rows.list("rows", moment.listings(), this::instrument));
            case V3 + "fundingRateHistory" -> history(call, moment);
            default -> null;
        };
    }

    private static String rows(Moment moment, Consumer<Json> data) {
        return Json.object(
                body -> body.flag("success", true).object("data", data).number("timestamp", moment.nowMs()));
    }

    private void rate(Json row, Listing l, Moment moment) {
        long frozen = l.state() == State.DELISTED ? FROZEN_MS : 0;
        row.text("symbol", symbol(l))
                .text("estFundingRate", l.rate())
                .number("estFundingRateTimestamp", moment.nowMs() - frozen)
                .text("lastFundingRate", l.lastSettledRate())
                .number("lastFundingRateTimestamp", l.lastFundingMs() - frozen)
                .number("nextFundingTime", l.nextFundingMs() - frozen)
                .number("lastFundingIntervalHours", l.intervalH())
                .number("estFundingIntervalHours", l.intervalH());
    }

    private void prices(Json row, Listing l) {
        row.text("symbol", symbol(l))
                .text("indexPrice", l.indexPrice())
                .text("markPrice", l.markPrice())
                .text("estFundingRate", l.rate())
                .text("lastFundingRate", l.lastSettledRate())
                .number("nextFundingTime", l.nextFundingMs());
    }

    private void instrument(Json row, Listing l) {
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

    private @Nullable String history(Call call, Moment moment) {
        Listing listing = moment.find(this, call.param("symbol"));
        if (listing == null) {
            return null;
        }
        long size = call.number("size", 25);
        var settled = listing.newestSettled(
                call.number("startTime", 0), call.number("endTime", moment.nowMs()), Integer.MAX_VALUE);
        return rows(
                moment,
                data -> data.list(
                                "rows",
                                settled.stream()
                                        .skip((call.number("page", 1) - 1) * size)
                                        .limit(size)
                                        .toList(),
                                (row, s) -> row.text("symbol", symbol(listing))
                                        .text("fundingRate", s.rate())
                                        .number("fundingRateTimestamp", s.settledMs())
                                        .number("nextFundingTime", s.settledMs() + listing.intervalH() * 3_600_000L))
                        .object(
                                "meta",
                                meta -> meta.number("total", settled.size()).number("recordsPerPage", size)));
    }

    @Override
    public String errorBody() {
        return "{\"success\":false,\"message\":\"invalid symbol PERP_NOPE_USDT\"}";
    }

    @Override
    public String throttledBody() {
        return "{\"success\":false,\"code\":-1003,\"message\":\"TOO_MANY_REQUEST\"}";
    }
}
