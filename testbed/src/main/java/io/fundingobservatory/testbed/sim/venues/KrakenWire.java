package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.Settled;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Unpublished;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Kraken Futures: absolute amounts per hour instead of rates, index rows between the contracts, bare numbers with exponents. */
final class KrakenWire implements Wire {
    /** Dollars for a coin as recorded: 0.02527185133308243, the digits of a double. */
    private static final MathContext DIGITS = new MathContext(16);

    /** Coins for a dollar as documented: -8.15861558e-10. */
    private static final int INVERSE_DECIMALS = 18;

    private static final long HOUR = 3_600_000;
    /** A response has a year for any range; rates before the market's own history are 0. */
    private static final int YEAR_HOURS = 8_791;

    @Override
    public Traits traits() {
        return Traits.usual(340)
                .fixed()
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USD")
                .intervals(1)
                .states(State.PAUSED, State.DATED)
                .scales(1)
                .unpublished(Unpublished.EXACT_RATE)
                .rateDecimals(12);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        boolean dated = contract.state() == State.DATED;
        // PF_ PI_ for perpetuals, FF_ FI_ for dated ones
        String kind = (dated ? "F" : "P") + (contract.type() == ContractType.INVERSE ? "I_" : "F_");
        return kind + coin(contract) + "USD" + (dated ? "_261225" : "");
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "futures.kraken.com/derivatives/api/v3/tickers" -> tickers(market);
            case "futures.kraken.com/derivatives/api/v3/instruments" -> instruments(market);
            case "futures.kraken.com/derivatives/api/v3/historical-funding-rates" -> history(request, market);
            default -> null;
        };
    }

    private String tickers(MarketSnapshot market) {
        return enveloped(
                market,
                body -> body.array("tickers", rows -> {
                    rows.item(index -> index.text("symbol", "in_xbtusd").raw("last", "78279.34"));
                    for (SimulatedContract l : market.listings()) {
                        rows.item(row -> ticker(row, l));
                    }
                }));
    }

    private void ticker(Json row, SimulatedContract l) {
        boolean dated = l.state() == State.DATED;
        row.text("symbol", symbol(l))
                .text("tag", dated ? "quarter" : "perpetual")
                .text("pair", coin(l) + ":USD")
                .number("markPrice", l.markPrice())
                .number("indexPrice", l.indexPrice())
                .flag("suspended", l.state() == State.PAUSED)
                .flag("postOnly", false);
        if (!dated) {
            row.raw("fundingRate", absolute(l, l.rate()).toString())
                    .raw(
                            "fundingRatePrediction",
                            absolute(l, l.lastSettledRate()).toString());
        }
    }

    /** Linear: dollars for each coin; inverse: coins for each dollar. */
    private static BigDecimal absolute(SimulatedContract l, BigDecimal rate) {
        BigDecimal index = Objects.requireNonNull(l.indexPrice(), "index");
        if (l.type() != ContractType.INVERSE) {
            return rate.multiply(index, DIGITS);
        }
        BigDecimal coins = rate.divide(index, DIGITS);
        return coins.scale() <= INVERSE_DECIMALS ? coins : coins.setScale(INVERSE_DECIMALS, RoundingMode.HALF_EVEN);
    }

    private String instruments(MarketSnapshot market) {
        return enveloped(
                market,
                body -> body.list(
                        "instruments",
                        market.listings(),
                        (row, l) -> row.text("symbol", symbol(l))
                                .text("type", l.type() == ContractType.INVERSE ? "futures_inverse" : "flexible_futures")
                                .number("contractSize", 1)
                                .flag("tradeable", l.isLive())));
    }

    /** A stamp is the start of the hour that is charged for, and the newest row is the hour that still runs. */
    private String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        return contract == null
                ? errorBody()
                : enveloped(
                        market,
                        body -> body.array("rates", rows -> {
                            List<Settled> settled = contract.settled();
                            long known = settled.getFirst().settledMs();
                            for (long end = known - (YEAR_HOURS - settled.size()) * HOUR; end < known; end += HOUR) {
                                historyRow(rows, contract, end, BigDecimal.ZERO);
                            }
                            settled.forEach(s -> historyRow(rows, contract, s.settledMs(), s.rate()));
                            historyRow(rows, contract, contract.nextFundingMs(), contract.rate());
                        }));
    }

    private static void historyRow(Json rows, SimulatedContract contract, long hourEndMs, BigDecimal rate) {
        rows.item(row -> row.text("timestamp", iso(hourEndMs - HOUR))
                .raw("fundingRate", absolute(contract, rate).toString())
                .raw("relativeFundingRate", rate.toString()));
    }

    private static String enveloped(MarketSnapshot market, Consumer<Json> rest) {
        return Json.object(body -> {
            body.text("result", "success");
            rest.accept(body);
            body.text("serverTime", iso(market.nowMs()));
        });
    }

    private static String iso(long epochMs) {
        return Instant.ofEpochMilli(epochMs).toString();
    }

    private static String coin(SimulatedContract contract) {
        return switch (contract.asset()) {
            case "BTC" -> "XBT";
            case "DOGE" -> "XDG";
            default -> contract.asset();
        };
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"status\":\"BAD_REQUEST\",\"result\":\"error\","
                        + "\"errors\":[{\"code\":11,\"message\":\"Argument invalid: symbol\"}],"
                        + "\"serverTime\":\"2026-11-20T08:06:27.896Z\"}",
                "{\"result\":\"error\",\"error\":\"apiLimitExceeded\",\"serverTime\":\"2026-11-20T08:06:27.896Z\"}");
    }
}
