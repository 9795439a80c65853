package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Pionex: no interval anywhere but in the gaps of the settled past. */
final class Pionex implements Wire {
    private static final String V1 = "api.pionex.com/api/v1/";

    @Override
    public String venue() {
        return "pionex";
    }

    @Override
    public Traits traits() {
        return Traits.usual(605).scales(1).states(State.DELISTED, State.PAUSED);
    }

    @Override
    public String symbol(Listing listing) {
        return listing.asset() + "_" + listing.quote() + "_PERP";
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case V1 + "market/indexes" ->
                data(moment, data -> data.list("indexes", moment.listings(), (row, l) -> index(row, l, moment)));
            case V1 + "common/symbols" ->
                data(
                        moment,
                        data -> data.list(
                                "symbols",
                                moment.where(l -> l.state() != State.DELISTED),
                                (row, l) -> row.text("symbol", symbol(l))
                                        .text("type", "PERP")
                                        .text("baseCurrency", "X" + l.asset())
                                        .text("quoteCurrency", l.quote())
                                        .text("status", l.isLive() ? "TRADING" : "OFFLINE")));
            case V1 + "market/fundingRates" -> {
                Listing listing = moment.find(this, call.param("symbol"));
                yield listing == null ? errorBody() : history(call, moment, listing);
            }
            default -> null;
        };
    }

    private static String data(Moment moment, Consumer<Json> data) {
        return Json.object(
                body -> body.object("data", data).flag("result", true).number("timestamp", moment.nowMs()));
    }

    private void index(Json row, Listing l, Moment moment) {
        row.text("symbol", symbol(l))
                .text("indexPrice", plain(l.indexPrice(), ""))
                .text("markPrice", plain(l.markPrice(), ""))
                .text("nextFundingRate", l.rate())
                .number("nextFundingTime", l.nextFundingMs())
                .number("updateTime", moment.nowMs() - 100);
    }

    private String history(Call call, Moment moment, Listing listing) {
        long most = call.number("limit", 1);
        if (most > 100) {
            return "{\"result\":false,\"code\":\"MARKET_PARAMETER_ERROR\",\"message\":\"limit error\"}";
        }
        return data(
                moment,
                data -> data.text("symbol", symbol(listing))
                        .list(
                                "rates",
                                listing.newestSettled(0, call.number("endTime", moment.nowMs()), most),
                                (row, s) -> row.text("fundingRate", s.rate()).number("fundingTime", s.settledMs())));
    }

    @Override
    public String errorBody() {
        return "{\"result\":false,\"code\":\"MARKET_INVALID_SYMBOL\",\"message\":\"symbol error\",\"timestamp\":1790133551}";
    }

    @Override
    public String throttledBody() {
        return "{\"result\":false,\"code\":\"TOO_MANY_REQUESTS\",\"message\":\"too many requests\"}";
    }

    @Override
    public boolean refusesInBand() {
        return false;
    }
}
