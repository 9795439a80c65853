package io.fundingobservatory.ingest.venues;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Unpublished;
import io.fundingobservatory.testbed.sim.Wire;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bitrue: rates under one spelling, contracts under another, and the seconds that are left to the settlement. */
final class BitrueWire implements Wire {
    private static final String WEB = "futures.bitrue.com/fe-co-api/common/";

    @Override
    public Traits traits() {
        return Traits.usual(700)
                .quotes("USDT", "USDC")
                .states(State.PAUSED, State.DELISTED)
                .scales(1_000, 1_000_000)
                .rateDecimals(6)
                .unpublished(Unpublished.MARK_PRICE, Unpublished.INDEX_PRICE, Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return "E-" + alias(contract);
    }

    private static String alias(SimulatedContract contract) {
        return contract.base() + "-" + contract.quote();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case WEB + "funding_rate_real_time" -> rates(request, market);
            case "fapi.bitrue.com/fapi/v1/contracts" -> contracts(market);
            case WEB + "funding_rate_history" -> history(request, market);
            default -> null;
        };
    }

    private static String rates(SimulatedRequest request, MarketSnapshot market) {
        List<SimulatedContract> book = market.quotedIn(Objects.requireNonNull(request.param("symbol")));
        return Json.object(body -> body.text("code", "0")
                .text("msg", "suc")
                .list(
                        "data",
                        book,
                        (row, l) -> row.text("contractName", l.base() + l.quote())
                                .text("symbolAlias", alias(l))
                                .number("fundingRate", l.rate())
                                .number("capitalFrequency", l.intervalH())
                                .number("remainingSecond", (l.nextFundingMs() - market.nowMs()) / 1_000)));
    }

    /** Contracts that are gone keep their rate and leave this list. */
    private String contracts(MarketSnapshot market) {
        return Json.list(
                market.where(l -> l.state() != State.DELISTED),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("type", "E")
                        .number("side", 1)
                        .number("status", l.isLive() ? 1 : 0));
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, "E-" + request.posted("symbol"));
        if (contract == null) {
            return null;
        }
        long rows = request.postedNumber("rows", 6);
        List<SimulatedContract.Settled> page = contract.settled().reversed().stream()
                .skip((request.postedNumber("page", 1) - 1) * rows)
                .limit(rows)
                .toList();
        return Json.object(body -> body.text("code", "0")
                .object(
                        "data",
                        data -> data.list(
                                "records",
                                page,
                                (row, s) -> row.text("symbol", alias(contract))
                                        .number("fundingIntervalHours", s.intervalH())
                                        .number("calcTime", s.settledMs())
                                        .text("lastFundingRate", s.rate()))));
    }

    /** The body of its refusal for too frequent requests is not known; HTTP 429 is expected. */
    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"code\":\"-1121\",\"msg\":\"Invalid contract\",\"data\":null}",
                "{\"code\":\"200004\",\"msg\":\"busy\",\"data\":null}");
    }
}
