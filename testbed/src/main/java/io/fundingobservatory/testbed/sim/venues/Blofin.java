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
import io.fundingobservatory.topics.ContractType;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** BloFin: every value is a text; the interval stands beside its unit, what trades only in the list of instruments. */
final class Blofin implements Wire {
    private static final String API = "openapi.blofin.com/api/v1/market/";

    @Override
    public String venue() {
        return "blofin";
    }

    @Override
    public Traits traits() {
        return Traits.usual(500)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USDT", "USDC")
                .states(State.DELISTED, State.PAUSED)
                .scales(1_000, 1_000_000)
                .untold(Untold.VENUE_TIME);
    }

    @Override
    public String symbol(Listing listing) {
        return listing.base() + "-" + listing.quote();
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case API + "funding-rate" -> rates(moment);
            case API + "mark-price" -> prices(moment);
            case API + "instruments" -> instruments(moment);
            case API + "funding-rate-history" -> history(call, moment);
            default -> null;
        };
    }

    private String rates(Moment moment) {
        return body(
                moment.listings(),
                (row, l) -> row.text("instId", symbol(l))
                        .text("fundingRate", l.rate())
                        .text("fundingTime", l.nextFundingMs())
                        .text("fundingInterval", l.intervalH())
                        .text("fundingIntervalUnit", "hour"));
    }

    private String prices(Moment moment) {
        return body(
                moment.listings(),
                (row, l) -> row.text("instId", symbol(l))
                        .text("indexPrice", plain(l.indexPrice(), ""))
                        .text("markPrice", plain(l.markPrice(), ""))
                        .text("ts", moment.nowMs()));
    }

    private String instruments(Moment moment) {
        return body(
                moment.in(State.LIVE, State.PAUSED),
                (row, l) -> row.text("instId", symbol(l))
                        .text("baseCurrency", l.base())
                        .text("quoteCurrency", l.quote())
                        .text("instType", "SWAP")
                        .text("contractType", l.type() == ContractType.INVERSE ? "inverse" : "linear")
                        .text("expireTime", "4918462709025")
                        .text("state", l.isLive() ? "live" : "suspend"));
    }

    private @Nullable String history(Call call, Moment moment) {
        Listing listing = moment.find(this, call.param("instId"));
        if (listing == null) {
            return null;
        }
        long before = call.number("after", moment.nowMs() + 1) - 1;
        return body(
                listing.newestSettled(0, before, Math.min(100, call.number("limit", 100))),
                (row, s) -> row.text("instId", symbol(listing))
                        .text("fundingRate", s.rate())
                        .text("fundingTime", s.settledMs()));
    }

    private static <T> String body(Iterable<T> items, BiConsumer<Json, T> row) {
        return Json.object(body -> body.text("code", "0").text("msg", "success").list("data", items, row));
    }

    @Override
    public String errorBody() {
        return "{\"code\":\"152014\",\"msg\":\"Parameter instId error\"}";
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
