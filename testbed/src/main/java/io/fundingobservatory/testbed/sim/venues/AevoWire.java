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
import org.jspecify.annotations.Nullable;

/** Aevo: the rates in a list for CoinGecko, the prices in another; settled history as lists, in nanoseconds, 50 at a time. */
final class AevoWire implements Wire {
    private static final long NANOS = 1_000_000;
    private static final long PAGE = 50;

    @Override
    public Traits traits() {
        return Traits.usual(70)
                .intervals(1)
                .quotes("USDC")
                .states(State.DELISTED, State.PRE_LISTING)
                .unpublished(Unpublished.VENUE_TIME)
                .rateDecimals(6);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + "-PERP";
    }

    @Override
    public AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClass();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "api.aevo.xyz/coingecko-statistics" -> statistics(market);
            case "api.aevo.xyz/markets" -> markets(market);
            case "api.aevo.xyz/funding-history" -> history(request, market);
            default -> null;
        };
    }

    private String statistics(MarketSnapshot market) {
        return Json.list(market.listings(), (row, l) -> {
            row.text("ticker_id", symbol(l))
                    .text("base_currency", l.base())
                    .text("target_currency", "USD")
                    .text("index_price", plain(l.indexPrice(), "0"));
            if (l.isLive()) {
                row.text("next_funding_rate_timestamp", l.nextFundingMs() / 1_000);
            }
            row.text("funding_rate", l.isLive() ? l.rate().toPlainString() : "0");
        });
    }

    private String markets(MarketSnapshot market) {
        return Json.list(
                market.listings(),
                (row, l) -> row.text("instrument_name", symbol(l))
                        .text("instrument_type", "PERPETUAL")
                        .text("underlying_asset", l.base())
                        .text("quote_asset", l.quote())
                        .text("mark_price", plain(l.markPrice(), "0"))
                        .text("index_price", plain(l.indexPrice(), ""))
                        .flag("is_active", l.isLive())
                        .text(
                                "market_type",
                                switch (l.assetClass()) {
                                    case EQUITY -> "equity";
                                    case COMMODITY -> "commodity";
                                    default -> "crypto";
                                }));
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("instrument_name"));
        if (contract == null) {
            return null;
        }
        var page = contract
                .settledBetween(request.number("start_time", 0) / NANOS, request.number("end_time", 0) / NANOS)
                .reversed()
                .stream()
                .limit(Math.min(PAGE, request.number("limit", 10)))
                .toList();
        return Json.object(body -> body.array(
                "funding_history",
                rows -> page.forEach(s -> rows.items(row -> row.item(symbol(contract))
                        .item(Long.toString(s.settledMs() * NANOS))
                        .item(s.rate().toPlainString())
                        .item("1.5")))));
    }

    @Override
    public Errors errors() {
        return Errors.inBand("{\"error\":\"INSTRUMENT_NOT_FOUND\"}", "{\"error\":\"RATE_LIMIT_EXCEEDED\"}");
    }
}
