package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.Settled;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Phemex: prices in a ticker, intervals (seconds) and next settlements in a list of their own, delisted contracts in both lists. */
final class Phemex implements Wire {
    private static final long MOST_ROWS = 200;

    @Override
    public String venue() {
        return "phemex";
    }

    @Override
    public Traits traits() {
        return Traits.usual(134).quotes("USDT", "USDC").states(State.DELISTED);
    }

    @Override
    public String symbol(Listing listing) {
        return (listing.priceScale() == 1 ? "" : "u") + listing.base() + listing.quote();
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case "api.phemex.com/md/v3/ticker/24hr/all" -> ticker(moment);
            case "api.phemex.com/contract-biz/public/real-funding-rates" -> rates(call, moment);
            case "api.phemex.com/public/products" -> products(moment);
            case "api.phemex.com/api-data/public/data/funding-rate-history" -> history(call, moment);
            default -> null;
        };
    }

    private String ticker(Moment moment) {
        return Json.object(body -> body.nothing("error")
                .number("id", 0)
                .list(
                        "result",
                        moment.listings(),
                        (row, l) -> row.text("symbol", symbol(l))
                                .text("fundingRateRr", l.rate())
                                .text("predFundingRateRr", l.rate())
                                .text("markRp", plain(l.markPrice(), "0"))
                                .text("indexRp", plain(l.indexPrice(), "0"))
                                .number("timestamp", moment.nowMs() * 1_000_000 - 314_159)));
    }

    private String rates(Call call, Moment moment) {
        List<Listing> live = moment.in(State.LIVE);
        long size = Math.min(MOST_ROWS, call.number("pageSize", 20));
        List<Listing> page = live.stream()
                .skip((call.number("pageNum", 1) - 1) * size)
                .limit(size)
                .toList();
        return Json.object(body -> body.number("code", 0)
                .text("msg", "OK")
                .object(
                        "data",
                        data -> data.number("total", live.size())
                                .list(
                                        "rows",
                                        page,
                                        (row, l) -> row.text("symbol", symbol(l))
                                                .number("fundingInterval", l.intervalH() * 3_600L)
                                                .number(
                                                        "toNextfundingInterval",
                                                        (l.nextFundingMs() - moment.nowMs()) / 1_000)
                                                .number("nextfundingTime", l.nextFundingMs())
                                                .text("fundingRate", l.rate()))));
    }

    private String products(Moment moment) {
        return Json.object(body -> body.number("code", 0)
                .text("msg", "OK")
                .object(
                        "data",
                        data -> data.array(
                                        "products",
                                        spot -> spot.item(row ->
                                                row.text("symbol", "sBTCUSDT").text("type", "Spot")))
                                .list(
                                        "perpProductsV2",
                                        moment.listings(),
                                        (row, l) -> row.text("symbol", symbol(l))
                                                .text("type", "PerpetualV2")
                                                .text("fundingRate8hSymbol", index(l))
                                                .text("settleCurrency", l.quote())
                                                .text("quoteCurrency", l.quote())
                                                .text(
                                                        "baseCurrency",
                                                        (l.priceScale() == 1 ? "" : l.priceScale() + " ") + l.asset())
                                                .text("status", l.isLive() ? "Listed" : "Delisted")
                                                .number("fundingInterval", l.intervalH() * 3_600L))));
    }

    private String index(Listing l) {
        return "." + symbol(l) + "FR8H";
    }

    private String history(Call call, Moment moment) {
        String name = call.param("symbol");
        List<Settled> page = moment.where(l -> index(l).equals(name)).stream()
                .flatMap(l -> l.settledBetween(call.number("start", 0), call.number("end", moment.nowMs())).stream())
                .limit(Math.min(100, call.number("limit", 100)))
                .toList();
        return Json.object(body -> body.number("code", 0)
                .text("msg", "OK")
                .object(
                        "data",
                        data -> data.list(
                                "rows",
                                page,
                                (row, s) -> row.text("symbol", name)
                                        .text("fundingRate", s.rate())
                                        .number("fundingTime", s.settledMs())
                                        .number("intervalSeconds", s.intervalH() * 3_600L))));
    }

    @Override
    public String errorBody() {
        return "{\"error\":{\"code\":6001,\"message\":\"invalid argument\"},\"id\":null,\"result\":null}";
    }

    @Override
    public String throttledBody() {
        return "";
    }

    @Override
    public boolean refusesInBand() {
        return false;
    }
}
