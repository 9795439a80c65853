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
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * BloFin: every value is text; the interval has its unit in a second field, and only the instrument list has
 * the states.
 */
final class BlofinWire implements Wire {
    private static final String API = "openapi.blofin.com/api/v1/market/";

    @Override
    public Traits traits() {
        return Traits.usual(500)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USDT", "USDC")
                .states(State.DELISTED, State.PAUSED)
                .scales(1_000, 1_000_000)
                .unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + "-" + contract.quote();
    }

    @Override
    public @Nullable AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClassAmong(AssetClass.CRYPTO);
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case API + "funding-rate" -> rates(market);
            case API + "mark-price" -> prices(market);
            case API + "instruments" -> instruments(market);
            case API + "funding-rate-history" -> history(request, market);
            default -> null;
        };
    }

    private String rates(MarketSnapshot market) {
        return body(
                market.listings(),
                (row, l) -> row.text("instId", symbol(l))
                        .text("fundingRate", l.rate())
                        .text("fundingTime", l.nextFundingMs())
                        .text("fundingInterval", l.intervalH())
                        .text("fundingIntervalUnit", "hour"));
    }

    private String prices(MarketSnapshot market) {
        return body(
                market.listings(),
                (row, l) -> row.text("instId", symbol(l))
                        .text("indexPrice", plain(l.indexPrice(), ""))
                        .text("markPrice", plain(l.markPrice(), ""))
                        .text("ts", market.nowMs()));
    }

    private String instruments(MarketSnapshot market) {
        return body(
                market.in(State.LIVE, State.PAUSED),
                (row, l) -> row.text("instId", symbol(l))
                        .text("baseCurrency", l.base())
                        .text("quoteCurrency", l.quote())
                        .text("instType", "SWAP")
                        .text("assetClass", l.assetClass() == AssetClass.CRYPTO ? "Crypto" : "")
                        .text("contractType", l.type() == ContractType.INVERSE ? "inverse" : "linear")
                        .text("expireTime", "4918462709025")
                        .text("state", l.isLive() ? "live" : "suspend"));
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("instId"));
        if (contract == null) {
            return null;
        }
        long before = request.number("after", market.nowMs() + 1) - 1;
        return body(
                contract.newestSettled(0, before, Math.min(100, request.number("limit", 100))),
                (row, s) -> row.text("instId", symbol(contract))
                        .text("fundingRate", s.rate())
                        .text("fundingTime", s.settledMs()));
    }

    private static <T> String body(Iterable<T> items, BiConsumer<Json, T> row) {
        return Json.object(body -> body.text("code", "0").text("msg", "success").list("data", items, row));
    }

    @Override
    public Errors errors() {
        return Errors.byStatus("{\"code\":\"152014\",\"msg\":\"Parameter instId error\"}", "");
    }
}
