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
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** HitBTC: objects by symbol, fixed rates, suspended rows with a mark of 0 or a next settlement long ago. */
final class HitbtcWire implements Wire {
    private static final String V3 = "api.hitbtc.com/api/3/public/";
    private static final long INTERVAL_MS = 8 * 3_600_000L;

    @Override
    public Traits traits() {
        return Traits.usual(55).fixed().intervals(8).scales(1, 100).states(State.DELISTED, State.PAUSED);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + contract.quote() + "_PERP";
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case V3 + "futures/info" ->
                Json.object(body ->
                        market.listings().forEach(l -> body.object(symbol(l), row -> info(row, l, market))));
            case V3 + "symbol" ->
                Json.object(body -> market.listings().forEach(l -> body.object(symbol(l), row -> contract(row, l))));
            case V3 + "futures/history/funding" -> history(request, market);
            default -> null;
        };
    }

    private static void info(Json row, SimulatedContract l, MarketSnapshot market) {
        boolean dead = l.state() == State.PAUSED;
        long frozen = l.state() == State.DELISTED ? 90 * INTERVAL_MS : 0;
        row.text("contract_type", "perpetual")
                .text("mark_price", dead ? "0" : plain(l.markPrice(), ""))
                .text("index_price", dead ? "0" : plain(l.indexPrice(), "0"))
                .text("funding_rate", dead ? "0" : l.rate().toPlainString())
                .text("next_funding_time", iso(dead ? 0 : l.nextFundingMs() - frozen))
                .text("indicative_funding_rate", l.lastSettledRate())
                .text("timestamp", iso(market.nowMs() - frozen));
    }

    private static void contract(Json row, SimulatedContract l) {
        row.text("type", "futures")
                .text("contract_type", "perpetual")
                .nothing("expiry")
                .text("underlying", l.base())
                .nothing("base_currency")
                .text("quote_currency", l.quote())
                .text("status", l.state() == State.PAUSED ? "suspended" : "working");
    }

    /** Rows lie where a rate was fixed, an interval before it is charged; the newest is still to come. */
    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbols"));
        if (contract == null) {
            return null;
        }
        String until = request.param("until");
        long to = (until == null ? market.nowMs() : Instant.parse(until).toEpochMilli()) + INTERVAL_MS;
        return Json.object(body -> body.array(symbol(contract), rows -> {
            if (contract.nextFundingMs() <= to) {
                rows.item(row -> fixed(row, contract.nextFundingMs(), contract.rate()));
            }
            contract.newestSettled(0, to, request.number("limit", 100) - 1)
                    .forEach(s -> rows.item(row -> fixed(row, s.settledMs(), s.rate())));
        }));
    }

    private static void fixed(Json row, long settlesAtMs, BigDecimal rate) {
        row.text("timestamp", iso(settlesAtMs - INTERVAL_MS + 4))
                .text("funding_rate", rate)
                .text("next_funding_time", iso(settlesAtMs))
                .text("interest_rate", "0.0001");
    }

    private static String iso(long epochMs) {
        return Instant.ofEpochMilli(epochMs).toString();
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"timestamp\":\"2026-11-20T10:00:00.000Z\",\"error\":{\"description\":\"\",\"code\":2001,"
                        + "\"message\":\"No such symbol: NOPEUSDT_PERP\"},\"requestId\":\"1\"}",
                "{\"error\":{\"code\":429,\"message\":\"Too many requests\"}}");
    }
}
