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
import io.fundingobservatory.topics.records.AssetClass;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ondo Perps: the rate that was paid next to the estimate, an index price that is off, and the right one with the marks. A quarter of
 * the rows are dead: disabled ones keep their rates.
 */
final class OndoWire implements Wire {
    private static final String API = "api.ondoperps.xyz/v1/perps/";
    private static final long PAGE = 1_000;
    private static final BigDecimal OFF = new BigDecimal("1.0064");

    @Override
    public Traits traits() {
        return Traits.usual(81)
                .dead(80)
                .intervals(1)
                .quotes("USDC")
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .scales(1)
                .unpublished(Unpublished.VENUE_TIME)
                .rateDecimals(7);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.asset() + "-USD.P";
    }

    @Override
    public @Nullable AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClassAmong(AssetClass.CRYPTO, AssetClass.EQUITY, AssetClass.COMMODITY);
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case API + "contracts" -> contracts(market);
            case API + "mark_prices" -> marks(market);
            case API + "funding_rate_history" -> history(request, market);
            default -> null;
        };
    }

    private String contracts(MarketSnapshot market) {
        return Json.object(body -> body.flag("success", true).list("result", market.listings(), (row, l) -> {
            row.text("market", symbol(l))
                    .text("displayName", l.asset() + "USD")
                    .text("productType", "perpetual")
                    .text("contractType", "linear")
                    .text("baseCurrency", l.asset())
                    .text("quoteCurrency", "USD")
                    .flag("disabled", l.state() == State.PAUSED)
                    .flag("isClosed", l.isShare())
                    .text("fundingRate", l.lastSettledRate())
                    .text("nextFundingRate", l.rate())
                    .text("nextFundingRateTimestamp", iso(l.nextFundingMs()))
                    .array(
                            "tags",
                            tags -> tags.item(
                                    switch (l.assetClass()) {
                                        case EQUITY -> "Stock";
                                        case COMMODITY -> "Commodity";
                                        default -> "Crypto";
                                    }));
            if (l.indexPrice() != null) {
                row.text("indexPrice", l.indexPrice().multiply(OFF));
            }
        }));
    }

    /** A delisted contract is not in there; one that is to open has no mark yet. */
    private String marks(MarketSnapshot market) {
        return Json.object(body -> body.flag("success", true).object("result", marks -> {
            for (SimulatedContract l : market.in(State.LIVE, State.PAUSED, State.PRE_LISTING)) {
                marks.object(
                        symbol(l),
                        row -> row.text("market", symbol(l))
                                .text("markPrice", l.state() == State.PRE_LISTING ? "0" : plain(l.markPrice(), ""))
                                .text("oraclePrice", plain(l.indexPrice(), ""))
                                .text("lastUpdatedTime", iso(market.nowMs())));
            }
        }));
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("market"));
        if (contract == null) {
            return null;
        }
        long late = 11L + contract.oneOf(28);
        List<SimulatedContract.Settled> page = contract.newestSettled(
                request.number("startTime", 0) - late,
                request.number("endTime", market.nowMs()) - late,
                Math.min(PAGE, request.number("limit", 100)));
        return Json.object(body -> body.flag("success", true)
                .list(
                        "result",
                        page,
                        (row, s) -> row.text("market", symbol(contract))
                                .text("time", iso(s.settledMs() + late))
                                .text("fundingRate", s.rate()))
                .object("pageInfo", info -> info.text("prevCursor", "").text("nextCursor", "")));
    }

    private static String iso(long epochMs) {
        return Instant.ofEpochMilli(epochMs).toString();
    }

    @Override
    public boolean needsUserAgent() {
        return true;
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"success\":false,\"error\":\"invalid market\",\"error_code\":\"invalid_market\"}",
                "{\"success\":false,\"error\":\"too many requests\",\"error_code\":\"too_many_requests\"}");
    }
}
