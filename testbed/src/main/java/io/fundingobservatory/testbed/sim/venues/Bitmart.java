package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Untold;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * BitMart: everything but a mark price in one list, where dead contracts stay, most of them still "Trading"; the newest 100
 * settlements of each and no more.
 */
final class Bitmart implements Wire {
    private static final String API = "api-cloud-v2.bitmart.com/contract/public/";
    private static final BigDecimal IDLE_RATE = new BigDecimal("0.0001");
    private static final long DAY_MS = 24 * 3_600_000L;

    @Override
    public String venue() {
        return "bitmart";
    }

    @Override
    public Traits traits() {
        return Traits.usual(1_215)
                .dead(450)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .states(State.DELISTED, State.PAUSED, State.DATED)
                .untold(Untold.MARK_PRICE, Untold.VENUE_TIME)
                .rateDecimals(7);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + contract.quote() + (contract.state() == State.DATED ? "261225" : "");
    }

    @Override
    public @Nullable String answer(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case API + "details" -> details(market);
            case API + "funding-rate-v2" -> ratesOfTraded(market);
            case API + "funding-rate-history" -> history(request, market);
            default -> null;
        };
    }

    private String details(MarketSnapshot market) {
        return body(data -> data.list(
                "symbols",
                market.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .number("product_type", l.state() == State.DATED ? 2 : 1)
                        .text("base_currency", l.base())
                        .text("quote_currency", l.quote())
                        .text("index_price", plain(l.indexPrice(), "0"))
                        .text("funding_rate", isIdle(l) ? IDLE_RATE : l.lastSettledRate())
                        .text("expected_funding_rate", expectedRate(l))
                        .number("funding_time", l.nextFundingMs())
                        .number("funding_interval_hours", l.intervalH())
                        .text("volume_24h", isIdle(l) || isOver(l) ? "0" : "431975")
                        .text("status", l.state() == State.DELISTED && l.oneOf(3) == 0 ? "Delisted" : "Trading")
                        .number("delist_time", isOver(l) ? (market.nowMs() - DAY_MS) / 1_000 : 0)));
    }

    /** Only what was traded in the last day. */
    private String ratesOfTraded(MarketSnapshot market) {
        return body(data -> data.list(
                "list",
                market.where(l -> l.isLive() && l.type() == ContractType.LINEAR),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("expected_rate", l.rate())
                        .text("rate_value", l.lastSettledRate())
                        .number("funding_time", l.nextFundingMs())
                        .text("funding_upper_limit", "0.02")
                        .text("funding_lower_limit", "-0.02")
                        .number("timestamp", market.nowMs())));
    }

    /** Past its end; two of three such rows still say "Trading". */
    private static boolean isOver(SimulatedContract l) {
        return l.state() == State.DELISTED;
    }

    /** "Trading", without an end, and without a trade for weeks: empty books and a rate that stands still. */
    private static boolean isIdle(SimulatedContract l) {
        return l.state() == State.PAUSED;
    }

    private static BigDecimal expectedRate(SimulatedContract l) {
        return isIdle(l) ? IDLE_RATE : l.rate();
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        if (contract == null) {
            return null;
        }
        return body(data -> data.list(
                "list",
                contract.newestSettled(0, market.nowMs(), Math.min(100, request.number("limit", 100))),
                (row, s) -> row.text("symbol", symbol(contract))
                        .text("funding_rate", s.rate())
                        .text("funding_time", s.settledMs())));
    }

    private static String body(Consumer<Json> data) {
        return Json.object(body -> body.number("code", 1_000)
                .text("message", "Ok")
                .object("data", data)
                .text("trace", "7f0c"));
    }

    @Override
    public String errorBody() {
        return "{\"code\":40034,\"message\":\"Symbol Not Exist\",\"trace\":\"7f0c\"}";
    }

    @Override
    public String throttledBody() {
        return "{\"code\":30013,\"message\":\"Request too many requests\",\"trace\":\"7f0c\"}";
    }
}
