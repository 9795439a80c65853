package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.Settled;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Unpublished;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deribit: a summary for each settlement currency in bare numbers, rates per 8 hours, a past of single hours. */
final class DeribitWire implements Wire {
    private static final String API = "www.deribit.com/api/v2/public/";
    private static final long HOUR_MS = 3_600_000;
    private static final int HOURS = 8;
    private static final BigDecimal EIGHT = BigDecimal.valueOf(HOURS);

    @Override
    public Traits traits() {
        return Traits.usual(60)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USDC")
                .intervals(HOURS)
                .states(State.DELISTED, State.DATED)
                .unpublished(Unpublished.NEXT_FUNDING);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        String name = contract.type() == ContractType.INVERSE ? contract.base() : contract.base() + "_USDC";
        return name + (contract.state() == State.DATED ? "-25DEC26" : "-PERPETUAL");
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case API + "get_book_summary_by_currency" -> summary(market, request.param("currency"));
            case API + "get_instruments" -> instruments(market, request.param("currency"));
            case API + "get_funding_rate_history" -> history(request, market);
            default -> null;
        };
    }

    /** The model has more coin-margined contracts than the exchange: all but those on BTC are listed under ETH. */
    private static List<SimulatedContract> book(MarketSnapshot market, @Nullable String currency) {
        return market.where(l -> l.type() == ContractType.LINEAR
                ? "USDC".equals(currency)
                : (l.asset().equals("BTC") ? "BTC" : "ETH").equals(currency));
    }

    private String summary(MarketSnapshot market, @Nullable String currency) {
        return Json.object(body -> body.text("jsonrpc", "2.0").list("result", book(market, currency), (row, l) -> {
            row.text("instrument_name", symbol(l))
                    .text("base_currency", l.base())
                    .text("quote_currency", l.quote())
                    .raw("mark_price", plain(l.markPrice(), "0.0"))
                    .raw("estimated_delivery_price", plain(l.indexPrice(), "0.0"))
                    .number("creation_timestamp", market.nowMs() - 4);
            if (l.state() != State.DATED) {
                // with an exponent, as the exchange writes small numbers
                row.raw("current_funding", l.rate().toString()).number("funding_8h", l.lastSettledRate());
            }
        }));
    }

    private String instruments(MarketSnapshot market, @Nullable String currency) {
        return Json.object(body -> body.text("jsonrpc", "2.0")
                .list(
                        "result",
                        book(market, currency),
                        (row, l) -> row.text("instrument_name", symbol(l))
                                .text("kind", "future")
                                .text("settlement_period", l.state() == State.DATED ? "month" : "perpetual")
                                .flag("is_active", l.state() != State.DELISTED)
                                .text("state", l.state() == State.DELISTED ? "closed" : "open")));
    }

    /** What a period of the model charges, in equal parts of an hour. */
    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("instrument_name"));
        if (contract == null) {
            return null;
        }
        long from = request.number("start_timestamp", 0);
        long to = request.number("end_timestamp", market.nowMs());
        return Json.object(body -> body.text("jsonrpc", "2.0").array("result", rows -> {
            for (Settled settled : contract.settledAndRunning()) {
                for (long at = settled.settledMs() - (HOURS - 1) * HOUR_MS; at <= settled.settledMs(); at += HOUR_MS) {
                    if (at >= from && at <= to && at <= market.nowMs()) {
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
    public Errors errors() {
        return Errors.inBand(
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32602,\"message\":\"Invalid params\"}}",
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":10028,\"message\":\"too_many_requests\"}}");
    }
}
