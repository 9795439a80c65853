package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Untold;
import io.fundingobservatory.testbed.sim.Wire;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Gemini: contract by contract, funding as an amount of the quote currency per coin. */
final class Gemini implements Wire {
    private static final long LAG_MS = 15_000;

    @Override
    public String venue() {
        return "gemini";
    }

    @Override
    public Traits traits() {
        return Traits.usual(13)
                .quotes("USDC", "GUSD")
                .intervals(1)
                .scales(1)
                .states(State.DELISTED, State.PAUSED)
                .untold(Untold.VENUE_TIME, Untold.EXACT_RATE);
    }

    @Override
    public String symbol(Listing listing) {
        return (listing.asset() + listing.quote()).toLowerCase(Locale.ROOT) + "perp";
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        if (call.address().equals("api.gemini.com/v1/symbols")) {
            return Json.array(names -> {
                names.item("btcusd").item("ethbtc");
                moment.listings().forEach(l -> names.item(symbol(l)));
            });
        }
        Listing listing = moment.find(this, call.path().substring(call.path().lastIndexOf('/') + 1));
        if (listing == null || !call.host().equals("api.gemini.com")) {
            return null;
        }
        return switch (call.path().substring(0, call.path().lastIndexOf('/'))) {
            case "/v1/symbols/details" -> Json.object(body -> details(body, listing));
            case "/v1/riskstats" -> Json.object(body -> risk(body, listing));
            case "/v1/fundingamount" -> Json.object(body -> amount(body, listing, moment.nowMs()));
            default -> null;
        };
    }

    private void details(Json body, Listing l) {
        body.text("symbol", symbol(l).toUpperCase(Locale.ROOT))
                .text("status", l.isLive() ? "open" : "closed")
                .text("product_type", "swap")
                .text("contract_type", "linear");
    }

    private static void risk(Json body, Listing l) {
        body.text("product_type", "PerpetualSwapContract")
                .text("mark_price", l.markPrice())
                .text("index_price", l.indexPrice())
                .text("open_interest", "1");
    }

    /** For the first seconds of an hour, the settlement that has just passed and its estimate. */
    private void amount(Json body, Listing l, long nowMs) {
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

    private static @Nullable BigDecimal perCoin(Listing l, BigDecimal rate) {
        return l.markPrice() == null ? null : rate.multiply(l.markPrice());
    }

    @Override
    public String errorBody() {
        return "{\"result\":\"error\",\"reason\":\"EndpointNotFound\",\"message\":\"API entry point not found\"}";
    }

    @Override
    public String throttledBody() {
        return "{\"result\":\"error\",\"reason\":\"RateLimit\",\"message\":\"Requests were made too frequently\"}";
    }
}
