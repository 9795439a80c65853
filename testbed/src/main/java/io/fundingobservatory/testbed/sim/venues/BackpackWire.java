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
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Backpack: bare lists, the interval in milliseconds among the markets, kPEPE for a thousand, times in UTC without a Z. */
final class BackpackWire implements Wire {
    private static final long PAGE = 1_000;
    private static final String V1 = "api.backpack.exchange/api/v1/";

    @Override
    public Traits traits() {
        return Traits.usual(92).quotes("USDC").unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return base(contract) + "_" + contract.quote() + (contract.state() == State.DATED ? "_DEC26" : "_PERP");
    }

    private static String base(SimulatedContract contract) {
        return (contract.priceScale() == 1 ? "" : "k") + contract.asset();
    }

    @Override
    public @Nullable AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClassAmong(AssetClass.EQUITY);
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot moment) {
        return switch (request.address()) {
            case V1 + "markPrices" -> Json.list(moment.listings(), this::markPrice);
            case V1 + "markets" -> Json.list(moment.where(l -> l.state() != State.DELISTED), this::market);
            case V1 + "fundingRates" -> history(request, moment);
            default -> null;
        };
    }

    private void markPrice(Json row, SimulatedContract l) {
        row.text("fundingRate", l.rate())
                .text("indexPrice", plain(l.indexPrice(), ""))
                .text("markPrice", plain(l.markPrice(), "0"))
                .number("nextFundingTimestamp", l.nextFundingMs())
                .text("symbol", symbol(l));
    }

    private void market(Json row, SimulatedContract l) {
        row.text("symbol", symbol(l))
                .text("baseSymbol", base(l))
                .text("quoteSymbol", l.quote())
                .text("rwaMarketType", l.isShare() ? "STOCK" : null)
                .text("marketType", l.state() == State.DATED ? "DATED" : "PERP")
                .text("orderBookState", l.state() == State.PAUSED ? "CancelOnly" : "Open")
                .flag("visible", l.state() != State.PRE_LISTING)
                .number("fundingInterval", l.intervalH() * 3_600_000L);
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot moment) {
        SimulatedContract contract = moment.find(this, request.param("symbol"));
        if (contract == null) {
            return null;
        }
        return Json.array(rows -> {
            rows.item(row -> settled(row, contract, contract.nextFundingMs(), contract.rate()));
            contract.newestSettled(0, moment.nowMs(), Math.min(PAGE, request.number("limit", 100)) - 1)
                    .forEach(s -> rows.item(row -> settled(row, contract, s.settledMs(), s.rate())));
        });
    }

    private void settled(Json row, SimulatedContract contract, long endMs, BigDecimal rate) {
        row.text("fundingRate", rate)
                .text(
                        "intervalEndTimestamp",
                        Instant.ofEpochMilli(endMs).toString().replace("Z", ""))
                .text("symbol", symbol(contract));
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"code\":\"INVALID_CLIENT_REQUEST\",\"message\":\"Invalid market\"}",
                "{\"code\":\"TOO_MANY_REQUESTS\",\"message\":\"Rate limit exceeded\"}");
    }
}
