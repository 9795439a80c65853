package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** edgeX: contracts and coins by number, three rates in a row, settled history newest first. */
final class EdgeX implements Wire {
    private static final int FIRST_CONTRACT = 30_000_001;
    private static final int FIRST_COIN = 1_001;
    private static final long PAGE = 100;
    private static final int LAGGING_ONE_OF = 25;

    @Override
    public String venue() {
        return "edgex";
    }

    @Override
    public Traits traits() {
        return Traits.usual(175)
                .quotes("USDC")
                .intervals(4, 8, 1)
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING);
    }

    @Override
    public String symbol(Listing listing) {
        return base(listing) + listing.quote();
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case "edgex-prod-v2.edgex.exchange/api/v2/public/meta/getMetaData" -> metaData(moment);
            case "edgex-prod-v2.edgex.exchange/api/v2/public/funding/getLatestFundingRate" -> latest(call, moment);
            case "edgex-prod-v2.edgex.exchange/api/v2/public/funding/getFundingRatePage" -> page(call, moment);
            default -> null;
        };
    }

    private String metaData(Moment moment) {
        List<Listing> all = moment.listings();
        return Json.object(body -> body.text("code", "SUCCESS").object("data", data -> {
            data.array("coinList", coins -> {
                coins.item(coin -> coin.text("coinId", "1000").text("coinName", "USDC"));
                all.forEach(l -> coins.item(
                        coin -> coin.text("coinId", FIRST_COIN + all.indexOf(l)).text("coinName", base(l))));
            });
            data.list(
                    "contractList",
                    all,
                    (row, l) -> row.text("contractId", FIRST_CONTRACT + all.indexOf(l))
                            .text("contractName", symbol(l))
                            .text("baseCoinId", FIRST_COIN + all.indexOf(l))
                            .text("quoteCoinId", "1000")
                            .flag("enableTrade", l.state() != State.PAUSED)
                            .flag("enableDisplay", l.state() != State.PRE_LISTING)
                            .flag("enableOpenPosition", l.state() != State.DELISTED)
                            .text("fundingRateIntervalMin", 60L * l.intervalH()));
        }));
    }

    private String latest(Call call, Moment moment) {
        var asked = new ArrayList<Listing>();
        for (String id : String.valueOf(call.param("contractId")).split(",")) {
            Listing listing = byId(id, moment);
            if (listing != null) {
                asked.add(listing);
            }
        }
        return Json.object(body -> body.text("code", "SUCCESS")
                .list(
                        "data",
                        asked,
                        (row, l) -> row.text(
                                        "contractId",
                                        FIRST_CONTRACT + moment.listings().indexOf(l))
                                .text("fundingTime", settledMs(l))
                                .text("fundingTimestamp", moment.nowMs())
                                .text("oraclePrice", plain(l.markPrice(), "0"))
                                .text("markPrice", plain(l.markPrice(), ""))
                                .text("indexPrice", plain(l.indexPrice(), "0"))
                                .text("fundingRate", l.lastSettledRate())
                                .flag("isSettlement", false)
                                .text("forecastFundingRate", l.rate().setScale(8))
                                .text("predictedFundingRate", "0.00005000")
                                .text("fundingRateIntervalMin", 60L * l.intervalH())));
    }

    /** Some rows name the settlement before the last one, hours after it. */
    private static long settledMs(Listing l) {
        boolean lags = l.oneOf(LAGGING_ONE_OF) == 0 && l.intervalH() == 4;
        return l.lastFundingMs() - (lags ? l.intervalH() * 3_600_000L : 0);
    }

    private String page(Call call, Moment moment) {
        Listing listing = byId(call.param("contractId"), moment);
        var rows = listing == null
                ? List.<Listing.Settled>of()
                : listing
                        .settledBetween(
                                call.number("filterBeginTimeInclusive", 0),
                                call.number("filterEndTimeExclusive", 0) - 1)
                        .reversed()
                        .stream()
                        .limit(Math.min(PAGE, call.number("size", 10)))
                        .toList();
        return Json.object(body -> body.text("code", "SUCCESS")
                .object(
                        "data",
                        data -> data.list(
                                        "dataList",
                                        rows,
                                        (row, s) -> row.text("contractId", call.param("contractId"))
                                                .text("fundingTime", s.settledMs())
                                                .text("fundingTimestamp", s.settledMs())
                                                .text("fundingRate", s.rate())
                                                .flag("isSettlement", true)
                                                .text("forecastFundingRate", "")
                                                .text("fundingRateIntervalMin", 60L * s.intervalH()))
                                .text("nextPageOffsetData", "0880F48DD58934")));
    }

    private static @Nullable Listing byId(@Nullable String id, Moment moment) {
        if (id == null || !id.matches("\\d{1,9}")) {
            return null;
        }
        int position = Integer.parseInt(id) - FIRST_CONTRACT;
        return position < 0 || position >= moment.listings().size()
                ? null
                : moment.listings().get(position);
    }

    private static String base(Listing listing) {
        return listing.priceScale() == 1 ? listing.asset() : listing.priceScale() + listing.asset();
    }

    @Override
    public String errorBody() {
        return "{\"code\":\"GATEWAY_INTERNAL_ERROR\",\"data\":null,\"msg\":\"internal error\"}";
    }

    @Override
    public String throttledBody() {
        return errorBody();
    }

    @Override
    public boolean refusesInBand() {
        return false;
    }
}
