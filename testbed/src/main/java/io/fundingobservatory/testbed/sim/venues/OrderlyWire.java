package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Unpublished;
import io.fundingobservatory.testbed.sim.Wire;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Orderly: bare numbers, small ones with an exponent, and the interval in a list of its own. */
final class OrderlyWire implements Wire {
    private static final int PAGE = 500;

    @Override
    public Traits traits() {
        return Traits.usual(160)
                .intervals(8, 4)
                .quotes("USDC")
                .states(State.DELISTED, State.PAUSED)
                .unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        String base = contract.base();
        return "PERP_" + base + "_" + contract.quote() + (contract.asset().startsWith("M") ? "_mythos" : "");
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "api.orderly.org/v1/public/futures" -> futures(market);
            case "api.orderly.org/v1/public/funding_rates" -> fundingRates(market);
            case "api.orderly.org/v1/public/info" -> info(market);
            case "api.orderly.org/v1/public/funding_rate_history" -> history(request, market);
            default -> null;
        };
    }

    private String futures(MarketSnapshot market) {
        return rows(
                market,
                market.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("status", l.isLive() ? "ACTIVE" : "SUSPENDED")
                        .raw("index_price", bare(l.indexPrice()))
                        .raw("mark_price", bare(l.markPrice()))
                        .raw("est_funding_rate", bare(l.rate()))
                        .raw("last_funding_rate", bare(l.lastSettledRate()))
                        .number("next_funding_time", l.nextFundingMs())
                        .flag("is_pretge", false));
    }

    private String fundingRates(MarketSnapshot market) {
        return rows(
                market,
                market.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .raw("est_funding_rate", bare(l.rate()))
                        .number("est_funding_rate_timestamp", market.nowMs())
                        .raw("last_funding_rate", bare(l.lastSettledRate()))
                        .number("last_funding_rate_timestamp", l.lastFundingMs())
                        .number("next_funding_time", l.nextFundingMs()));
    }

    private String info(MarketSnapshot market) {
        // Newly listed ones come into the list late: their interval is the gap between two settlements.
        return rows(
                market,
                market.where(l -> !l.asset().startsWith("A")),
                (row, l) -> row.text("symbol", symbol(l))
                        .number("funding_period", l.intervalH())
                        .text("status", l.isLive() ? "ACTIVE" : "SUSPENDED"));
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        if (contract == null) {
            return null;
        }
        long size = Math.min(PAGE, request.number("size", 60));
        var page = contract
                .settledBetween(request.number("start_t", 0), request.number("end_t", market.nowMs()))
                .reversed()
                .stream()
                .skip((request.number("page", 1) - 1) * size)
                .limit(size)
                .toList();
        return rows(
                market,
                page,
                (row, s) -> row.text("symbol", symbol(contract))
                        .raw("funding_rate", bare(s.rate()))
                        .number("funding_rate_timestamp", s.settledMs()));
    }

    private static <T> String rows(MarketSnapshot market, List<T> items, BiConsumer<Json, T> members) {
        return Json.object(body -> body.flag("success", true)
                .number("timestamp", market.nowMs())
                .object("data", data -> data.list("rows", items, members)));
    }

    private static String bare(@Nullable BigDecimal value) {
        return value == null ? "0" : value.stripTrailingZeros().toString();
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"success\":false,\"code\":-1005,\"message\":\"order_price must be a positive number\",\"timestamp\":1790000000000}",
                "{\"success\":false,\"code\":-1003,\"message\":\"Rate limit exceeded\",\"timestamp\":1790000000000}");
    }
}
