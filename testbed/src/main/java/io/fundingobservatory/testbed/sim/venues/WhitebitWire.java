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
import org.jspecify.annotations.Nullable;

/**
 * WhiteBIT: everything in one response, an index of "0" and a mark of "" where there is none. Its caches step every 5 s: until then a
 * row has the settled rate and names the settlement that has passed.
 */
final class WhitebitWire implements Wire {
    private static final int LATE_S = 5;

    /** 1000 is documented; pages of 100 are what clients were given. */
    private static final long PAGE = 100;

    private static final String V4 = "whitebit.com/api/v4/public/";

    @Override
    public Traits traits() {
        return Traits.usual(397).scales(1).unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.asset() + (contract.state() == State.DATED ? "_DEC" : "_PERP");
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot moment) {
        String market =
                request.host().equals("whitebit.com") ? request.pathAfter("/api/v4/public/funding-history/") : null;
        if (market != null) {
            return history(market, request, moment);
        }
        return switch (request.address()) {
            case V4 + "futures" ->
                Json.object(body -> body.flag("success", true)
                        .nothing("message")
                        .list("result", moment.listings(), (row, l) -> future(row, l, moment)));
            case V4 + "markets" ->
                Json.list(
                        moment.in(State.LIVE, State.PAUSED, State.DATED),
                        (row, l) -> row.text("name", symbol(l))
                                .text("stock", l.asset())
                                .text("money", "PERP")
                                .flag("tradesEnabled", l.state() != State.PAUSED)
                                .text("type", "futures")
                                .nothing("delistedAt"));
            default -> null;
        };
    }

    private void future(Json row, SimulatedContract l, MarketSnapshot moment) {
        boolean late = l.hasJustSettled(moment.nowMs(), LATE_S);
        row.text("ticker_id", symbol(l))
                .text("stock_currency", l.asset())
                .text("money_currency", l.quote())
                .text("product_type", l.state() == State.DATED ? "Futures" : "Perpetual")
                .text("index_price", plain(l.indexPrice(), "0"))
                .text("mark_price", plain(l.markPrice(), ""))
                .text("funding_rate", late ? l.lastSettledRate() : l.rate())
                .text("next_funding_rate_timestamp", late ? l.lastFundingMs() : l.nextFundingMs())
                .number("funding_interval_minutes", l.intervalH() * 60L);
    }

    private @Nullable String history(String market, SimulatedRequest request, MarketSnapshot moment) {
        SimulatedContract contract = moment.find(this, market);
        if (contract == null) {
            return null;
        }
        long from = request.number("startDate", 0) * 1_000;
        long to = request.number("endDate", moment.nowMs() / 1_000) * 1_000;
        return Json.list(
                contract.newestSettled(from, to, Long.MAX_VALUE).stream()
                        .skip(request.number("offset", 0))
                        .limit(Math.min(PAGE, request.number("limit", PAGE)))
                        .toList(),
                (row, s) -> row.text("fundingTime", s.settledMs() / 1_000)
                        .text("fundingRate", s.rate())
                        .text("market", market)
                        .text("settlementPrice", "1")
                        .text("rateCalculatedTime", s.settledMs() / 1_000 - s.intervalH() * 3_600L));
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"success\":false,\"message\":\"Market is not available\",\"errors\":{}}",
                "{\"success\":false,\"message\":\"Too many requests\"}");
    }
}
