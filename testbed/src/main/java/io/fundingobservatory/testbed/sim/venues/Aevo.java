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

/** Aevo: the rates in a list for CoinGecko, the prices in another; settled history as lists, in nanoseconds, 50 at a time. */
final class Aevo implements Wire {
    private static final long NANOS = 1_000_000;
    private static final long PAGE = 50;

    @Override
    public String venue() {
        return "aevo";
    }

    @Override
    public Traits traits() {
        return Traits.usual(70)
                .intervals(1)
                .quotes("USDC")
                .states(State.DELISTED, State.PRE_LISTING)
                .untold(Untold.VENUE_TIME)
                .rateDecimals(6);
    }

    @Override
    public String symbol(Listing listing) {
        return base(listing) + "-PERP";
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case "api.aevo.xyz/coingecko-statistics" -> statistics(moment);
            case "api.aevo.xyz/markets" -> markets(moment);
            case "api.aevo.xyz/funding-history" -> history(call, moment);
            default -> null;
        };
    }

    private String statistics(Moment moment) {
        return Json.list(moment.listings(), (row, l) -> {
            row.text("ticker_id", symbol(l))
                    .text("base_currency", base(l))
                    .text("target_currency", "USD")
                    .text("index_price", plain(l.indexPrice(), "0"));
            if (l.isLive()) {
                row.text("next_funding_rate_timestamp", l.nextFundingMs() / 1_000);
            }
            row.text("funding_rate", l.isLive() ? l.rate().toPlainString() : "0");
        });
    }

    private String markets(Moment moment) {
        return Json.list(
                moment.listings(),
                (row, l) -> row.text("instrument_name", symbol(l))
                        .text("instrument_type", "PERPETUAL")
                        .text("underlying_asset", base(l))
                        .text("quote_asset", l.quote())
                        .text("mark_price", plain(l.markPrice(), "0"))
                        .text("index_price", plain(l.indexPrice(), ""))
                        .flag("is_active", l.isLive())
                        .text("market_type", "crypto"));
    }

    private @Nullable String history(Call call, Moment moment) {
        Listing listing = moment.find(this, call.param("instrument_name"));
        if (listing == null) {
            return null;
        }
        var page = listing
                .settledBetween(call.number("start_time", 0) / NANOS, call.number("end_time", 0) / NANOS)
                .reversed()
                .stream()
                .limit(Math.min(PAGE, call.number("limit", 10)))
                .toList();
        return Json.object(body -> body.array(
                "funding_history",
                rows -> page.forEach(s -> rows.items(row -> row.item(symbol(listing))
                        .item(Long.toString(s.settledMs() * NANOS))
                        .item(s.rate().toPlainString())
                        .item("1.5")))));
    }

    private static String base(Listing listing) {
        return listing.priceScale() == 1 ? listing.asset() : listing.priceScale() + listing.asset();
    }

    @Override
    public String errorBody() {
        return "{\"error\":\"INSTRUMENT_NOT_FOUND\"}";
    }

    @Override
    public String throttledBody() {
        return "{\"error\":\"RATE_LIMIT_EXCEEDED\"}";
    }
}
