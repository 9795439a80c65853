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
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Backpack: bare lists, the interval in milliseconds among the markets, kPEPE for a thousand, times in UTC without a Z. */
final class Backpack implements Wire {
    private static final long PAGE = 1_000;
    private static final String V1 = "api.backpack.exchange/api/v1/";

    @Override
    public String venue() {
        return "backpack";
    }

    @Override
    public Traits traits() {
        return Traits.usual(92).quotes("USDC").untold(Untold.VENUE_TIME);
    }

    @Override
    public String symbol(Listing listing) {
        return base(listing) + "_" + listing.quote() + (listing.state() == State.DATED ? "_DEC26" : "_PERP");
    }

    private static String base(Listing listing) {
        return (listing.priceScale() == 1 ? "" : "k") + listing.asset();
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case V1 + "markPrices" -> Json.list(moment.listings(), this::markPrice);
            case V1 + "markets" -> Json.list(moment.where(l -> l.state() != State.DELISTED), this::market);
            case V1 + "fundingRates" -> history(call, moment);
            default -> null;
        };
    }

    private void markPrice(Json row, Listing l) {
        row.text("fundingRate", l.rate())
                .text("indexPrice", plain(l.indexPrice(), ""))
                .text("markPrice", plain(l.markPrice(), "0"))
                .number("nextFundingTimestamp", l.nextFundingMs())
                .text("symbol", symbol(l));
    }

    private void market(Json row, Listing l) {
        row.text("symbol", symbol(l))
                .text("baseSymbol", base(l))
                .text("quoteSymbol", l.quote())
                .text("marketType", l.state() == State.DATED ? "DATED" : "PERP")
                .text("orderBookState", l.state() == State.PAUSED ? "CancelOnly" : "Open")
                .flag("visible", l.state() != State.PRE_LISTING)
                .number("fundingInterval", l.intervalH() * 3_600_000L);
    }

    private @Nullable String history(Call call, Moment moment) {
        Listing listing = moment.find(this, call.param("symbol"));
        if (listing == null) {
            return null;
        }
        return Json.array(rows -> {
            rows.item(row -> settled(row, listing, listing.nextFundingMs(), listing.rate()));
            listing.newestSettled(0, moment.nowMs(), Math.min(PAGE, call.number("limit", 100)) - 1)
                    .forEach(s -> rows.item(row -> settled(row, listing, s.settledMs(), s.rate())));
        });
    }

    private void settled(Json row, Listing listing, long endMs, BigDecimal rate) {
        row.text("fundingRate", rate)
                .text(
                        "intervalEndTimestamp",
                        Instant.ofEpochMilli(endMs).toString().replace("Z", ""))
                .text("symbol", symbol(listing));
    }

    @Override
    public String errorBody() {
        return "{\"code\":\"INVALID_CLIENT_REQUEST\",\"message\":\"Invalid market\"}";
    }

    @Override
    public String throttledBody() {
        return "{\"code\":\"TOO_MANY_REQUESTS\",\"message\":\"Rate limit exceeded\"}";
    }
}
