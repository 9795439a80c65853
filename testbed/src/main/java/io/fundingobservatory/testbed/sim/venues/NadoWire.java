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
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Nado: contracts in an object under their tickers, with rates for 24 hours of which one is charged. Settled rates are per hour, by
 * product number, as whole numbers times 10^18 in strings. Requests that accept no compression are refused.
 */
final class NadoWire implements Wire {
    private static final String HOST = "api.prod.nado.xyz";
    private static final BigDecimal HOURS = BigDecimal.valueOf(24);
    private static final long PAGE = 1_000;

    @Override
    public Traits traits() {
        return Traits.usual(82)
                .dead(45)
                .quotes("USDT0")
                .intervals(1)
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .unpublished(Unpublished.VENUE_TIME)
                .rateDecimals(18);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return name(contract) + "_" + contract.quote();
    }

    /** The symbol of its gateway: {@code kPEPE-PERP}. */
    private static String name(SimulatedContract contract) {
        return (contract.priceScale() == 1_000 ? "k" : "") + contract.asset() + "-PERP";
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case HOST + "/archive/v2/contracts" -> contracts(market);
            case HOST + "/gateway/v1/query" -> symbols(market);
            case HOST + "/archive/v1" -> settled(request, market);
            default -> null;
        };
    }

    private String contracts(MarketSnapshot market) {
        return Json.object(body -> market.listings()
                .forEach(l -> body.object(symbol(l), row -> {
                    row.number("product_id", product(market, l))
                            .text("ticker_id", symbol(l))
                            .text("base_currency", name(l))
                            .text("quote_currency", l.quote())
                            .text("product_type", "perpetual")
                            .raw("open_interest", l.isLive() ? "898.894" : "0.0")
                            .raw("index_price", number(l.indexPrice()))
                            .raw("mark_price", number(l.markPrice()))
                            .raw("funding_rate", number(l.rate().multiply(HOURS)))
                            .number("next_funding_rate_timestamp", l.nextFundingMs() / 1_000);
                })));
    }

    /** As Python writes a double: small ones with an exponent; nothing is 0.0. */
    private static String number(@Nullable BigDecimal value) {
        if (value == null || value.signum() == 0) {
            return "0.0";
        }
        BigDecimal bare = value.stripTrailingZeros();
        int exponent = bare.precision() - bare.scale() - 1;
        if (exponent >= -4) {
            return bare.toPlainString();
        }
        return bare.scaleByPowerOfTen(-exponent).toPlainString() + "e-%02d".formatted(-exponent);
    }

    private static long product(MarketSnapshot market, SimulatedContract contract) {
        return 2 + 2L * market.listings().indexOf(contract);
    }

    /** Any unknown type of query gets this body as well. */
    private static String symbols(MarketSnapshot market) {
        return Json.object(body -> body.text("status", "success")
                .object(
                        "data",
                        data -> data.object("symbols", symbols -> {
                            symbols.object(
                                    "KBTC",
                                    row -> row.text("type", "spot")
                                            .number("product_id", 1)
                                            .text("trading_status", "live"));
                            market.listings()
                                    .forEach(l -> symbols.object(
                                            name(l),
                                            row -> row.text("type", "perp")
                                                    .number("product_id", product(market, l))
                                                    .text("symbol", name(l))
                                                    .text("price_increment_x18", "1000000000000000000")
                                                    .text("trading_status", status(l))
                                                    .flag("isolated_only", false)));
                        }))
                .text("request_type", "query_symbols"));
    }

    private static String status(SimulatedContract l) {
        return switch (l.state()) {
            case LIVE, DATED -> "live";
            case DELISTED -> "not_tradable";
            case PAUSED -> l.oneOf(2) == 0 ? "soft_reduce_only" : "reduce_only";
            case PRE_LISTING -> "post_only";
        };
    }

    private static @Nullable String settled(SimulatedRequest request, MarketSnapshot market) {
        long number = request.postedNumber("product_id", -1);
        SimulatedContract contract = market.listings().stream()
                .filter(l -> product(market, l) == number)
                .findFirst()
                .orElse(null);
        if (!request.method().equals("POST") || contract == null) {
            return null;
        }
        long from = request.postedNumber("start_time", 0) * 1_000;
        long to = request.postedNumber("end_time", market.nowMs() / 1_000) * 1_000;
        var page = contract.settledBetween(from, to).stream()
                .limit(Math.min(PAGE, request.postedNumber("limit", 100)))
                .toList();
        return Json.object(body -> body.list(
                "funding_rates",
                page,
                (row, s) -> row.number("product_id", number)
                        .text("timestamp", s.settledMs() / 1_000)
                        .text(
                                "funding_rate_x18",
                                s.rate().movePointRight(18).toBigIntegerExact().toString())));
    }

    @Override
    public boolean needsUserAgent() {
        return true;
    }

    @Override
    public @Nullable String uncompressedBody() {
        return "{\"reason\":\"Invalid compression headers: Accept-Encoding\",\"block\":true}";
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"status\":\"failure\",\"error\":\"Invalid product\",\"error_code\":1000}",
                "{\"reason\":\"too many requests\",\"block\":true}");
    }
}
