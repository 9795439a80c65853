package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import java.math.BigDecimal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** GRVT: percent, nanoseconds, one POST for each instrument. */
final class Grvt implements Wire {
    private static final long NANOS = 1_000_000;
    private static final long PAGE = 1_000;
    private static final Set<String> CAPITAL_K = Set.of("PEPE", "BONK", "SHIB");

    @Override
    public String venue() {
        return "grvt";
    }

    @Override
    public Traits traits() {
        return Traits.usual(194).intervals(8, 4).states(State.DATED).rateDecimals(6);
    }

    @Override
    public String symbol(Listing listing) {
        return base(listing) + "_" + listing.quote() + (listing.state() == State.DATED ? "_Fut_25Dec26" : "_Perp");
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case "market-data.grvt.io/full/v1/all_instruments" -> instruments(moment);
            case "market-data.grvt.io/full/v1/ticker" -> ticker(call, moment);
            case "market-data.grvt.io/full/v1/funding" -> funding(call, moment);
            default -> null;
        };
    }

    private String instruments(Moment moment) {
        return Json.object(body -> body.list(
                "result",
                moment.listings(),
                (row, l) -> row.text("instrument", symbol(l))
                        .text("base", base(l))
                        .text("quote", l.quote())
                        .text("kind", l.state() == State.DATED ? "FUTURE" : "PERPETUAL")
                        .number("funding_interval_hours", l.intervalH())));
    }

    private @Nullable String ticker(Call call, Moment moment) {
        Listing l = moment.find(this, call.posted("instrument"));
        if (l == null) {
            return null;
        }
        return Json.object(body -> body.object(
                "result",
                row -> row.text("event_time", moment.nowMs() * NANOS + 222_195)
                        .text("instrument", symbol(l))
                        .text("mark_price", plain(l.markPrice(), "0.0"))
                        .text("index_price", plain(l.indexPrice(), "0.0"))
                        .text("funding_rate_8h_curr", percent(l.rate()))
                        .text("funding_rate_8h_avg", "0.01")
                        .text("funding_rate", percent(l.rate()))
                        .text("next_funding_time", l.nextFundingMs() * NANOS)
                        .text("status", "UNSPECIFIED")));
    }

    private @Nullable String funding(Call call, Moment moment) {
        Listing l = moment.find(this, call.posted("instrument"));
        if (l == null) {
            return null;
        }
        var page = l
                .settledBetween(call.postedNumber("start_time", 0) / NANOS, call.postedNumber("end_time", 0) / NANOS)
                .reversed()
                .stream()
                .limit(Math.min(PAGE, call.postedNumber("limit", 500)))
                .toList();
        return Json.object(body -> body.list(
                        "result",
                        page,
                        (row, s) -> row.text("instrument", symbol(l))
                                .text("funding_rate", percent(s.rate()))
                                .text("funding_time", s.settledMs() * NANOS)
                                .number("funding_interval_hours", s.intervalH()))
                .text("next", ""));
    }

    private static BigDecimal percent(BigDecimal fraction) {
        return fraction.movePointRight(2);
    }

    private static String base(Listing listing) {
        if (listing.priceScale() == 1) {
            return listing.asset();
        }
        return (CAPITAL_K.contains(listing.asset()) ? "K" : "1000") + listing.asset();
    }

    @Override
    public String errorBody() {
        return "{\"code\":1003,\"message\":\"Request could not be processed due to malformed syntax\",\"status\":400}";
    }

    @Override
    public String throttledBody() {
        return "{\"code\":1006,\"message\":\"You have surpassed the allocated rate limit for your tier\",\"status\":429}";
    }
}
