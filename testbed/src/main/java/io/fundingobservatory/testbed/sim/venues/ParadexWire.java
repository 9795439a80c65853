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
import org.jspecify.annotations.Nullable;

/** Paradex: a continuous rate over the market's own period, options in the same response, nothing announced. */
final class ParadexWire implements Wire {
    private static final String V1 = "api.prod.paradex.trade/v1/";

    @Override
    public Traits traits() {
        return Traits.usual(120)
                .quotes("USD")
                .states(State.DELISTED, State.PRE_LISTING, State.DATED)
                .unpublished(Unpublished.NEXT_FUNDING);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return base(contract) + "-" + contract.quote() + (contract.state() == State.DATED ? "-25DEC26-96-C" : "-PERP");
    }

    private static String base(SimulatedContract contract) {
        return (contract.priceScale() == 1 ? "" : "k") + contract.asset();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case V1 + "markets/summary" ->
                Json.object(body -> body.list("results", market.listings(), (row, l) -> summary(row, l, market)));
            case V1 + "markets" ->
                Json.object(body -> body.list(
                        "results", market.where(l -> l.state() != State.DELISTED), (row, l) -> market(row, l, market)));
            default -> null;
        };
    }

    private void summary(Json row, SimulatedContract l, MarketSnapshot market) {
        row.text("symbol", symbol(l))
                .text("mark_price", plain(l.markPrice(), ""))
                .text("underlying_price", plain(l.indexPrice(), ""))
                .text("last_traded_price", "")
                .number("created_at", market.nowMs())
                .text("funding_rate", l.state() == State.DATED ? "" : l.rate().toPlainString());
    }

    private void market(Json row, SimulatedContract l, MarketSnapshot market) {
        boolean option = l.state() == State.DATED;
        row.text("symbol", symbol(l))
                .text("base_currency", base(l))
                .text("quote_currency", l.quote())
                .text("settlement_currency", "USDC")
                .text("asset_kind", option ? "OPTION" : "PERP")
                .number("open_at", l.state() == State.PRE_LISTING ? market.nowMs() + 86_400_000 : 1_700_000_000_000L)
                .number("expiry_at", option ? 1_798_185_600_000L : 0)
                .number("funding_period_hours", option ? 0 : l.intervalH());
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"error\":\"MARKET_NOT_FOUND\",\"message\":\"market not found\",\"data\":null}",
                "{\"error\":\"TOO_MANY_REQUESTS\",\"message\":\"rate limit\",\"data\":null}");
    }
}
