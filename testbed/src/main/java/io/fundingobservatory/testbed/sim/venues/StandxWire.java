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
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** StandX: names in USD, prices in DUSD, rates per hour; settled history between two required times in milliseconds. */
final class StandxWire implements Wire {
    private static final String API = "perps.standx.com/api/";
    private static final Pattern MILLISECONDS = Pattern.compile("\\d{1,19}");

    /** A refused query gets plain text. */
    private static final String MISSHAPEN = "\"Failed to deserialize query string: invalid digit found in string\"";

    @Override
    public Traits traits() {
        return Traits.usual(13)
                .dead(120)
                .quotes("DUSD")
                .intervals(1)
                .scales(1)
                .states(State.DELISTED, State.PAUSED)
                .unpublished(Unpublished.NEXT_FUNDING, Unpublished.INDEX_PRICE)
                .rateDecimals(8);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.asset() + "-USD";
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case API + "query_market_overview" -> overview(market);
            case API + "query_symbol_info" -> symbolInfo(market);
            case API + "query_funding_rates" -> settled(request, market);
            default -> null;
        };
    }

    private String overview(MarketSnapshot market) {
        String time = Instant.ofEpochMilli(market.nowMs()).plusNanos(169_168).toString();
        return Json.object(body -> body.object(
                        "summary",
                        summary -> summary.text("open_interest_notional", "58609087.078712")
                                .number("symbol_count", market.listings().size()))
                .list(
                        "symbols",
                        market.listings(),
                        (row, l) -> row.text("base", l.asset())
                                .text("funding_rate", l.rate().setScale(8))
                                .text("last_price", plain(l.markPrice(), "0"))
                                .text("mark_price", plain(l.markPrice(), "0"))
                                .raw("open_price_24h", "77219.02")
                                .raw("price_change_pct", "-0.36391293233196864")
                                .text("quote", l.quote())
                                .text("symbol", symbol(l))
                                .text("time", time)));
    }

    /** What is delisted has left it, its row in the overview has not. Of states only the word for trading is known. */
    private String symbolInfo(MarketSnapshot market) {
        return Json.list(
                market.where(l -> l.state() != State.DELISTED),
                (row, l) -> row.text("base_asset", l.asset())
                        .text("created_at", "2026-01-06T10:29:56.094Z")
                        .text("funding_interest_rate", "0.0000125")
                        .text("funding_rate_cap", "0.000375")
                        .text("funding_rate_floor", "-0.000375")
                        .number("id", market.listings().indexOf(l) + 1)
                        .text("quote_asset", l.quote())
                        .text("status", l.isLive() ? "trading" : "not trading")
                        .text("symbol", symbol(l)));
    }

    /**
     * Returns settled rates between two times in milliseconds. Seconds give an empty list, other text an
     * error.
     */
    private String settled(SimulatedRequest request, MarketSnapshot market) {
        for (String required : new String[] {"symbol", "start_time", "end_time"}) {
            if (request.param(required) == null) {
                return "\"Failed to deserialize query string: missing field `" + required + "`\"";
            }
        }
        if (!isCount(request.param("start_time")) || !isCount(request.param("end_time"))) {
            return MISSHAPEN;
        }
        SimulatedContract contract = market.find(this, request.param("symbol"));
        return contract == null
                ? "[]"
                : Json.list(
                        contract.settledBetween(request.number("start_time", 0), request.number("end_time", 0)),
                        (row, s) -> {
                            String hour = Instant.ofEpochMilli(s.settledMs()).toString();
                            row.text("created_at", hour)
                                    .text("funding_rate", s.rate().setScale(8))
                                    .number("id", s.settledMs() / 3_600_000)
                                    .text("premium", "-0.0004022335796835970024979184")
                                    .text("symbol", symbol(contract))
                                    .text("time", hour);
                        });
    }

    private static boolean isCount(@Nullable String text) {
        return text != null && MILLISECONDS.matcher(text).matches();
    }

    @Override
    public int status(String body) {
        return body.startsWith("\"") ? 400 : 200;
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"code\":401,\"message\":\"missing jwt\"}", "{\"code\":429,\"message\":\"too many requests\"}");
    }
}
