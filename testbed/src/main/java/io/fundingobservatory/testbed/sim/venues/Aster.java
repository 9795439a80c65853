package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import org.jspecify.annotations.Nullable;

/** Aster: Binance's format with every interval listed, and rows of rate 0 that the list of instruments does not know. */
final class Aster implements Wire {
    private static final long PAGE = 1_000;

    @Override
    public String venue() {
        return "aster";
    }

    @Override
    public Traits traits() {
        return Traits.usual(752).quotes("USDT", "USD1").intervals(8, 4, 2, 1);
    }

    @Override
    public String symbol(Listing listing) {
        return base(listing) + listing.quote() + (listing.state() == State.DATED ? "_261225" : "");
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case "fapi.asterdex.com/fapi/v1/premiumIndex" -> premiumIndex(moment);
            case "fapi.asterdex.com/fapi/v1/fundingInfo" -> fundingInfo(moment);
            case "fapi.asterdex.com/fapi/v1/exchangeInfo" -> exchangeInfo(moment);
            case "fapi.asterdex.com/fapi/v1/fundingRate" -> fundingRate(call, moment);
            default -> null;
        };
    }

    private String premiumIndex(Moment moment) {
        return Json.list(moment.listings(), (row, l) -> {
            boolean dated = l.state() == State.DATED;
            row.text("symbol", symbol(l))
                    .text("markPrice", plain(l.markPrice(), "0.00000000"))
                    .text("indexPrice", plain(l.indexPrice(), "0.00000000"))
                    .text(
                            "lastFundingRate",
                            dated
                                    ? ""
                                    : l.state() == State.DELISTED
                                            ? "0"
                                            : plain(l.rate().setScale(8), ""))
                    .text("interestRate", "0.00010000")
                    .number("nextFundingTime", dated ? 0 : l.nextFundingMs())
                    .number("time", moment.nowMs());
        });
    }

    private String fundingInfo(Moment moment) {
        return Json.list(
                moment.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("interestRate", "0.00010000")
                        .number("time", moment.nowMs())
                        .number("fundingIntervalHours", l.intervalH()));
    }

    private String exchangeInfo(Moment moment) {
        return Json.object(body -> body.text("timezone", "UTC")
                .list(
                        "symbols",
                        moment.where(l -> l.state() != State.DELISTED),
                        (row, l) -> row.text("symbol", symbol(l))
                                .text("status", status(l.state()))
                                .text("contractType", contractType(l.state()))
                                .text("baseAsset", base(l))
                                .text("quoteAsset", l.quote())
                                .text("marginAsset", l.quote())));
    }

    private @Nullable String fundingRate(Call call, Moment moment) {
        Listing listing = moment.find(this, call.param("symbol"));
        if (listing == null) {
            return null;
        }
        var page = listing.settledBetween(call.number("startTime", 0), call.number("endTime", moment.nowMs())).stream()
                .limit(Math.min(PAGE, call.number("limit", 100)))
                .toList();
        return Json.list(
                page,
                (row, settled) -> row.text("symbol", symbol(listing))
                        .number("fundingTime", settled.settledMs())
                        .text("fundingRate", settled.rate().setScale(8)));
    }

    private static String base(Listing listing) {
        return listing.priceScale() == 1 ? listing.asset() : listing.priceScale() + listing.asset();
    }

    private static String status(State state) {
        return switch (state) {
            case LIVE, DATED -> "TRADING";
            case DELISTED, PAUSED -> "SETTLING";
            case PRE_LISTING -> "PENDING_TRADING";
        };
    }

    private static String contractType(State state) {
        return switch (state) {
            case LIVE, DELISTED, PAUSED -> "PERPETUAL";
            case PRE_LISTING -> "";
            case DATED -> "CURRENT_QUARTER";
        };
    }

    @Override
    public String errorBody() {
        return "{\"code\":-1121,\"msg\":\"Invalid symbol.\"}";
    }

    @Override
    public String throttledBody() {
        return "{\"code\":-1003,\"msg\":\"Too many requests.\"}";
    }
}
