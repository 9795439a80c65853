package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.ContractType;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Bybit V5: categories instead of books, every value a text, intervals in hours here and in minutes there. */
final class Bybit implements Wire {
    @Override
    public String venue() {
        return "bybit";
    }

    @Override
    public Traits traits() {
        return Traits.usual(600)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USDT", "USDC")
                .scales(1_000, 10_000, 1_000_000)
                .states(State.DATED);
    }

    @Override
    public String symbol(Listing listing) {
        boolean dated = listing.state() == State.DATED;
        return switch (listing.quote()) {
            case "USDC" -> base(listing) + (dated ? "-25DEC26" : "PERP");
            case "USDT" -> base(listing) + (dated ? "USDT-25DEC26" : "USDT");
            default -> base(listing) + (dated ? "USDZ26" : "USD");
        };
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        ContractType category = "inverse".equals(call.param("category")) ? ContractType.INVERSE : ContractType.LINEAR;
        return switch (call.address()) {
            case "api.bybit.com/v5/market/tickers" -> tickers(moment, category);
            case "api.bybit.com/v5/market/instruments-info" -> instruments(call, moment, category);
            case "api.bybit.com/v5/market/funding/history" -> history(call, moment, category);
            default -> null;
        };
    }

    private String tickers(Moment moment, ContractType category) {
        return enveloped(
                moment,
                result -> result.list("list", moment.of(category), (row, l) -> {
                    boolean dated = l.state() == State.DATED;
                    row.text("symbol", symbol(l))
                            .text("lastPrice", plain(l.markPrice(), ""))
                            .text("indexPrice", plain(l.indexPrice(), ""))
                            .text("markPrice", plain(l.markPrice(), ""))
                            .text("fundingRate", dated ? "" : l.rate().toPlainString())
                            .text("nextFundingTime", dated ? 0 : l.nextFundingMs())
                            .text("deliveryTime", dated ? 1_798_185_600_000L : 0)
                            .text("fundingIntervalHour", dated ? "" : Integer.toString(l.intervalH()));
                }));
    }

    private String instruments(Call call, Moment moment, ContractType category) {
        List<Listing> all = moment.of(category);
        int from = (int) call.number("cursor", 0);
        int to = (int) Math.min(all.size(), from + call.number("limit", 500));
        return enveloped(
                moment,
                result -> result.list(
                                "list",
                                all.subList(from, to),
                                (row, l) -> row.text("symbol", symbol(l))
                                        .text("contractType", contractType(l))
                                        .text("status", "Trading")
                                        .text("baseCoin", base(l))
                                        .text("quoteCoin", l.quote())
                                        .text("settleCoin", l.type() == ContractType.INVERSE ? l.asset() : l.quote())
                                        .number("fundingInterval", l.intervalH() * 60L)
                                        .flag("isPreListing", false))
                        .text("nextPageCursor", to < all.size() ? Integer.toString(to) : ""));
    }

    private @Nullable String history(Call call, Moment moment, ContractType category) {
        Listing listing = moment.find(this, call.param("symbol"));
        boolean halfARange = call.param("startTime") != null && call.param("endTime") == null;
        if (listing == null || listing.type() != category || halfARange) {
            return errorBody();
        }
        var page = listing.newestSettled(
                call.number("startTime", 0),
                call.number("endTime", moment.nowMs()),
                Math.min(200, call.number("limit", 200)));
        return enveloped(
                moment,
                result -> result.list(
                        "list",
                        page,
                        (row, settled) -> row.text("symbol", symbol(listing))
                                .text("fundingRate", settled.rate())
                                .text("fundingRateTimestamp", settled.settledMs())));
    }

    private static String enveloped(Moment moment, Consumer<Json> result) {
        return Json.object(body -> body.number("retCode", 0)
                .text("retMsg", "OK")
                .object("result", result)
                .raw("retExtInfo", "{}")
                .number("time", moment.nowMs()));
    }

    private static String contractType(Listing listing) {
        return (listing.type() == ContractType.INVERSE ? "Inverse" : "Linear")
                + (listing.state() == State.DATED ? "Futures" : "Perpetual");
    }

    /** One old contract carries its multiplier behind the name. */
    private static String base(Listing listing) {
        return listing.asset().equals("SHIB") && listing.priceScale() > 1
                ? "SHIB" + listing.priceScale()
                : listing.base();
    }

    @Override
    public String errorBody() {
        return "{\"retCode\":10001,\"retMsg\":\"Illegal"
                + " category\",\"result\":{},\"retExtInfo\":{},\"time\":1789824034328}";
    }

    @Override
    public String throttledBody() {
        return "{\"retCode\":10006,\"retMsg\":\"Too many"
                + " visits!\",\"result\":{},\"retExtInfo\":{},\"time\":1789824034328}";
    }
}
