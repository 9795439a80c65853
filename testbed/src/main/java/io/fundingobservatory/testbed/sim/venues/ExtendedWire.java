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
import io.fundingobservatory.topics.records.AssetClass;
import org.jspecify.annotations.Nullable;

/** Extended: one list of everything, hourly, with the next settlement's time under the name of a rate. */
final class ExtendedWire implements Wire {
    private static final String TIMES_REQUIRED =
            "{\"status\":\"ERROR\",\"error\":{\"code\":1006,\"message\":\"startTime and endTime are required\"}}";
    private static final String INFO = "/api/v1/info/";
    private static final long PAGE = 1_000;
    private static final long LAG_MS = 20_000;

    @Override
    public Traits traits() {
        return Traits.usual(130)
                .intervals(1)
                .quotes("USD")
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .unpublished(Unpublished.VENUE_TIME)
                .rateDecimals(6);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + "-" + contract.quote();
    }

    @Override
    public AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClass();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        String requested = request.pathAfter(INFO);
        if (!request.host().equals("api.starknet.extended.exchange") || requested == null) {
            return null;
        }
        return requested.equals("markets") ? markets(market) : funding(requested, request, market);
    }

    private String markets(MarketSnapshot market) {
        return Json.object(body -> body.text("status", "OK")
                .list(
                        "data",
                        market.listings(),
                        (row, l) -> row.text("name", symbol(l))
                                .text("type", "PERPETUAL")
                                .text("category", l.assetClass() == AssetClass.CRYPTO ? "Crypto" : "RWA")
                                .text(
                                        "subCategory",
                                        switch (l.assetClass()) {
                                            case EQUITY -> "Equity";
                                            case COMMODITY -> "Commodity";
                                            default -> "L1";
                                        })
                                .text("assetName", l.base())
                                .text("collateralAssetName", l.quote())
                                .flag("active", true)
                                .text("status", status(l.state()))
                                .object(
                                        "marketStats",
                                        stats -> stats.text("markPrice", plain(l.markPrice(), "0"))
                                                .text("indexPrice", plain(l.indexPrice(), "0"))
                                                .text("fundingRate", l.rate().setScale(6))
                                                .number("nextFundingRate", nextOrLagging(l, market)))));
    }

    /** In the first seconds of an hour some rows still name the settlement that has just passed. */
    private static long nextOrLagging(SimulatedContract l, MarketSnapshot market) {
        boolean lags = market.nowMs() - l.lastFundingMs() < LAG_MS && l.oneOf(7) == 0;
        return lags ? l.lastFundingMs() : l.nextFundingMs();
    }

    private @Nullable String funding(String requested, SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, requested.replace("/funding", ""));
        if (contract == null) {
            return null;
        }
        if (request.param("startTime") == null || request.param("endTime") == null) {
            return TIMES_REQUIRED;
        }
        var page = contract
                .settledBetween(request.number("startTime", 0), request.number("endTime", market.nowMs()))
                .reversed()
                .stream()
                .limit(PAGE)
                .toList();
        return Json.object(body -> body.text("status", "OK")
                .list(
                        "data",
                        page,
                        (row, s) -> row.text("m", symbol(contract))
                                .text("f", s.rate().setScale(6))
                                .number("T", s.settledMs() + lateMs(s))));
    }

    /** 0.7 to 2 s after the hour, and now and then minutes: 559 s were seen. */
    private static long lateMs(Settled settled) {
        long hour = settled.settledMs() / 3_600_000;
        return 700 + hour % 1_300 + (hour % 97 == 0 ? 557_000 : 0);
    }

    private static String status(State state) {
        return switch (state) {
            case LIVE, DATED -> "ACTIVE";
            case DELISTED -> "DELISTED";
            case PAUSED -> "REDUCE_ONLY";
            case PRE_LISTING -> "PRELISTED";
        };
    }

    @Override
    public int status(String body) {
        return body.equals(TIMES_REQUIRED) ? 400 : 200;
    }

    @Override
    public boolean needsUserAgent() {
        return true;
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"status\":\"ERROR\",\"error\":{\"code\":1001,\"message\":\"Market not found\"}}",
                "{\"status\":\"ERROR\",\"error\":{\"code\":429,\"message\":\"Too many requests\"}}");
    }
}
