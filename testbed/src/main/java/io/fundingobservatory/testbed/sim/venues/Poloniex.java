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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Poloniex: rates contract by contract, the settled one beside the predicted one, times between quotes. */
final class Poloniex implements Wire {
    private static final String V3 = "api.poloniex.com/v3/market/";

    @Override
    public String venue() {
        return "poloniex";
    }

    @Override
    public Traits traits() {
        return Traits.usual(18)
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .untold(Untold.VENUE_TIME);
    }

    @Override
    public String symbol(Listing listing) {
        return listing.base() + "_" + listing.quote() + "_PERP";
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case V3 + "tickers" -> ok(body -> body.list("data", moment.listings(), (row, l) -> ticker(row, l, moment)));
            case V3 + "allInstruments" -> ok(body -> body.list("data", moment.listings(), this::instrument));
            case V3 + "fundingRate" -> {
                Listing listing = moment.find(this, call.param("symbol"));
                yield listing == null ? errorBody() : ok(body -> body.object("data", data -> rate(data, listing)));
            }
            case V3 + "fundingRate/history" -> {
                Listing listing = moment.find(this, call.param("symbol"));
                yield listing == null ? errorBody() : ok(body -> history(body, listing, call, moment));
            }
            default -> null;
        };
    }

    private static String ok(Consumer<Json> data) {
        return Json.object(body -> data.accept(body.number("code", 200).text("msg", "Success")));
    }

    private void ticker(Json row, Listing l, Moment moment) {
        row.text("s", symbol(l)).text("mPx", plain(l.markPrice(), "")).number("cT", moment.nowMs());
        if (l.indexPrice() != null) {
            row.text("iPx", l.indexPrice());
        }
    }

    private void instrument(Json row, Listing l) {
        row.text("symbol", symbol(l))
                .text("bAsset", ".P" + l.base() + l.quote())
                .text("bCcy", l.base())
                .text("qCcy", l.quote())
                .text("ctType", "LINEAR")
                .text(
                        "status",
                        switch (l.state()) {
                            case LIVE, DATED -> "OPEN";
                            case PAUSED -> "PAUSE";
                            case DELISTED -> "CLOSE";
                            case PRE_LISTING -> "PRE_OPEN";
                        });
    }

    private void rate(Json data, Listing l) {
        data.text("s", symbol(l))
                .text("fR", l.lastSettledRate())
                .text("fT", l.lastFundingMs())
                .text("nFR", l.rate())
                .text("nFT", l.nextFundingMs());
    }

    private void history(Json body, Listing listing, Call call, Moment moment) {
        var settled = listing.newestSettled(
                call.number("sT", listing.lastFundingMs()),
                call.number("eT", moment.nowMs()),
                Math.min(100, call.number("limit", 10)));
        body.list(
                "data",
                settled,
                (row, s) -> row.text("s", symbol(listing)).text("fR", s.rate()).text("fT", s.settledMs()));
    }

    @Override
    public String errorBody() {
        return "{\"code\":24101,\"msg\":\"Invalid symbol!\",\"data\":\"\"}";
    }

    @Override
    public String throttledBody() {
        return "{\"code\":429,\"msg\":\"Too many requests\",\"data\":\"\"}";
    }
}
