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
import org.jspecify.annotations.Nullable;

/**
 * Toobit: rate, mark and index in three responses, the index under a token that only the list of contracts has.
 * Until 75 s after a settlement a row has the settled rate and names the settlement that has passed.
 */
final class ToobitWire implements Wire {
    private static final long PAGE = 1_000;
    private static final int LATE_S = 75;

    private static final String API = "api.toobit.com/";

    @Override
    public Traits traits() {
        return Traits.usual(815)
                .quotes("USDT", "USDC")
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .scales(1_000, 1_000_000)
                .unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + "-SWAP-" + contract.quote();
    }

    @Override
    public @Nullable AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClassAmong(AssetClass.EQUITY);
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case API + "api/v1/futures/fundingRate" -> rates(market);
            case API + "quote/v1/markPrice" -> marks(market);
            case API + "quote/v1/index" -> indices(market);
            case API + "api/v1/exchangeInfo" -> contracts(market);
            case API + "api/v1/futures/historyFundingRate" -> history(request, market);
            default -> null;
        };
    }

    private String rates(MarketSnapshot market) {
        return Json.list(market.listings(), (row, l) -> {
            boolean late = l.hasJustSettled(market.nowMs(), LATE_S);
            row.text("symbol", symbol(l))
                    .text("rate", late ? l.lastSettledRate() : l.rate())
                    .text("period", l.intervalH() + "H")
                    .text("nextFundingTime", late ? l.lastFundingMs() : l.nextFundingMs());
        });
    }

    private String marks(MarketSnapshot market) {
        return Json.list(
                market.listings(),
                (row, l) -> row.number("exchangeId", 301)
                        .text("symbolId", symbol(l))
                        .text("price", plain(l.markPrice(), "0"))
                        .number("time", market.nowMs()));
    }

    private String indices(MarketSnapshot market) {
        return Json.object(body -> body.object("index", index -> {
                    for (SimulatedContract l : market.listings()) {
                        if (l.indexPrice() != null) {
                            index.text(token(l), l.indexPrice());
                        }
                    }
                })
                .object("edp", edp -> {}));
    }

    /** The underlying hides the multiplier. */
    private String contracts(MarketSnapshot market) {
        return Json.object(body -> body.text("timezone", "UTC")
                .list(
                        "contracts",
                        market.in(State.LIVE, State.PAUSED, State.PRE_LISTING),
                        (row, l) -> row.text("symbol", symbol(l))
                                .text(
                                        "status",
                                        l.isLive()
                                                ? "TRADING"
                                                : l.state() == State.PAUSED ? "OPEN_FORBIDDEN" : "ONLINE")
                                .text("baseAsset", symbol(l))
                                .text("quoteAsset", l.quote())
                                .flag("inverse", false)
                                .text("indexToken", token(l))
                                .text("underlying", l.asset())
                                .flag("isRwa", l.isShare())
                                .text("rwaType", l.isShare() ? "STOCK" : "")));
    }

    private static String token(SimulatedContract l) {
        return l.base() + l.quote();
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        if (contract == null) {
            return null;
        }
        // 1,500 are refused; endTime is ignored
        if (request.number("limit", 20) > PAGE) {
            return errorBody();
        }
        return Json.list(
                contract.newestSettled(0, market.nowMs(), request.number("limit", 20)),
                (row, s) -> row.text("id", s.settledMs())
                        .text("symbol", symbol(contract))
                        .text("settleTime", s.settledMs())
                        .text("settleRate", s.rate())
                        .text("period", s.intervalH() + "H"));
    }

    @Override
    public int status(String body) {
        return body.equals(errorBody()) ? 400 : 200;
    }

    @Override
    public Errors errors() {
        return Errors.byStatus("{\"code\":-1130,\"msg\":\"Data sent for parameter symbol is not valid.\"}", "");
    }
}
