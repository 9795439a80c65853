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
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * BingX perpetual futures: rate, interval and prices in one list, and a last settlement that looks like a time of the value. Its
 * coin-margined book is there and empty: it has no interval, and the model has no book that differs in that.
 */
final class BingxWire implements Wire {
    private static final String SWAP = "open-api.bingx.com/openApi/swap/v2/quote/";

    @Override
    public Traits traits() {
        return Traits.usual(1_057)
                .quotes("USDT", "USDC")
                .intervals(8, 4, 2, 1)
                .states(State.PAUSED, State.DELISTED)
                .scales(1_000, 10_000, 1_000_000)
                .unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract listing) {
        return listing.base() + "-" + listing.quote();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            // A paused contract is still listed here until the next refresh; a delisted one never is.
            case SWAP + "premiumIndex" -> enveloped(market.in(State.LIVE, State.PAUSED), this::premiumIndex);
            case "open-api.bingx.com/openApi/cswap/v1/market/premiumIndex" ->
                enveloped(List.<SimulatedContract>of(), this::premiumIndex);
            case SWAP + "contracts" -> enveloped(market.listings(), this::contract);
            case SWAP + "fundingRate" -> history(request, market);
            default -> null;
        };
    }

    private void premiumIndex(Json row, SimulatedContract l) {
        row.text("symbol", symbol(l))
                .text("markPrice", plain(l.markPrice(), ""))
                .text("indexPrice", plain(l.indexPrice(), "0"))
                .text("lastFundingRate", l.rate().setScale(8))
                .number("nextFundingTime", l.nextFundingMs())
                .number("fundingIntervalHours", l.intervalH())
                .number("updateTime", l.lastFundingMs());
    }

    private void contract(Json row, SimulatedContract l) {
        row.text("symbol", symbol(l))
                .text("size", "0.0001")
                .text("currency", l.quote())
                .text("asset", l.base())
                .number("status", status(l.state()))
                .text("apiStateOpen", l.isLive() ? "true" : "false")
                .text("apiStateClose", "true")
                .text("displayName", symbol(l))
                .number("offTime", 0);
    }

    private String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract listing = market.find(this, request.param("symbol"));
        if (listing == null) {
            return errorBody();
        }
        long most = Math.min(1_000, request.number("limit", 100));
        var page =
                listing.newestSettled(request.number("startTime", 0), request.number("endTime", market.nowMs()), most);
        return enveloped(
                page,
                (row, settled) -> row.text("symbol", symbol(listing))
                        .text("fundingRate", settled.rate().setScale(8))
                        .number("fundingTime", settled.settledMs()));
    }

    private static <T> String enveloped(List<T> rows, BiConsumer<Json, T> members) {
        return Json.object(body -> body.number("code", 0).text("msg", "").list("data", rows, members));
    }

    private static int status(State state) {
        return switch (state) {
            case LIVE, DATED -> 1;
            case DELISTED -> 0;
            case PAUSED -> 25;
            case PRE_LISTING -> 5;
        };
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"code\":109425,\"msg\":\"symbol does not exist\",\"data\":{}}",
                "{\"code\":100410,\"msg\":\"rate limited\",\"data\":{}}");
    }
}
