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
import org.jspecify.annotations.Nullable;

/**
 * Derive: tickers by name with fields of one letter, and options without a rate among them. A history request
 * spans at most 30 days. Its rows are buckets of an hour: stamped and found by their start, the running one included.
 */
final class DeriveWire implements Wire {
    private static final String INVALID = "{\"error\":{\"code\":-32602,\"message\":\"Invalid params\"},\"id\":\"1\"}";
    private static final long HOUR_MS = 3_600_000;
    private static final long LONGEST_MS = 30 * 24 * HOUR_MS;

    @Override
    public Traits traits() {
        return Traits.usual(30)
                .intervals(1)
                .quotes("USD")
                .scales(1)
                .states(State.DELISTED, State.DATED)
                .unpublished(Unpublished.NEXT_FUNDING)
                .rateDecimals(9);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.asset() + (contract.state() == State.DATED ? "-20261225-3000-C" : "-PERP");
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "api.derive.xyz/v3/public/get_tickers" -> tickers(market);
            case "api.derive.xyz/v3/public/get_all_instruments" -> instruments(market);
            case "api.derive.xyz/v3/public/get_funding_rate_history" -> history(request, market);
            default -> null;
        };
    }

    private String tickers(MarketSnapshot market) {
        return Json.object(body -> body.object(
                "result",
                result -> result.object("tickers", tickers -> {
                    for (SimulatedContract l : market.listings()) {
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
                                        .number("t", market.nowMs() - 286));
                    }
                })));
    }

    private String instruments(MarketSnapshot market) {
        var perpetuals = market.where(l -> l.state() != State.DATED);
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

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.posted("instrument_name"));
        if (contract == null) {
            return null;
        }
        String period = request.posted("period");
        if (period != null && !request.body().matches(".*\"period\"\\s*:\\s*(null|\\d+)\\s*[,}].*")) {
            return INVALID;
        }
        long from = request.postedNumber("start_timestamp", 0);
        long to = request.postedNumber("end_timestamp", market.nowMs());
        if (to - from > LONGEST_MS) {
            return INVALID;
        }
        var buckets = contract.settledAndRunning().stream()
                .filter(hour -> hour.settledMs() - HOUR_MS >= from && hour.settledMs() - HOUR_MS <= to)
                .toList();
        return Json.object(body -> body.object(
                "result",
                result -> result.list(
                        "funding_rate_history",
                        buckets,
                        (row, s) -> row.number("timestamp", s.settledMs() - HOUR_MS)
                                .text("funding_rate", s.rate().setScale(9)))));
    }

    @Override
    public boolean needsUserAgent() {
        return true;
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                INVALID,
                "{\"error\":{\"code\":-32000,\"message\":\"Rate limit exceeded\",\"data\":\"Retry after 100 ms\"},\"id\":\"1\"}");
    }
}
