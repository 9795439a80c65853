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
import org.jspecify.annotations.Nullable;

/** dYdX v4 indexer: markets keyed by ticker, rates for one hour, one oracle price and no mark. */
final class DydxWire implements Wire {
    private static final String HISTORY = "/v4/historicalFunding/";

    @Override
    public Traits traits() {
        return Traits.usual(230)
                .quotes("USD")
                .intervals(1)
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .scales(1)
                .unpublished(Unpublished.NEXT_FUNDING, Unpublished.VENUE_TIME, Unpublished.INDEX_IS_MARK)
                .rateDecimals(17);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.asset() + "-USD";
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        String ticker = request.pathAfter(HISTORY);
        if (ticker != null) {
            return history(request, market, ticker);
        }
        return request.address().equals("indexer.dydx.trade/v4/perpetualMarkets") ? markets(market) : null;
    }

    private String markets(MarketSnapshot market) {
        return Json.object(body -> body.object("markets", markets -> {
            for (SimulatedContract l : market.listings()) {
                markets.object(
                        symbol(l),
                        row -> row.text("ticker", symbol(l))
                                .text("status", status(l.state()))
                                .text("oraclePrice", l.indexPrice())

                                // until the first sample of the hour, a minute after it at most
                                .text(
                                        "nextFundingRate",
                                        l.hasJustSettled(market.nowMs(), 45) ? l.lastSettledRate() : l.rate())
                                .number("atomicResolution", -9)
                                .text("marketType", "CROSS")
                                .text("defaultFundingRate1H", "0"));
            }
        }));
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market, String ticker) {
        SimulatedContract contract = market.find(this, ticker);
        if (contract == null) {
            return null;
        }
        String before = request.param("effectiveBeforeOrAt");
        long to = before == null ? market.nowMs() : Instant.parse(before).toEpochMilli();
        return Json.object(body -> body.list(
                "historicalFunding",
                contract.newestSettled(0, to, Math.min(1_000, request.number("limit", 1_000))),
                (row, settled) -> row.text("ticker", ticker)
                        .text("rate", settled.rate())
                        .text("price", plain(contract.indexPrice(), "0"))
                        .text(
                                "effectiveAt",
                                Instant.ofEpochMilli(jittered(settled.settledMs()))
                                        .toString())));
    }

    private static long jittered(long settledMs) {
        return settledMs + settledMs / 3_600_000 % 600;
    }

    private static String status(State state) {
        return switch (state) {
            case LIVE, DATED -> "ACTIVE";
            case DELISTED -> "FINAL_SETTLEMENT";
            case PAUSED -> "PAUSED";
            case PRE_LISTING -> "INITIALIZING";
        };
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"errors\":[{\"msg\":\"ticker must be a valid ticker (BTC-USD, etc)\"}]}",
                "{\"errors\":[{\"msg\":\"Too many requests\"}]}");
    }
}
