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

/**
 * Derive: tickers by name with fields of one letter, options without a rate among them; a period of the past is a whole number of
 * seconds, at most 30 days of it.
 */
final class Derive implements Wire {
    private static final String INVALID = "{\"error\":{\"code\":-32602,\"message\":\"Invalid params\"},\"id\":\"1\"}";
    private static final long LONGEST_MS = 30L * 24 * 3_600_000;

    @Override
    public String venue() {
        return "derive";
    }

    @Override
    public Traits traits() {
        return Traits.usual(30)
                .intervals(1)
                .quotes("USD")
                .scales(1)
                .states(State.DELISTED, State.DATED)
                .untold(Untold.NEXT_FUNDING)
                .rateDecimals(9);
    }

    @Override
    public String symbol(Listing listing) {
        return listing.asset() + (listing.state() == State.DATED ? "-20261225-3000-C" : "-PERP");
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case "api.derive.xyz/v3/public/get_tickers" -> tickers(moment);
            case "api.derive.xyz/v3/public/get_all_instruments" -> instruments(moment);
            case "api.derive.xyz/v3/public/get_funding_rate_history" -> history(call, moment);
            default -> null;
        };
    }

    private String tickers(Moment moment) {
        return Json.object(body -> body.object(
                "result",
                result -> result.object("tickers", tickers -> {
                    for (Listing l : moment.listings()) {
                        tickers.object(
                                symbol(l),
                                row -> row.text("I", plain(l.indexPrice(), "0"))
                                        .text("M", plain(l.markPrice(), "0"))
                                        .text(
                                                "f",
                                                l.state() == State.DATED
                                                        ? null
                                                        : l.rate().setScale(9))
                                        .nothing("option_pricing")
                                        .number("t", moment.nowMs() - 286));
                    }
                })));
    }

    private String instruments(Moment moment) {
        var perpetuals = moment.where(l -> l.state() != State.DATED);
        return Json.object(body -> body.object(
                "result",
                result -> result.list(
                                "instruments",
                                perpetuals,
                                (row, l) -> row.text("instrument_type", "perp")
                                        .text("instrument_name", symbol(l))
                                        .number("scheduled_deactivation", Long.MAX_VALUE)
                                        .flag("is_active", l.isLive())
                                        .text("base_currency", l.asset())
                                        .text("quote_currency", l.quote()))
                        .object("pagination", p -> p.number("num_pages", 1).number("count", perpetuals.size()))));
    }

    private @Nullable String history(Call call, Moment moment) {
        Listing listing = moment.find(this, call.posted("instrument_name"));
        if (listing == null) {
            return null;
        }
        String period = call.posted("period");
        if (period != null && !call.body().matches(".*\"period\"\\s*:\\s*(null|\\d+)\\s*[,}].*")) {
            return INVALID;
        }
        long from = call.postedNumber("start_timestamp", 0);
        long to = call.postedNumber("end_timestamp", moment.nowMs());
        if (to - from > LONGEST_MS) {
            return INVALID;
        }
        var hours = listing.settledBetween(from, to);
        return Json.object(body -> body.object(
                "result",
                result -> result.list(
                        "funding_rate_history",
                        hours,
                        (row, s) -> row.number("timestamp", s.settledMs())
                                .text("funding_rate", s.rate().setScale(9)))));
    }

    @Override
    public boolean needsUserAgent() {
        return true;
    }

    @Override
    public String errorBody() {
        return INVALID;
    }

    @Override
    public String throttledBody() {
        return "{\"error\":{\"code\":-32000,\"message\":\"Rate limit exceeded\",\"data\":\"Retry after 100 ms\"},\"id\":\"1\"}";
    }
}
