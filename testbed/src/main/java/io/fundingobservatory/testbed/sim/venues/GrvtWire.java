package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import java.math.BigDecimal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** GRVT: percent, nanoseconds, one POST for each instrument. */
final class GrvtWire implements Wire {
    private static final long NANOS = 1_000_000;
    private static final long PAGE = 1_000;
    private static final Set<String> CAPITAL_K = Set.of("PEPE", "BONK", "SHIB");

    @Override
    public Traits traits() {
        return Traits.usual(194).intervals(8, 4).states(State.DATED).rateDecimals(6);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return base(contract) + "_" + contract.quote() + (contract.state() == State.DATED ? "_Fut_25Dec26" : "_Perp");
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "market-data.grvt.io/full/v1/all_instruments" -> instruments(market);
            case "market-data.grvt.io/full/v1/ticker" -> ticker(request, market);
            case "market-data.grvt.io/full/v1/funding" -> funding(request, market);
            default -> null;
        };
    }

    private String instruments(MarketSnapshot market) {
        return Json.object(body -> body.list(
                "result",
                market.listings(),
                (row, l) -> row.text("instrument", symbol(l))
                        .text("status", "ACTIVE")
                        .text("base", base(l))
                        .text("quote", l.quote())
                        .text("kind", l.state() == State.DATED ? "FUTURE" : "PERPETUAL")
                        .number("funding_interval_hours", l.intervalH())));
    }

    private @Nullable String ticker(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract l = market.find(this, request.posted("instrument"));
        if (l == null) {
            return null;
        }
        return Json.object(body -> body.object(
                "result",
                row -> row.text("event_time", market.nowMs() * NANOS + 222_195)
                        .text("instrument", symbol(l))
                        .text("mark_price", plain(l.markPrice(), "0.0"))
                        .text("index_price", plain(l.indexPrice(), "0.0"))
                        .text("funding_rate_8h_curr", percent(l.rate()))
                        .text("funding_rate_8h_avg", "0.01")
                        .text("funding_rate", percent(l.rate()))
                        .text("next_funding_time", l.nextFundingMs() * NANOS)
                        .text("status", "UNSPECIFIED")));
    }

    private @Nullable String funding(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract l = market.find(this, request.posted("instrument"));
        if (l == null) {
            return null;
        }
        var page = l
                .settledBetween(
                        request.postedNumber("start_time", 0) / NANOS, request.postedNumber("end_time", 0) / NANOS)
                .reversed()
                .stream()
                .limit(Math.min(PAGE, request.postedNumber("limit", 500)))
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

    private static String base(SimulatedContract contract) {
        if (contract.priceScale() == 1) {
            return contract.asset();
        }
        return (CAPITAL_K.contains(contract.asset()) ? "K" : "1000") + contract.asset();
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"code\":1003,\"message\":\"Request could not be processed due to malformed syntax\",\"status\":400}",
                "{\"code\":1006,\"message\":\"You have surpassed the allocated rate limit for your tier\",\"status\":429}");
    }
}
