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
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Gemini: contract by contract, funding as an amount of the quote currency per coin. */
final class GeminiWire implements Wire {
    private static final long LAG_MS = 15_000;

    @Override
    public Traits traits() {
        return Traits.usual(13)
                .quotes("USDC", "GUSD")
                .intervals(1)
                .scales(1)
                .states(State.DELISTED, State.PAUSED)
                .unpublished(Unpublished.VENUE_TIME, Unpublished.EXACT_RATE);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return (contract.asset() + contract.quote()).toLowerCase(Locale.ROOT) + "perp";
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        if (request.address().equals("api.gemini.com/v1/symbols")) {
            return Json.array(names -> {
                names.item("btcusd").item("ethbtc");
                market.listings().forEach(l -> names.item(symbol(l)));
            });
        }
        SimulatedContract contract =
                market.find(this, request.path().substring(request.path().lastIndexOf('/') + 1));
        if (contract == null || !request.host().equals("api.gemini.com")) {
            return null;
        }
        return switch (request.path().substring(0, request.path().lastIndexOf('/'))) {
            case "/v1/symbols/details" -> Json.object(body -> details(body, contract));
            case "/v1/riskstats" -> Json.object(body -> risk(body, contract));
            case "/v1/fundingamount" -> Json.object(body -> amount(body, contract, market.nowMs()));
            default -> null;
        };
    }

    private void details(Json body, SimulatedContract l) {
        body.text("symbol", symbol(l).toUpperCase(Locale.ROOT))
                .text("status", l.isLive() ? "open" : "closed")
                .text("product_type", "swap")
                .text("contract_type", "linear");
    }

    private static void risk(Json body, SimulatedContract l) {
        body.text("product_type", "PerpetualSwapContract")
                .text("mark_price", l.markPrice())
                .text("index_price", l.indexPrice())
                .text("open_interest", "1");
    }

    /** For the first seconds of an hour, the settlement that has just passed and its estimate. */
    private void amount(Json body, SimulatedContract l, long nowMs) {
        boolean lags = nowMs - l.lastFundingMs() < LAG_MS;
        long hourMs = l.nextFundingMs() - l.lastFundingMs();
        body.text("symbol", symbol(l))
                .text(
                        "fundingDateTime",
                        Instant.ofEpochMilli(l.lastFundingMs() - (lags ? hourMs : 0))
                                .toString())
                .number("fundingTimestampMilliSecs", l.lastFundingMs() - (lags ? hourMs : 0))
                .number("nextFundingTimestamp", lags ? l.lastFundingMs() : l.nextFundingMs())
                .number("fundingAmount", perCoin(l, l.lastSettledRate()))
                .number("estimatedFundingAmount", perCoin(l, lags ? l.lastSettledRate() : l.rate()));
    }

    private static @Nullable BigDecimal perCoin(SimulatedContract l, BigDecimal rate) {
        return l.markPrice() == null ? null : rate.multiply(l.markPrice());
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"result\":\"error\",\"reason\":\"EndpointNotFound\",\"message\":\"API entry point not found\"}",
                "{\"result\":\"error\",\"reason\":\"RateLimit\",\"message\":\"Requests were made too frequently\"}");
    }
}
