package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.Settled;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** BitMEX: one list of all instruments, a rate that is fixed beforehand beside one that still moves, a span written as a date. */
final class Bitmex implements Wire {
    @Override
    public String venue() {
        return "bitmex";
    }

    @Override
    public Traits traits() {
        return Traits.usual(100)
                .types(ContractType.LINEAR, ContractType.INVERSE, ContractType.QUANTO)
                .intervals(8, 4)
                .scales(1)
                .rateDecimals(6);
    }

    /** XBTUSD is inverse and ETHUSD is quanto; the others of either kind carry what they are settled in. */
    @Override
    public String symbol(SimulatedContract contract) {
        boolean bitcoin = contract.asset().equals("BTC");
        String pair = underlying(contract) + contract.quote();
        String name = switch (contract.type()) {
            case LINEAR -> pair;
            case INVERSE -> bitcoin ? pair : pair + "_" + contract.asset();
            case QUANTO -> bitcoin ? pair + "_ETH" : pair;
        };
        return contract.state() == State.DATED ? name + "Z26" : name;
    }

    private static String underlying(SimulatedContract contract) {
        return contract.asset().equals("BTC") ? "XBT" : contract.asset();
    }

    @Override
    public @Nullable String answer(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "www.bitmex.com/api/v1/instrument/active" ->
                Json.array(rows -> {
                    market.listings().forEach(l -> rows.item(row -> instrument(row, l, market.nowMs())));
                    rows.item(row -> spot(row, market.nowMs()));
                });
            case "www.bitmex.com/api/v1/funding" -> history(request, market);
            default -> null;
        };
    }

    private void instrument(Json row, SimulatedContract l, long nowMs) {
        boolean dated = l.state() == State.DATED;
        row.text("symbol", symbol(l))
                .text("rootSymbol", underlying(l))
                .text("state", state(l.state()))
                .text("typ", dated ? "FFCCSX" : "FFWCSX")
                .text("underlying", underlying(l))
                .text("quoteCurrency", l.quote())
                .text("settlCurrency", l.type() == ContractType.LINEAR ? "USDt" : "XBt")
                .number("multiplier", l.type() == ContractType.INVERSE ? -100_000_000 : 1)
                .flag("isQuanto", l.type() == ContractType.QUANTO)
                .flag("isInverse", l.type() == ContractType.INVERSE)
                .text("fundingInterval", dated ? null : span(l.intervalH()))
                .text(
                        "fundingTimestamp",
                        dated ? null : Instant.ofEpochMilli(l.nextFundingMs()).toString())
                .raw("fundingRate", dated ? "null" : l.rate().toString())
                .raw("indicativeFundingRate", dated ? "null" : "0.0001")
                .number("fairPrice", l.markPrice())
                .number("markPrice", l.markPrice())
                .number("indicativeSettlePrice", l.indexPrice())
                .text("timestamp", Instant.ofEpochMilli(nowMs - 250).toString());
    }

    private static void spot(Json row, long nowMs) {
        row.text("symbol", "XBT_USDT")
                .text("rootSymbol", "XBT")
                .text("state", "Open")
                .text("typ", "IFXXXP")
                .text("underlying", "XBT")
                .text("quoteCurrency", "USDT")
                .raw("markPrice", "91234.5")
                .text("timestamp", Instant.ofEpochMilli(nowMs).toString());
    }

    /** Of all contracts where none is named; the first {@code count} rows by time, from the end when it is reversed. */
    private String history(SimulatedRequest request, MarketSnapshot market) {
        String symbol = request.param("symbol");
        List<SimulatedContract> asked =
                market.where(l -> (symbol == null || symbol(l).equals(symbol)) && l.state() != State.DATED);
        long from = instant(request.param("startTime"), 0);
        long to = instant(request.param("endTime"), market.nowMs());
        Comparator<Payment> byTime =
                Comparator.comparingLong(payment -> payment.settled().settledMs());
        List<Payment> payments = asked.stream()
                .flatMap(l -> l.settledBetween(from, to).stream().map(settled -> new Payment(l, settled)))
                .sorted("true".equals(request.param("reverse")) ? byTime.reversed() : byTime)
                .limit(Math.min(500, request.number("count", 100)))
                .toList();
        return Json.array(rows -> payments.forEach(payment -> rows.item(row -> funding(row, payment))));
    }

    private record Payment(SimulatedContract contract, Settled settled) {}

    private void funding(Json row, Payment payment) {
        Settled settled = payment.settled();
        row.text("timestamp", Instant.ofEpochMilli(settled.settledMs()).toString())
                .text("symbol", symbol(payment.contract()))
                .text("fundingInterval", span(settled.intervalH()))
                .raw("fundingRate", settled.rate().toString())
                .raw(
                        "fundingRateDaily",
                        settled.rate()
                                .multiply(BigDecimal.valueOf(24 / settled.intervalH()))
                                .toString());
    }

    /** A time span, counted from the beginning of 2000. */
    private static String span(int hours) {
        return "2000-01-01T0" + hours + ":00:00.000Z";
    }

    private static long instant(@Nullable String iso, long otherwise) {
        return iso == null ? otherwise : Instant.parse(iso).toEpochMilli();
    }

    private static String state(State state) {
        return switch (state) {
            case LIVE, DATED -> "Open";
            case DELISTED -> "Settled";
            case PAUSED -> "Closed";
            case PRE_LISTING -> "Unlisted";
        };
    }

    @Override
    public String errorBody() {
        return "{\"error\":{\"message\":\"This symbol is invalid\",\"name\":\"HTTPError\"}}";
    }

    @Override
    public String throttledBody() {
        return "{\"error\":{\"message\":\"Rate limit exceeded, retry in 1 seconds.\",\"name\":\"RateLimitError\"}}";
    }
}
