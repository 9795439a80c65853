package io.fundingobservatory.testbed.sim.venues;

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
import org.jspecify.annotations.Nullable;

/** Hibachi: contract and live values in pairs, closed ones with nulls all over, settled history oldest first. */
final class HibachiWire implements Wire {
    private static final long PAGE = 100;

    @Override
    public Traits traits() {
        return Traits.usual(30)
                .intervals(1)
                .scales(1)
                .states(State.DELISTED)
                .unpublished(Unpublished.NEXT_FUNDING, Unpublished.VENUE_TIME)
                .rateDecimals(6);
    }

    @Override
    public String symbol(SimulatedContract listing) {
        return listing.asset() + "/" + listing.quote() + "-P";
    }

    @Override
    public @Nullable AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClassAmong(AssetClass.CRYPTO);
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "data-api.hibachi.xyz/market/inventory" -> inventory(market);
            case "data-api.hibachi.xyz/market/data/funding-rates" -> fundingRates(request, market);
            default -> null;
        };
    }

    private String inventory(MarketSnapshot market) {
        return Json.object(body -> body.list(
                "markets",
                market.listings(),
                (row, l) -> row.object(
                                "contract",
                                contract -> contract.text(
                                                "category", l.assetClass() == AssetClass.CRYPTO ? "CRYPTO" : "FX")
                                        .text("displayName", l.asset() + "/" + l.quote() + " Perps")
                                        .text("settlementSymbol", l.quote())
                                        .text("status", l.isLive() ? "LIVE" : "CLOSED")
                                        .text("symbol", symbol(l))
                                        .text("symbolStatus", "OPEN")
                                        .text("underlyingSymbol", l.asset()))
                        .object(
                                "info",
                                info -> info.text(
                                                "estimatedFundingRate",
                                                l.isLive() ? l.rate().setScale(6) : null)
                                        .text("markPrice", l.isLive() ? l.markPrice() : null)
                                        .text("spotPrice", l.isLive() ? l.indexPrice() : null))));
    }

    private @Nullable String fundingRates(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract listing = market.find(this, request.param("symbol"));
        if (listing == null) {
            return null;
        }
        var page =
                listing
                        .settledBetween(request.number("startTime", 0) * 1_000, request.number("endTime", 0) * 1_000)
                        .stream()
                        .skip(request.number("offset", 0))
                        .limit(Math.min(PAGE, request.number("limit", PAGE)))
                        .toList();
        return Json.object(body -> body.list(
                        "data",
                        page,
                        (row, s) -> row.number("contractId", 2)
                                .number("fundingTimestamp", s.settledMs() / 1_000)
                                .text("fundingRate", s.rate().setScale(6)))
                .object("pagination", p -> p.number("limit", PAGE).number("offset", request.number("offset", 0))));
    }

    @Override
    public Errors errors() {
        return Errors.byStatus("{\"message\":\"Invalid symbol\"}", "{\"message\":\"Too many requests\"}");
    }
}
