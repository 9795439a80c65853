package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Bluefin: every figure an integer between quotes, scaled by a thousand million. */
final class Bluefin implements Wire {
    private static final int E9 = 9;
    private static final long PAGE = 1_000;

    @Override
    public String venue() {
        return "bluefin";
    }

    @Override
    public Traits traits() {
        // Nine decimals hold the model's prices of tiny coins only by the million.
        return Traits.usual(25)
                .intervals(1)
                .quotes("USDC")
                .scales(1_000_000)
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .rateDecimals(9);
    }

    @Override
    public String symbol(Listing listing) {
        return base(listing) + "-PERP";
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case "api.sui-prod.bluefin.io/v1/exchange/tickers" -> tickers(moment);
            case "api.sui-prod.bluefin.io/v1/exchange/info" -> info(moment);
            case "api.sui-prod.bluefin.io/v1/exchange/fundingRateHistory" -> history(call, moment);
            default -> null;
        };
    }

    private String tickers(Moment moment) {
        return Json.list(
                moment.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("avgFundingRate8hrE9", "12500")
                        .text("estimatedFundingRateE9", e9(l.rate()))
                        .text("lastFundingRateE9", e9(l.lastSettledRate()))
                        .text("markPriceE9", e9(l.markPrice()))
                        .text("oraclePriceE9", e9(l.indexPrice()))
                        .number("nextFundingTimeAtMillis", l.nextFundingMs())
                        .number("updatedAtMillis", moment.nowMs() - 325));
    }

    private String info(Moment moment) {
        return Json.object(body -> body.list(
                "markets",
                moment.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("status", status(l.state()))
                        .text("baseAssetSymbol", base(l))));
    }

    private @Nullable String history(Call call, Moment moment) {
        Listing listing = moment.find(this, call.param("symbol"));
        if (listing == null) {
            return null;
        }
        long size = Math.min(PAGE, call.number("limit", 100));
        // start exclusive, end inclusive
        var page = listing
                .settledBetween(call.number("startTimeAtMillis", 0) + 1, call.number("endTimeAtMillis", moment.nowMs()))
                .reversed()
                .stream()
                .skip((call.number("page", 1) - 1) * size)
                .limit(size)
                .toList();
        return Json.list(
                page,
                (row, s) -> row.text("fundingRateE9", e9(s.rate()))
                        .number("fundingTimeAtMillis", s.settledMs() + s.settledMs() / 3_600_000 % 3_000)
                        .text("symbol", symbol(listing)));
    }

    private static String e9(@Nullable BigDecimal value) {
        return value == null
                ? "0"
                : value.movePointRight(E9).toBigIntegerExact().toString();
    }

    private static String base(Listing listing) {
        return listing.priceScale() == 1 ? listing.asset() : listing.priceScale() + listing.asset();
    }

    private static String status(State state) {
        return switch (state) {
            case LIVE, DATED -> "ACTIVE";
            case DELISTED -> "DELISTED";
            case PAUSED -> "MAINTENANCE";
            case PRE_LISTING -> "BETA";
        };
    }

    @Override
    public String errorBody() {
        return "{\"errorCode\":\"INVALID_PARAMS\",\"message\":\"Unknown symbol\",\"details\":null}";
    }

    @Override
    public String throttledBody() {
        return "{\"errorCode\":\"TOO_MANY_REQUESTS\",\"message\":\"Slow down\",\"details\":null}";
    }

    @Override
    public boolean refusesInBand() {
        return false;
    }
}
