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
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Bitunix: percent in the bulk response and fractions in the past; delisted contracts stay with a rate of 0. */
final class BitunixWire implements Wire {
    private static final String API = "fapi.bitunix.com/api/v1/futures/market/";

    @Override
    public Traits traits() {
        return Traits.usual(894)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USDT", "USDC")
                .intervals(8, 4, 2, 1)
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .scales(1_000, 1_000_000)
                .unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        String base = contract.priceScale() == 1_000_000 ? "1M" + contract.asset() : contract.base();
        return base + contract.quote();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case API + "funding_rate/batch" -> rates(market);
            case API + "trading_pairs" -> pairs(market);
            case API + "get_funding_rate_history" -> history(request, market);
            default -> null;
        };
    }

    private String rates(MarketSnapshot market) {
        return body(market.where(l -> l.state() != State.PRE_LISTING), (row, l) -> {
            boolean gone = l.state() == State.DELISTED;
            row.text("symbol", symbol(l))
                    .text("markPrice", plain(l.markPrice(), "0"))
                    .text("indexPrice", gone ? null : l.indexPrice())
                    .text("fundingRate", gone ? BigDecimal.ZERO : l.rate().movePointRight(2))
                    .number("fundingInterval", l.intervalH())
                    .text("nextFundingTime", gone ? market.nowMs() - 14_877 : l.nextFundingMs());
        });
    }

    private String pairs(MarketSnapshot market) {
        return body(
                market.where(l -> l.state() != State.DELISTED),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("base", l.asset())
                        .text("quote", l.quote())
                        .text("symbolStatus", l.isLive() ? "OPEN" : l.state() == State.PAUSED ? "STOP" : "PREVIEW")
                        .flag("isApiSupported", true));
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        if (contract == null) {
            return null;
        }
        long to = request.number("endTime", market.nowMs());
        return body(
                contract.newestSettled(request.number("starTime", 0), to, Math.min(200, request.number("limit", 100))),
                (row, s) -> row.text("fundingRate", s.rate()).text("fundingTime", s.settledMs()));
    }

    private static <T> String body(Iterable<T> items, BiConsumer<Json, T> row) {
        return Json.object(
                body -> body.number("code", 0).list("data", items, row).text("msg", "Success"));
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"code\":20015,\"data\":null,\"msg\":\"this Futures is not allowed to trade.\"}",
                "{\"code\":10006,\"data\":null,\"msg\":\"too many requests\"}");
    }
}
