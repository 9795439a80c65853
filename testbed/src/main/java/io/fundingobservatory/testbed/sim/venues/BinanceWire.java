package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Binance Futures: two books on two hosts, intervals for both in one list that leaves most 8-hour symbols out. Until
 * 4 s after a settlement a row has the settled rate and names the settlement that has passed.
 */
final class BinanceWire implements Wire {
    private static final int LATE_S = 4;

    /** 1000 in the documentation; both occurred in 2026. */
    private static final long PAGE = 500;

    private static final int LATEST = 200;
    private static final long HOUR_MS = 3_600_000;
    private static final long LATEST_MS = 8 * HOUR_MS;

    @Override
    public Traits traits() {
        return Traits.usual(840)
                .dead(55)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USDT", "USDC")
                .scales(1_000, 1_000_000);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        String pair = contract.base() + contract.quote();
        boolean dated = contract.state() == State.DATED;
        return switch (contract.type()) {
            case INVERSE -> pair + (dated ? "_261225" : "_PERP");
            default -> pair + (dated ? "_261225" : "");
        };
    }

    @Override
    public AssetClass assetClass(SimulatedContract contract) {
        return contract.assetClass();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "fapi.binance.com/fapi/v1/premiumIndex" -> premiumIndex(market, ContractType.LINEAR);
            case "dapi.binance.com/dapi/v1/premiumIndex" -> premiumIndex(market, ContractType.INVERSE);
            case "fapi.binance.com/fapi/v1/fundingInfo" -> fundingInfo(market);
            case "fapi.binance.com/fapi/v1/exchangeInfo" -> exchangeInfo(market, ContractType.LINEAR, "status");
            case "dapi.binance.com/dapi/v1/exchangeInfo" ->
                exchangeInfo(market, ContractType.INVERSE, "contractStatus");
            case "fapi.binance.com/fapi/v1/fundingRate" -> fundingRate(request, market, ContractType.LINEAR);
            case "dapi.binance.com/dapi/v1/fundingRate" -> fundingRate(request, market, ContractType.INVERSE);
            default -> null;
        };
    }

    private String premiumIndex(MarketSnapshot market, ContractType book) {
        return Json.list(market.of(book), (row, l) -> {
            boolean dated = l.state() == State.DATED;
            boolean late = l.hasJustSettled(market.nowMs(), LATE_S);
            BigDecimal rate = late ? l.lastSettledRate() : l.rate();
            row.text("symbol", symbol(l))
                    .text("markPrice", plain(l.markPrice(), "0.00000000"))
                    .text("indexPrice", plain(l.indexPrice(), "0.00000000"))
                    .text("lastFundingRate", dated ? "" : rate.setScale(8).toPlainString())
                    .text("interestRate", dated ? "" : "0.00010000")
                    .number("nextFundingTime", dated ? 0 : late ? l.lastFundingMs() : l.nextFundingMs())
                    .number("time", market.nowMs());
        });
    }

    private String fundingInfo(MarketSnapshot market) {
        List<SimulatedContract> listed =
                market.where(l -> l.intervalH() != 8 || l.asset().length() > 3);
        return Json.list(
                listed,
                (row, l) -> row.text("symbol", symbol(l))
                        .text("adjustedFundingRateCap", "0.02000000")
                        .text("adjustedFundingRateFloor", "-0.02000000")
                        .number("fundingIntervalHours", l.intervalH())
                        .flag("disclaimer", false)
                        .nothing("updateTime"));
    }

    private String exchangeInfo(MarketSnapshot market, ContractType book, String statusField) {
        return Json.object(body -> body.text("timezone", "UTC")
                .number("serverTime", market.nowMs())
                .list(
                        "symbols",
                        market.of(book),
                        (row, l) -> row.text("symbol", symbol(l))
                                .text("pair", l.base() + l.quote())
                                .text("contractType", contractType(l))
                                .text(statusField, status(l.state()))
                                .text(
                                        "underlyingType",
                                        switch (l.assetClass()) {
                                            case EQUITY -> "EQUITY";
                                            case COMMODITY -> "COMMODITY";
                                            default -> "COIN";
                                        })
                                .text("baseAsset", l.base())
                                .text("quoteAsset", l.quote())
                                .text("marginAsset", book == ContractType.INVERSE ? l.asset() : l.quote())));
    }

    private @Nullable String fundingRate(SimulatedRequest request, MarketSnapshot market, ContractType book) {
        if (request.param("symbol") == null) {
            return book == ContractType.LINEAR ? fundingRates(request, market, book) : null;
        }
        SimulatedContract contract = market.find(this, request.param("symbol"));
        if (contract == null || contract.type() != book) {
            return null;
        }
        return Json.list(
                page(payments(contract, market), request, market),
                (row, settlement) -> settlement(row, symbol(contract), settlement));
    }

    /** Without a symbol: every contract's, oldest first; without times too, the latest 200. */
    private String fundingRates(SimulatedRequest request, MarketSnapshot market, ContractType book) {
        boolean timed = request.param("startTime") != null || request.param("endTime") != null;
        long from = timed ? request.number("startTime", 0) : market.nowMs() - LATEST_MS;
        var named = new ArrayList<Map.Entry<String, Payment>>();
        for (SimulatedContract contract : market.of(book)) {
            payments(contract, market, from).forEach(settlement -> named.add(Map.entry(symbol(contract), settlement)));
        }
        named.sort(Comparator.comparingLong(one -> one.getValue().atMs()));
        List<Map.Entry<String, Payment>> page = timed
                ? named.stream()
                        .filter(one -> one.getValue().atMs() <= request.number("endTime", market.nowMs()))
                        .limit(Math.min(PAGE, request.number("limit", 100)))
                        .toList()
                : named.subList(Math.max(0, named.size() - LATEST), named.size());
        return Json.list(page, (row, one) -> settlement(row, one.getKey(), one.getValue()));
    }

    /** What was charged at a contract, the dividends of a share among it; epoch ms with the exchange's jitter. */
    private record Payment(long atMs, BigDecimal rate, boolean dividend) {}

    private static List<Payment> payments(SimulatedContract contract, MarketSnapshot market) {
        return payments(contract, market, 0);
    }

    private static List<Payment> payments(SimulatedContract contract, MarketSnapshot market, long fromMs) {
        long hour = Math.floorDiv(fromMs, HOUR_MS) * HOUR_MS;
        long jitter = contract.oneOf(9);
        var payments = new ArrayList<Payment>();
        contract.settledBetween(hour, market.nowMs())
                .forEach(s -> payments.add(new Payment(s.settledMs() + jitter, s.rate(), false)));
        if (contract.type() == ContractType.LINEAR) {
            contract.dividendsBetween(hour, market.nowMs()).forEach(dividend -> {
                long behind = 12 + dividend.bookedMs() / HOUR_MS % 900;
                payments.add(new Payment(dividend.bookedMs() + behind, dividend.rate(), true));
            });
        }
        payments.removeIf(settlement -> settlement.atMs() < fromMs || settlement.atMs() > market.nowMs());
        payments.sort(Comparator.comparingLong(Payment::atMs));
        return payments;
    }

    private static List<Payment> page(List<Payment> payments, SimulatedRequest request, MarketSnapshot market) {
        long from = request.number("startTime", 0);
        long to = request.number("endTime", market.nowMs());
        List<Payment> between = payments.stream()
                .filter(settlement -> settlement.atMs() >= from && settlement.atMs() <= to)
                .toList();
        int most = (int) Math.min(PAGE, request.number("limit", 100));
        // both times absent: the newest ones, still oldest first
        int skipped = request.param("startTime") == null ? Math.max(0, between.size() - most) : 0;
        return between.subList(skipped, Math.min(between.size(), skipped + most));
    }

    private static void settlement(Json row, String symbol, Payment settlement) {
        row.text("symbol", symbol)
                .number("fundingTime", settlement.atMs())
                .text("fundingRate", settlement.rate().setScale(8))
                .text("markPrice", "")
                .text("rateType", settlement.dividend() ? "Special" : "Regular");
    }

    private static String contractType(SimulatedContract contract) {
        if (contract.state() == State.DATED) {
            return "CURRENT_QUARTER";
        }
        return contract.isShare() && contract.type() == ContractType.LINEAR ? "TRADIFI_PERPETUAL" : "PERPETUAL";
    }

    private static String status(State state) {
        return switch (state) {
            case LIVE, DATED -> "TRADING";
            case DELISTED, PAUSED -> "SETTLING";
            case PRE_LISTING -> "PENDING_TRADING";
        };
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"code\":-1121,\"msg\":\"Invalid symbol.\"}",
                "{\"code\":-1003,\"msg\":\"Too many requests; current limit is 2400 requests per minute.\"}");
    }
}
