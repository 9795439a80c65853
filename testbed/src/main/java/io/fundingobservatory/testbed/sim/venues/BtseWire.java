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
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** BTSE: rates by minutes in one interface, prices as bare numbers in an older one that leaves the quote out of its names. */
final class BtseWire implements Wire {
    private static final String MARKET = "api.btse.com/public-api/market/v1/";

    /** The thousands that it writes with a K. */
    private static final Set<String> WITH_K = Set.of("PEPE", "SHIB", "FLOKI", "BONK", "CAT");

    @Override
    public Traits traits() {
        return Traits.usual(211)
                .intervals(8, 4)
                .states(State.PAUSED, State.DELISTED, State.DATED)
                .unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return older(contract) + "-USDT";
    }

    private static String older(SimulatedContract l) {
        String base = l.priceScale() == 1_000 && WITH_K.contains(l.asset()) ? "1K" + l.asset() : l.base();
        return base + (l.state() == State.DATED ? "-261225" : "-PERP");
    }

    @Override
    public AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClass();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case MARKET + "ticker/24hr" -> tickers(market);
            case "api.btse.com/futures/api/v2.3/price" -> prices(market);
            case MARKET + "markets" -> markets(market);
            case MARKET + "recentFundingHistory" -> history(request, market);
            default -> null;
        };
    }

    private String tickers(MarketSnapshot market) {
        return body(
                market,
                data -> data.list(
                        "data",
                        market.where(l -> l.state() != State.DATED),
                        (row, l) -> row.text("symbol", symbol(l))
                                .number("closeTime", market.nowMs() / 1_000)
                                .text("fundingRate", l.rate())
                                .number("nextFundingTime", l.nextFundingMs())
                                .number("fundingIntervalMinutes", l.intervalH() * 60L)));
    }

    private static String prices(MarketSnapshot market) {
        return Json.list(
                market.listings(),
                (row, l) -> row.text("symbol", older(l))
                        .raw("indexPrice", plain(l.indexPrice(), "0"))
                        .raw("lastPrice", plain(l.markPrice(), "0"))
                        .raw("markPrice", plain(l.markPrice(), "0")));
    }

    private String markets(MarketSnapshot market) {
        return body(
                market,
                body -> body.object(
                        "data",
                        data -> data.list(
                                "symbols",
                                market.where(l -> l.state() != State.DELISTED),
                                (row, l) -> row.text("symbol", symbol(l))
                                        .text(
                                                "type",
                                                l.state() == State.DATED ? "FuturesTimeBased" : "FuturesPerpetual")
                                        .text(
                                                "category",
                                                switch (l.assetClass()) {
                                                    case EQUITY -> "STOCK";
                                                    case COMMODITY -> "COMMODITIES";
                                                    default -> "CRYPTO";
                                                })
                                        .text("baseCurrency", l.asset())
                                        .text("quoteCurrency", "USDT")
                                        .flag("active", l.state() != State.PAUSED))));
    }

    private @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        if (contract == null) {
            return null;
        }
        return body(
                market,
                data -> data.list(
                        "data",
                        contract.newestSettled(0, market.nowMs(), 1_000),
                        (row, s) -> row.number("timestamp", s.settledMs() + 200 + s.settledMs() / 3_600_000 % 800)
                                .text("rate", s.rate())));
    }

    private static String body(MarketSnapshot market, Consumer<Json> data) {
        return Json.object(body -> {
            data.accept(body);
            body.number("code", 1).text("msg", "Success").flag("success", true).number("time", market.nowMs());
        });
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"code\":10010004,\"msg\":\"Invalid parameter\",\"success\":false,\"time\":1790000000000,\"data\":[]}",
                "");
    }
}
