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

/** WEEX: forecast and last settled rate side by side, intervals in minutes; a dead contract announces a settlement in 1970. */
final class WeexWire implements Wire {
    private static final String API = "api-contract.weex.com/capi/v3/market/";
    private static final long NEVER_MS = 28_800_000;
    private static final long LONGEST_MS = 7 * 24 * 3_600_000L;
    private static final String TOO_LONG = "{\"code\":-1142,\"msg\":\"Time range cannot exceed 7 days\"}";

    @Override
    public Traits traits() {
        return Traits.usual(1_016)
                .states(State.DELISTED, State.PRE_LISTING)
                .scales(1_000, 1_000_000)
                .unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return base(contract) + contract.quote();
    }

    private static String base(SimulatedContract contract) {
        return contract.priceScale() == 1_000_000 ? "1M" + contract.asset() : contract.base();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case API + "premiumIndex" -> premiumIndex(market);
            case API + "exchangeInfo" -> exchangeInfo(market);
            case API + "fundingRate" -> history(request, market);
            default -> null;
        };
    }

    private String premiumIndex(MarketSnapshot market) {
        return Json.list(
                market.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("markPrice", plain(l.markPrice(), "0"))
                        .text("indexPrice", plain(l.indexPrice(), "0"))
                        .text("forecastFundingRate", l.rate())
                        .text("lastFundingRate", l.lastSettledRate())
                        .text("interestRate", "0.0001")
                        .number("nextFundingTime", l.state() == State.DELISTED ? NEVER_MS : l.nextFundingMs())
                        .number("time", market.nowMs())
                        .number("collectCycle", l.intervalH() * 60L));
    }

    private String exchangeInfo(MarketSnapshot market) {
        return Json.object(body -> body.array("assets", assets -> {})
                .list(
                        "symbols",
                        market.in(State.LIVE, State.DELISTED),
                        (row, l) -> row.text("symbol", symbol(l))
                                .text("baseAsset", base(l))
                                .text("quoteAsset", l.quote())
                                .text("marginAsset", l.quote())
                                .text("contractType", "PERPETUAL")
                                .flag("forwardContractFlag", true)));
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        if (contract == null) {
            return null;
        }
        long to = request.number("endTime", market.nowMs());
        long from = request.number("startTime", to - LONGEST_MS);
        if (to - from > LONGEST_MS) {
            return TOO_LONG;
        }
        return Json.list(
                contract.newestSettled(from, to, Math.min(1_000, request.number("limit", 100))),
                (row, s) -> row.text("symbol", symbol(contract))
                        .text("fundingRate", s.rate())
                        .number("fundingTime", s.settledMs() + s.settledMs() / 3_600_000 % 700));
    }

    @Override
    public int status(String body) {
        return body.equals(TOO_LONG) ? 400 : 200;
    }

    @Override
    public Errors errors() {
        return Errors.byStatus("{\"code\":-1142,\"msg\":\"Invalid symbol.\"}", "");
    }
}
