package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.Settled;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Untold;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.ContractType;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deribit: a summary for each settlement currency in bare numbers, rates per 8 hours, a past of single hours. */
final class Deribit implements Wire {
    private static final String API = "www.deribit.com/api/v2/public/";
    private static final long HOUR_MS = 3_600_000;
    private static final int HOURS = 8;
    private static final BigDecimal EIGHT = BigDecimal.valueOf(HOURS);

    @Override
    public String venue() {
        return "deribit";
    }

    @Override
    public Traits traits() {
        return Traits.usual(60)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USDC")
                .intervals(HOURS)
                .states(State.DELISTED, State.DATED)
                .untold(Untold.NEXT_FUNDING);
    }

    @Override
    public String symbol(Listing listing) {
        String name = listing.type() == ContractType.INVERSE ? listing.base() : listing.base() + "_USDC";
        return name + (listing.state() == State.DATED ? "-25DEC26" : "-PERPETUAL");
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case API + "get_book_summary_by_currency" -> summary(moment, call.param("currency"));
            case API + "get_instruments" -> instruments(moment, call.param("currency"));
            case API + "get_funding_rate_history" -> history(call, moment);
            default -> null;
        };
    }

    /** The model has more coin-margined contracts than the exchange: all but those on BTC stand under ETH. */
    private static List<Listing> book(Moment moment, @Nullable String currency) {
        return moment.where(l -> l.type() == ContractType.LINEAR
                ? "USDC".equals(currency)
                : (l.asset().equals("BTC") ? "BTC" : "ETH").equals(currency));
    }

    private String summary(Moment moment, @Nullable String currency) {
        return Json.object(body -> body.text("jsonrpc", "2.0").list("result", book(moment, currency), (row, l) -> {
            row.text("instrument_name", symbol(l))
                    .text("base_currency", l.base())
                    .text("quote_currency", l.quote())
                    .raw("mark_price", plain(l.markPrice(), "0.0"))
                    .raw("estimated_delivery_price", plain(l.indexPrice(), "0.0"))
                    .number("creation_timestamp", moment.nowMs() - 4);
            if (l.state() != State.DATED) {
                // with an exponent, as the exchange writes small numbers
                row.raw("current_funding", l.rate().toString()).number("funding_8h", l.lastSettledRate());
            }
        }));
    }

    private String instruments(Moment moment, @Nullable String currency) {
        return Json.object(body -> body.text("jsonrpc", "2.0")
                .list(
                        "result",
                        book(moment, currency),
                        (row, l) -> row.text("instrument_name", symbol(l))
                                .text("kind", "future")
                                .text("settlement_period", l.state() == State.DATED ? "month" : "perpetual")
                                .flag("is_active", l.state() != State.DELISTED)
                                .text("state", l.state() == State.DELISTED ? "closed" : "open")));
    }

    /** What a period of the model charges, in equal parts of an hour. */
    private @Nullable String history(Call call, Moment moment) {
        Listing listing = moment.find(this, call.param("instrument_name"));
        if (listing == null) {
            return null;
        }
        long from = call.number("start_timestamp", 0);
        long to = call.number("end_timestamp", moment.nowMs());
        return Json.object(body -> body.text("jsonrpc", "2.0").array("result", rows -> {
            for (Settled settled : listing.settledAndRunning()) {
                for (long at = settled.settledMs() - (HOURS - 1) * HOUR_MS; at <= settled.settledMs(); at += HOUR_MS) {
                    if (at >= from && at <= to && at <= moment.nowMs()) {
                        long hour = at;
                        rows.item(row -> row.number("timestamp", hour)
                                .number("interest_1h", settled.rate().divide(EIGHT))
                                .number("interest_8h", settled.rate()));
                    }
                }
            }
        }));
    }

    @Override
    public String errorBody() {
        return "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32602,\"message\":\"Invalid params\"}}";
    }

    @Override
    public String throttledBody() {
        return "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":10028,\"message\":\"too_many_requests\"}}";
    }
}
