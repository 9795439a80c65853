package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.records.AssetClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** edgeX: contracts and coins by number, three rates in a row, settled history newest first. */
final class EdgexWire implements Wire {
    private static final String INTERNAL_ERROR =
            "{\"code\":\"GATEWAY_INTERNAL_ERROR\",\"data\":null,\"msg\":\"internal error\"}";
    private static final int FIRST_CONTRACT = 30_000_001;
    private static final int FIRST_COIN = 1_001;
    private static final long PAGE = 100;
    private static final int LAGGING_ONE_OF = 25;

    @Override
    public Traits traits() {
        return Traits.usual(175)
                .quotes("USDC")
                .intervals(4, 8, 1)
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + contract.quote();
    }

    @Override
    public @Nullable AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClassAmong(AssetClass.EQUITY);
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "edgex-prod-v2.edgex.exchange/api/v2/public/meta/getMetaData" -> metaData(market);
            case "edgex-prod-v2.edgex.exchange/api/v2/public/funding/getLatestFundingRate" -> latest(request, market);
            case "edgex-prod-v2.edgex.exchange/api/v2/public/funding/getFundingRatePage" -> page(request, market);
            default -> null;
        };
    }

    private String metaData(MarketSnapshot market) {
        List<SimulatedContract> all = market.listings();
        return Json.object(body -> body.text("code", "SUCCESS").object("data", data -> {
            data.array("coinList", coins -> {
                coins.item(coin -> coin.text("coinId", "1000").text("coinName", "USDC"));
                all.forEach(l -> coins.item(
                        coin -> coin.text("coinId", FIRST_COIN + all.indexOf(l)).text("coinName", l.base())));
            });
            data.list(
                    "contractList",
                    all,
                    (row, l) -> row.text("contractId", FIRST_CONTRACT + all.indexOf(l))
                            .text("contractName", symbol(l))
                            .text("baseCoinId", FIRST_COIN + all.indexOf(l))
                            .text("quoteCoinId", "1000")
                            .flag("isStock", l.isShare())
                            .flag("isFx", false)
                            .flag("enableTrade", l.state() != State.PAUSED)
                            .flag("enableDisplay", l.state() != State.PRE_LISTING)
                            .flag("enableOpenPosition", l.state() != State.DELISTED)
                            .text("fundingRateIntervalMin", 60L * l.intervalH()));
        }));
    }

    private String latest(SimulatedRequest request, MarketSnapshot market) {
        var requested = new ArrayList<SimulatedContract>();
        for (String id :
                Objects.requireNonNullElse(request.param("contractId"), "").split(",")) {
            SimulatedContract contract = byId(id, market);
            if (contract != null) {
                requested.add(contract);
            }
        }
        return Json.object(body -> body.text("code", "SUCCESS")
                .list(
                        "data",
                        requested,
                        (row, l) -> row.text(
                                        "contractId",
                                        FIRST_CONTRACT + market.listings().indexOf(l))
                                .text("fundingTime", settledMs(l))
                                .text("fundingTimestamp", market.nowMs())
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
    private static long settledMs(SimulatedContract l) {
        boolean lags = l.oneOf(LAGGING_ONE_OF) == 0 && l.intervalH() == 4;
        return l.lastFundingMs() - (lags ? l.intervalH() * 3_600_000L : 0);
    }

    private String page(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = byId(request.param("contractId"), market);
        var rows = contract == null
                ? List.<SimulatedContract.Settled>of()
                : contract
                        .settledBetween(
                                request.number("filterBeginTimeInclusive", 0),
                                request.number("filterEndTimeExclusive", 0) - 1)
                        .reversed()
                        .stream()
                        .limit(Math.min(PAGE, request.number("size", 10)))
                        .toList();
        return Json.object(body -> body.text("code", "SUCCESS")
                .object(
                        "data",
                        data -> data.list(
                                        "dataList",
                                        rows,
                                        (row, s) -> row.text("contractId", request.param("contractId"))
                                                .text("fundingTime", s.settledMs())
                                                .text("fundingTimestamp", s.settledMs())
                                                .text("fundingRate", s.rate())
                                                .flag("isSettlement", true)
                                                .text("forecastFundingRate", "")
                                                .text("fundingRateIntervalMin", 60L * s.intervalH()))
                                .text("nextPageOffsetData", "0880F48DD58934")));
    }

    private static @Nullable SimulatedContract byId(@Nullable String id, MarketSnapshot market) {
        if (id == null || !id.matches("\\d{1,9}")) {
            return null;
        }
        int position = Integer.parseInt(id) - FIRST_CONTRACT;
        return position < 0 || position >= market.listings().size()
                ? null
                : market.listings().get(position);
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(INTERNAL_ERROR, INTERNAL_ERROR);
    }
}
