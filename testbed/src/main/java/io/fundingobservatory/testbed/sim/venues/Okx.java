package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.ContractType;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** OKX V5: rates, marks, indices and instruments in four lists; no interval, only the two settlements to come. */
final class Okx implements Wire {
    @Override
    public String venue() {
        return "okx";
    }

    @Override
    public Traits traits() {
        return Traits.usual(470)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .intervals(8, 4, 2, 1)
                .states(State.PAUSED, State.PRE_LISTING, State.DATED, State.DELISTED)
                .scales(1)
                .rateDecimals(16);
    }

    @Override
    public String symbol(Listing listing) {
        return underlying(listing) + (isXPerp(listing) ? "_UM_XPERP-310404" : "-SWAP");
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case "www.okx.com/api/v5/public/funding-rate" -> fundingRate(moment);
            case "www.okx.com/api/v5/public/mark-price" -> markPrice(moment);
            case "www.okx.com/api/v5/market/index-tickers" -> indexTickers(moment, call.param("quoteCcy"));
            case "www.okx.com/api/v5/public/instruments" -> instruments(moment);
            case "www.okx.com/api/v5/public/funding-rate-history" -> history(call, moment);
            default -> null;
        };
    }

    private String fundingRate(Moment moment) {
        return enveloped(
                moment.listings(),
                (row, l) -> row.text("instId", symbol(l))
                        .text("instType", isXPerp(l) ? "FUTURES" : "SWAP")
                        .text("fundingRate", l.rate().setScale(16))
                        .text("fundingTime", l.nextFundingMs())
                        .text("method", "current_period")
                        .text("nextFundingRate", "")
                        .text("nextFundingTime", l.nextFundingMs() + l.intervalH() * 3_600_000L)
                        .text("prevFundingTime", l.lastFundingMs())
                        .text("settFundingRate", l.lastSettledRate().setScale(16))
                        .text("settState", "settled")
                        .text("ts", moment.nowMs()));
    }

    private String markPrice(Moment moment) {
        return enveloped(
                swaps(moment, l -> l.markPrice() != null),
                (row, l) -> row.text("instId", symbol(l))
                        .text("instType", "SWAP")
                        .text("markPx", l.markPrice())
                        .text("ts", moment.nowMs()));
    }

    private String indexTickers(Moment moment, @Nullable String quote) {
        return enveloped(
                swaps(moment, l -> l.indexPrice() != null && l.quote().equals(quote)),
                (row, l) -> row.text("instId", underlying(l))
                        .text("idxPx", l.indexPrice())
                        .text("ts", moment.nowMs()));
    }

    private String instruments(Moment moment) {
        return enveloped(
                swaps(moment, l -> true),
                (row, l) -> row.text("instId", symbol(l))
                        .text("instType", "SWAP")
                        .text("uly", underlying(l))
                        .text("baseCcy", "")
                        .text("quoteCcy", "")
                        .text("ctType", l.type() == ContractType.INVERSE ? "inverse" : "linear")
                        .text("settleCcy", l.type() == ContractType.INVERSE ? l.asset() : l.quote())
                        .text("state", state(l.state())));
    }

    private String history(Call call, Moment moment) {
        Listing listing = moment.find(this, call.param("instId"));
        if (listing == null) {
            return errorBody();
        }
        var page = listing.newestSettled(
                call.number("before", 0) + 1,
                call.number("after", moment.nowMs() + 1) - 1,
                Math.min(400, call.number("limit", 400)));
        return enveloped(
                page,
                (row, settled) -> row.text("instId", symbol(listing))
                        .text("instType", "SWAP")
                        .text("fundingRate", settled.rate().add(new BigDecimal("0.00001")))
                        .text("realizedRate", settled.rate())
                        .text("fundingTime", settled.settledMs()));
    }

    private static <T> String enveloped(List<T> rows, BiConsumer<Json, T> members) {
        return Json.object(body -> body.text("code", "0").text("msg", "").list("data", rows, members));
    }

    private static List<Listing> swaps(Moment moment, Predicate<Listing> condition) {
        return moment.where(l -> !isXPerp(l) && condition.test(l));
    }

    /** Dated perpetuals of five years: among the rates, in no list of swaps. */
    private static boolean isXPerp(Listing listing) {
        return listing.state() == State.DATED;
    }

    /** Of the dead ones some are instruments that the exchange tests with, live in every field. */
    private static boolean isTest(Listing listing) {
        return listing.state() == State.DELISTED;
    }

    private static String underlying(Listing listing) {
        return (isTest(listing) ? "TEST" + listing.asset() : listing.asset()) + "-" + listing.quote();
    }

    private static String state(State state) {
        return switch (state) {
            case LIVE, DATED, DELISTED -> "live";
            case PAUSED -> "suspend";
            case PRE_LISTING -> "preopen";
        };
    }

    @Override
    public String errorBody() {
        return "{\"code\":\"51001\",\"msg\":\"Instrument ID does not exist\",\"data\":[]}";
    }

    @Override
    public String throttledBody() {
        return "{\"code\":\"50011\",\"msg\":\"Too Many Requests\",\"data\":[]}";
    }
}
