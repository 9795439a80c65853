package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Untold;
import io.fundingobservatory.testbed.sim.Wire;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** dYdX v4 indexer: markets keyed by ticker, rates for one hour, one oracle price and no mark. */
final class Dydx implements Wire {
    private static final String HISTORY = "/v4/historicalFunding/";

    @Override
    public String venue() {
        return "dydx";
    }

    @Override
    public Traits traits() {
        return Traits.usual(230)
                .quotes("USD")
                .intervals(1)
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .scales(1)
                .untold(Untold.NEXT_FUNDING, Untold.VENUE_TIME, Untold.INDEX_IS_MARK)
                .rateDecimals(17);
    }

    @Override
    public String symbol(Listing listing) {
        return listing.asset() + "-USD";
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        String ticker = call.pathAfter(HISTORY);
        if (ticker != null) {
            return history(call, moment, ticker);
        }
        return call.address().equals("indexer.dydx.trade/v4/perpetualMarkets") ? markets(moment) : null;
    }

    private String markets(Moment moment) {
        return Json.object(body -> body.object("markets", markets -> {
            for (Listing l : moment.listings()) {
                markets.object(
                        symbol(l),
                        row -> row.text("ticker", symbol(l))
                                .text("status", status(l.state()))
                                .text("oraclePrice", l.indexPrice())
                                .text("nextFundingRate", l.rate())
                                .number("atomicResolution", -9)
                                .text("marketType", "CROSS")
                                .text("defaultFundingRate1H", "0"));
            }
        }));
    }

    private @Nullable String history(Call call, Moment moment, String ticker) {
        Listing listing = moment.find(this, ticker);
        if (listing == null) {
            return null;
        }
        String before = call.param("effectiveBeforeOrAt");
        long to = before == null ? moment.nowMs() : Instant.parse(before).toEpochMilli();
        return Json.object(body -> body.list(
                "historicalFunding",
                listing.newestSettled(0, to, Math.min(1_000, call.number("limit", 1_000))),
                (row, settled) -> row.text("ticker", ticker)
                        .text("rate", settled.rate())
                        .text("price", plain(listing.indexPrice(), "0"))
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
    public String errorBody() {
        return "{\"errors\":[{\"msg\":\"ticker must be a valid ticker (BTC-USD, etc)\"}]}";
    }

    @Override
    public String throttledBody() {
        return "{\"errors\":[{\"msg\":\"Too many requests\"}]}";
    }

    @Override
    public boolean refusesInBand() {
        return false;
    }
}
