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
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Variational Omni: one response, rates of a whole year, swaps with an interval of 0 among the listings. */
final class VariationalWire implements Wire {
    private static final int HOURS_OF_A_YEAR = 8_760;

    @Override
    public Traits traits() {
        return Traits.usual(553)
                .quotes("USDC")
                .scales(1, 1_000, 1_000_000)
                .states(State.DATED)
                .unpublished(Unpublished.NEXT_FUNDING, Unpublished.INDEX_PRICE);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + (contract.state() == State.DATED ? "_SWAP" : "");
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return request.address().equals("omni-client-api.prod.ap-northeast-1.variational.io/metadata/stats")
                ? Json.object(
                        body -> body.number("num_markets", market.listings().size())
                                .list("listings", market.listings(), (row, l) -> listing(row, l, market)))
                : null;
    }

    private void listing(Json row, SimulatedContract l, MarketSnapshot market) {
        boolean swap = l.state() == State.DATED;
        BigDecimal ofAYear = l.rate().multiply(BigDecimal.valueOf(HOURS_OF_A_YEAR / l.intervalH()));
        row.text("ticker", symbol(l))
                .text("name", swap ? "Swap on " + l.asset() : l.asset())
                .text("mark_price", plain(l.markPrice(), ""))
                .text("funding_rate", swap ? "0" : ofAYear.toPlainString())
                .number("funding_interval_s", swap ? 0 : l.intervalH() * 3_600L)
                .object(
                        "quotes",
                        quotes -> quotes.text(
                                "updated_at",
                                Instant.ofEpochMilli(market.nowMs())
                                        .plusNanos(684_094)
                                        .toString()));
    }

    @Override
    public Errors errors() {
        return Errors.byStatus("{\"error\":\"not found\"}", "{\"error\":\"too many requests\"}");
    }
}
