package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Unpublished;
import io.fundingobservatory.testbed.sim.Wire;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Poloniex: rates contract by contract, the settled one next to the predicted one, times as text. */
final class PoloniexWire implements Wire {
    private static final String V3 = "api.poloniex.com/v3/market/";

    @Override
    public Traits traits() {
        return Traits.usual(18)
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + "_" + contract.quote() + "_PERP";
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case V3 + "tickers" -> ok(body -> body.list("data", market.listings(), (row, l) -> ticker(row, l, market)));
            case V3 + "allInstruments" -> ok(body -> body.list("data", market.listings(), this::instrument));
            case V3 + "fundingRate" -> {
                SimulatedContract contract = market.find(this, request.param("symbol"));
                yield contract == null ? errorBody() : ok(body -> body.object("data", data -> rate(data, contract)));
            }
            case V3 + "fundingRate/history" -> {
                SimulatedContract contract = market.find(this, request.param("symbol"));
                yield contract == null ? errorBody() : ok(body -> history(body, contract, request, market));
            }
            default -> null;
        };
    }

    private static String ok(Consumer<Json> data) {
        return Json.object(body -> data.accept(body.number("code", 200).text("msg", "Success")));
    }

    private void ticker(Json row, SimulatedContract l, MarketSnapshot market) {
        row.text("s", symbol(l)).text("mPx", plain(l.markPrice(), "")).number("cT", market.nowMs());
        if (l.indexPrice() != null) {
            row.text("iPx", l.indexPrice());
        }
    }

    private void instrument(Json row, SimulatedContract l) {
        row.text("symbol", symbol(l))
                .text("bAsset", ".P" + l.base() + l.quote())
                .text("bCcy", l.base())
                .text("qCcy", l.quote())
                .text("ctType", "LINEAR")
                .text(
                        "status",
                        switch (l.state()) {
                            case LIVE, DATED -> "OPEN";
                            case PAUSED -> "PAUSE";
                            case DELISTED -> "CLOSE";
                            case PRE_LISTING -> "PRE_OPEN";
                        });
    }

    private void rate(Json data, SimulatedContract l) {
        data.text("s", symbol(l))
                .text("fR", l.lastSettledRate())
                .text("fT", l.lastFundingMs())
                .text("nFR", l.rate())
                .text("nFT", l.nextFundingMs());
    }

    private void history(Json body, SimulatedContract contract, SimulatedRequest request, MarketSnapshot market) {
        var settled = contract.newestSettled(
                request.number("sT", contract.lastFundingMs()),
                request.number("eT", market.nowMs()),
                Math.min(100, request.number("limit", 10)));
        body.list(
                "data",
                settled,
                (row, s) -> row.text("s", symbol(contract)).text("fR", s.rate()).text("fT", s.settledMs()));
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"code\":24101,\"msg\":\"Invalid symbol!\",\"data\":\"\"}",
                "{\"code\":429,\"msg\":\"Too many requests\",\"data\":\"\"}");
    }
}
