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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** ApeX Omni: contract by contract, hourly; three kinds of contracts in one list, two spellings of each. */
final class Apex implements Wire {
    private static final long PAGE = 100;

    private static final String V3 = "omni.apex.exchange/api/v3/";
    private static final List<String> STOCKS = List.of("NVDA", "TSLA", "MSTR");

    @Override
    public String venue() {
        return "apex";
    }

    @Override
    public Traits traits() {
        return Traits.usual(185)
                .dead(120)
                .intervals(1)
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .untold(Untold.VENUE_TIME);
    }

    @Override
    public String symbol(Listing listing) {
        return listing.base() + listing.quote();
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case V3 + "symbols" -> symbols(moment);
            case V3 + "ticker" ->
                Json.object(body -> body.list("data", moment.findAll(this, call.param("symbol")), this::ticker));
            case V3 + "history-funding" -> history(call, moment);
            default -> null;
        };
    }

    private String symbols(Moment moment) {
        return Json.object(body -> body.object(
                "data",
                data -> data.object(
                        "contractConfig",
                        config -> config.list(
                                        "perpetualContract",
                                        moment.where(l -> !STOCKS.contains(l.asset())),
                                        (row, l) -> contract(row, l, "UNKNOWN_CONTRACT_TYPE"))
                                .list(
                                        "stockContract",
                                        moment.where(l -> STOCKS.contains(l.asset())),
                                        (row, l) -> contract(row, l, "STOCK_CONTRACT"))
                                .list(
                                        "predictionContract",
                                        List.of("Some_Election"),
                                        (row, name) -> row.text("symbol", name + "-USDT")
                                                .text("crossSymbolName", name + "USDT")
                                                .text("contractType", "PREDICTION_CONTRACT")
                                                .flag("enableTrade", true)))));
    }

    private void contract(Json row, Listing l, String type) {
        boolean gone = l.state() == State.DELISTED;
        row.text("symbol", l.base() + "-" + l.quote())
                .text("crossSymbolName", symbol(l))
                .text("baseTokenId", l.base())
                .text("settleAssetId", l.quote())
                .flag("enableTrade", !gone)
                .flag("enableDisplay", !gone)
                .flag("enableOpenPosition", !gone && l.state() != State.PAUSED)
                .flag("isPrelaunch", l.state() == State.PRE_LISTING)
                .text("contractType", type);
    }

    private void ticker(Json row, Listing l) {
        row.text("symbol", symbol(l))
                .text("fundingRate", l.rate())
                .text("predictedFundingRate", "0.0000125")
                .text("nextFundingTime", Instant.ofEpochMilli(l.nextFundingMs()).toString())
                .text("markPrice", plain(l.markPrice(), ""))
                .text("indexPrice", plain(l.indexPrice(), ""))
                .text("oraclePrice", "");
    }

    private @Nullable String history(Call call, Moment moment) {
        String dashed = call.param("symbol");
        Listing listing = dashed == null ? null : moment.find(this, dashed.replace("-", ""));
        if (listing == null || dashed == null || !dashed.contains("-")) {
            return null;
        }
        // 101 are refused, with HTTP 200
        if (call.number("limit", PAGE) > PAGE) {
            return errorBody();
        }
        var settled = listing.newestSettled(
                call.number("beginTimeInclusive", 0),
                call.number("endTimeExclusive", moment.nowMs()) - 1,
                call.number("limit", PAGE));
        return Json.object(body -> body.object(
                "data",
                data -> data.list(
                        "historyFunds",
                        settled,
                        (row, s) -> row.text("symbol", dashed)
                                .text("rate", s.rate())
                                .text("price", "1")
                                .number("fundingTime", s.settledMs())
                                .number("fundingTimestamp", s.settledMs()))));
    }

    @Override
    public String errorBody() {
        return "{\"code\":3,\"msg\":\"invalid parameter\",\"timeCost\":1}";
    }

    @Override
    public String throttledBody() {
        return "{\"code\":429,\"msg\":\"too many requests\",\"timeCost\":1}";
    }

    @Override
    public boolean refusesInBand() {
        return false;
    }
}
