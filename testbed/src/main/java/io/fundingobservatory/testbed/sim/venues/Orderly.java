package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Untold;
import io.fundingobservatory.testbed.sim.Wire;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Orderly: bare numbers, small ones with an exponent, and the interval in a list of its own. */
final class Orderly implements Wire {
    private static final int PAGE = 500;

    @Override
    public String venue() {
        return "orderly";
    }

    @Override
    public Traits traits() {
        return Traits.usual(160)
                .intervals(8, 4)
                .quotes("USDC")
                .states(State.DELISTED, State.PAUSED)
                .untold(Untold.VENUE_TIME);
    }

    @Override
    public String symbol(Listing listing) {
        String base = listing.priceScale() == 1 ? listing.asset() : listing.priceScale() + listing.asset();
        return "PERP_" + base + "_" + listing.quote() + (listing.asset().startsWith("M") ? "_mythos" : "");
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case "api.orderly.org/v1/public/futures" -> futures(moment);
            case "api.orderly.org/v1/public/funding_rates" -> fundingRates(moment);
            case "api.orderly.org/v1/public/info" -> info(moment);
            case "api.orderly.org/v1/public/funding_rate_history" -> history(call, moment);
            default -> null;
        };
    }

    private String futures(Moment moment) {
        return rows(
                moment,
                moment.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("status", l.isLive() ? "ACTIVE" : "SUSPENDED")
                        .raw("index_price", bare(l.indexPrice()))
                        .raw("mark_price", bare(l.markPrice()))
                        .raw("est_funding_rate", bare(l.rate()))
                        .raw("last_funding_rate", bare(l.lastSettledRate()))
                        .number("next_funding_time", l.nextFundingMs())
                        .flag("is_pretge", false));
    }

    private String fundingRates(Moment moment) {
        return rows(
                moment,
                moment.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .raw("est_funding_rate", bare(l.rate()))
                        .number("est_funding_rate_timestamp", moment.nowMs())
                        .raw("last_funding_rate", bare(l.lastSettledRate()))
                        .number("last_funding_rate_timestamp", l.lastFundingMs())
                        .number("next_funding_time", l.nextFundingMs()));
    }

    private String info(Moment moment) {
        // Newly listed ones come into the list late: their interval is the gap between two settlements.
        return rows(
                moment,
                moment.where(l -> !l.asset().startsWith("A")),
                (row, l) -> row.text("symbol", symbol(l))
                        .number("funding_period", l.intervalH())
                        .text("status", l.isLive() ? "ACTIVE" : "SUSPENDED"));
    }

    private @Nullable String history(Call call, Moment moment) {
        Listing listing = moment.find(this, call.param("symbol"));
        if (listing == null) {
            return null;
        }
        long size = Math.min(PAGE, call.number("size", 60));
        var page =
                listing
                        .settledBetween(call.number("start_t", 0), call.number("end_t", moment.nowMs()))
                        .reversed()
                        .stream()
                        .skip((call.number("page", 1) - 1) * size)
                        .limit(size)
                        .toList();
        return rows(
                moment,
                page,
                (row, s) -> row.text("symbol", symbol(listing))
                        .raw("funding_rate", bare(s.rate()))
                        .number("funding_rate_timestamp", s.settledMs()));
    }

    private static <T> String rows(Moment moment, List<T> items, BiConsumer<Json, T> members) {
        return Json.object(body -> body.flag("success", true)
                .number("timestamp", moment.nowMs())
                .object("data", data -> data.list("rows", items, members)));
    }

    private static String bare(@Nullable BigDecimal value) {
        return value == null ? "0" : value.stripTrailingZeros().toString();
    }

    @Override
    public String errorBody() {
        return "{\"success\":false,\"code\":-1005,\"message\":\"order_price must be a positive number\",\"timestamp\":1790000000000}";
    }

    @Override
    public String throttledBody() {
        return "{\"success\":false,\"code\":-1003,\"message\":\"Rate limit exceeded\",\"timestamp\":1790000000000}";
    }
}
