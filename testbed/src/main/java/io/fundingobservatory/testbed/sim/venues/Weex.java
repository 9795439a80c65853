package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Untold;
import io.fundingobservatory.testbed.sim.Wire;
import org.jspecify.annotations.Nullable;

/** WEEX: forecast and last settled rate side by side, intervals in minutes; a dead contract announces a settlement in 1970. */
final class Weex implements Wire {
    private static final String API = "api-contract.weex.com/capi/v3/market/";
    private static final long NEVER_MS = 28_800_000;
    private static final long LONGEST_MS = 7 * 24 * 3_600_000L;
    private static final String TOO_LONG = "{\"code\":-1142,\"msg\":\"Time range cannot exceed 7 days\"}";

    @Override
    public String venue() {
        return "weex";
    }

    @Override
    public Traits traits() {
        return Traits.usual(1_016)
                .states(State.DELISTED, State.PRE_LISTING)
                .scales(1_000, 1_000_000)
                .untold(Untold.VENUE_TIME);
    }

    @Override
    public String symbol(Listing listing) {
        return base(listing) + listing.quote();
    }

    private static String base(Listing listing) {
        return listing.priceScale() == 1_000_000 ? "1M" + listing.asset() : listing.base();
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case API + "premiumIndex" -> premiumIndex(moment);
            case API + "exchangeInfo" -> exchangeInfo(moment);
            case API + "fundingRate" -> history(call, moment);
            default -> null;
        };
    }

    private String premiumIndex(Moment moment) {
        return Json.list(
                moment.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("markPrice", plain(l.markPrice(), "0"))
                        .text("indexPrice", plain(l.indexPrice(), "0"))
                        .text("forecastFundingRate", l.rate())
                        .text("lastFundingRate", l.lastSettledRate())
                        .text("interestRate", "0.0001")
                        .number("nextFundingTime", l.state() == State.DELISTED ? NEVER_MS : l.nextFundingMs())
                        .number("time", moment.nowMs())
                        .number("collectCycle", l.intervalH() * 60L));
    }

    private String exchangeInfo(Moment moment) {
        return Json.object(body -> body.array("assets", assets -> {})
                .list(
                        "symbols",
                        moment.in(State.LIVE, State.DELISTED),
                        (row, l) -> row.text("symbol", symbol(l))
                                .text("baseAsset", base(l))
                                .text("quoteAsset", l.quote())
                                .text("marginAsset", l.quote())
                                .text("contractType", "PERPETUAL")
                                .flag("forwardContractFlag", true)));
    }

    private @Nullable String history(Call call, Moment moment) {
        Listing listing = moment.find(this, call.param("symbol"));
        if (listing == null) {
            return null;
        }
        long to = call.number("endTime", moment.nowMs());
        long from = call.number("startTime", to - LONGEST_MS);
        if (to - from > LONGEST_MS) {
            return TOO_LONG;
        }
        return Json.list(
                listing.newestSettled(from, to, Math.min(1_000, call.number("limit", 100))),
                (row, s) -> row.text("symbol", symbol(listing))
                        .text("fundingRate", s.rate())
                        .number("fundingTime", s.settledMs() + s.settledMs() / 3_600_000 % 700));
    }

    @Override
    public int status(String body) {
        return body.equals(TOO_LONG) ? 400 : 200;
    }

    @Override
    public String errorBody() {
        return "{\"code\":-1142,\"msg\":\"Invalid symbol.\"}";
    }

    @Override
    public String throttledBody() {
        return "";
    }

    @Override
    public boolean refusesInBand() {
        return false;
    }
}
