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
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** BTSE: rates by minutes in one interface, prices as bare numbers in an older one that leaves the quote out of its names. */
final class Btse implements Wire {
    private static final String MARKET = "api.btse.com/public-api/market/v1/";

    /** The thousands that it writes with a K. */
    private static final Set<String> WITH_K = Set.of("PEPE", "SHIB", "FLOKI", "BONK", "CAT");

    @Override
    public String venue() {
        return "btse";
    }

    @Override
    public Traits traits() {
        return Traits.usual(211)
                .intervals(8, 4)
                .states(State.PAUSED, State.DELISTED, State.DATED)
                .untold(Untold.VENUE_TIME);
    }

    @Override
    public String symbol(Listing listing) {
        return older(listing) + "-USDT";
    }

    private static String older(Listing l) {
        String base = l.priceScale() == 1_000 && WITH_K.contains(l.asset()) ? "1K" + l.asset() : l.base();
        return base + (l.state() == State.DATED ? "-261225" : "-PERP");
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case MARKET + "ticker/24hr" -> tickers(moment);
            case "api.btse.com/futures/api/v2.3/price" -> prices(moment);
            case MARKET + "markets" -> markets(moment);
            case MARKET + "recentFundingHistory" -> history(call, moment);
            default -> null;
        };
    }

    private String tickers(Moment moment) {
        return body(
                moment,
                data -> data.list(
                        "data",
                        moment.where(l -> l.state() != State.DATED),
                        (row, l) -> row.text("symbol", symbol(l))
                                .number("closeTime", moment.nowMs() / 1_000)
                                .text("fundingRate", l.rate())
                                .number("nextFundingTime", l.nextFundingMs())
                                .number("fundingIntervalMinutes", l.intervalH() * 60L)));
    }

    private static String prices(Moment moment) {
        return Json.list(
                moment.listings(),
                (row, l) -> row.text("symbol", older(l))
                        .raw("indexPrice", plain(l.indexPrice(), "0"))
                        .raw("lastPrice", plain(l.markPrice(), "0"))
                        .raw("markPrice", plain(l.markPrice(), "0")));
    }

    private String markets(Moment moment) {
        return body(
                moment,
                body -> body.object(
                        "data",
                        data -> data.list(
                                "symbols",
                                moment.where(l -> l.state() != State.DELISTED),
                                (row, l) -> row.text("symbol", symbol(l))
                                        .text(
                                                "type",
                                                l.state() == State.DATED ? "FuturesTimeBased" : "FuturesPerpetual")
                                        .text("baseCurrency", l.asset())
                                        .text("quoteCurrency", "USDT")
                                        .flag("active", l.state() != State.PAUSED))));
    }

    private @Nullable String history(Call call, Moment moment) {
        Listing listing = moment.find(this, call.param("symbol"));
        if (listing == null) {
            return null;
        }
        return body(
                moment,
                data -> data.list(
                        "data",
                        listing.newestSettled(0, moment.nowMs(), 1_000),
                        (row, s) -> row.number("timestamp", s.settledMs() + 200 + s.settledMs() / 3_600_000 % 800)
                                .text("rate", s.rate())));
    }

    private static String body(Moment moment, Consumer<Json> data) {
        return Json.object(body -> {
            data.accept(body);
            body.number("code", 1).text("msg", "Success").flag("success", true).number("time", moment.nowMs());
        });
    }

    @Override
    public String errorBody() {
        return "{\"code\":10010004,\"msg\":\"Invalid parameter\",\"success\":false,\"time\":1790000000000,\"data\":[]}";
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
