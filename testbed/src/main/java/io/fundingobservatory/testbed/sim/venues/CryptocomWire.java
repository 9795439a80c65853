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
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Crypto.com: every value of every contract is a response of its own. All settle hourly, at one rate for four hours. */
final class CryptocomWire implements Wire {
    private static final String API = "api.crypto.com/exchange/v1/public/";
    /** 25 by default; a larger page is not known. */
    private static final long PAGE = 25;

    @Override
    public Traits traits() {
        return Traits.usual(396)
                .fixedForHours(4)
                .quotes("USD")
                .intervals(1)
                .scales(1)
                .unpublished(Unpublished.INDEX_PRICE);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.asset() + (contract.state() == State.DATED ? "USD-261225" : "USD-PERP");
    }

    @Override
    public AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClass();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case API + "get-instruments" -> instruments(market);
            case API + "get-valuations" -> valuations(request, market);
            default -> null;
        };
    }

    private String instruments(MarketSnapshot market) {
        return body(
                "get-instruments",
                result -> result.list(
                        "data",
                        market.listings(),
                        (row, l) -> row.text("symbol", symbol(l))
                                .text("inst_type", l.state() == State.DATED ? "FUTURE" : "PERPETUAL_SWAP")
                                .text(
                                        "product_type",
                                        switch (l.assetClass()) {
                                            case EQUITY -> "EQUITY";
                                            case COMMODITY -> "COMMODITIES";
                                            default -> "DIGITAL_CURRENCIES";
                                        })
                                .text("base_ccy", l.asset())
                                .text("quote_ccy", l.quote())
                                .flag("tradable", l.isLive() || l.state() == State.DATED)
                                .number("expiry_timestamp_ms", 0)
                                .text("underlying_symbol", l.asset() + "USD-INDEX")
                                .text("contract_size", "1")));
    }

    private @Nullable String valuations(SimulatedRequest request, MarketSnapshot market) {
        String symbol = request.param("instrument_name");
        List<SimulatedContract> listings = market.findAll(this, symbol);
        String type = request.param("valuation_type");
        if (listings.isEmpty() || symbol == null || type == null) {
            return null;
        }
        return body(
                "get-valuations",
                result -> result.array(
                                "data", rows -> listings.forEach(l -> values(rows, l, type, request, market.nowMs())))
                        .text("instrument_name", symbol));
    }

    private static void values(Json rows, SimulatedContract l, String type, SimulatedRequest request, long nowMs) {
        switch (type) {
            case "funding_rate" -> value(rows, l.rate(), nowMs);
            case "mark_price" -> value(rows, l.markPrice(), nowMs);
            case "funding_hist" ->
                l.newestSettled(
                                request.number("start_ts", 0),
                                request.number("end_ts", nowMs),
                                Math.min(PAGE, request.number("count", PAGE)))
                        .forEach(s -> value(rows, s.rate(), s.settledMs()));
            default -> {}
        }
    }

    private static void value(Json rows, @Nullable BigDecimal value, long atMs) {
        if (value != null) {
            rows.item(row -> row.text("v", value).number("t", atMs));
        }
    }

    private static String body(String method, Consumer<Json> result) {
        return Json.object(body -> body.number("id", -1)
                .text("method", "public/" + method)
                .number("code", 0)
                .object("result", result));
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"code\":40004,\"message\":\"Invalid instrument_name\"}",
                "{\"code\":42901,\"message\":\"TOO_MANY_REQUESTS\"}");
    }
}
