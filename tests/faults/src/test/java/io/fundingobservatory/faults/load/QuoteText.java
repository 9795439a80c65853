package io.fundingobservatory.faults.load;

import io.fundingobservatory.faults.load.Contracts.Contract;
import java.math.BigDecimal;
import java.util.Random;

/** Writes quotes as ingest does, by the published schema {@code quote/1} and not by its code. */
public final class QuoteText {
    static final long EIGHT_HOURS_MS = 8 * 3_600_000L;

    private QuoteText() {}

    /** A quote of a contract with a random rate and random prices, read at an instant. */
    public static String of(Contract contract, Random random, long observedAtMs) {
        BigDecimal rate = BigDecimal.valueOf(random.nextInt(400_001) - 200_000L, 8 + random.nextInt(3));
        BigDecimal price = BigDecimal.valueOf(1 + random.nextInt(99_999_999), 2 + random.nextInt(5));
        boolean settles = contract.base().startsWith(Contracts.SETTLED);
        return settles
                ? text(contract, rate, new BigDecimal("12.5"), observedAtMs, nextSettlement(observedAtMs))
                : text(contract, rate, price, observedAtMs, nextFunding(observedAtMs));
    }

    private static String text(
            Contract contract, BigDecimal rate, BigDecimal price, long observedAtMs, long nextFundingMs) {
        String unit = contract.unit();
        BigDecimal number = switch (unit) {
            case "percent" -> rate.movePointRight(2);
            case "quote_per_coin_at_index", "quote_per_coin_at_mark" -> rate.multiply(price);
            case "coin_per_quote_at_index" -> rate.movePointLeft(8);
            default -> rate;
        };
        return """
                {"venue":"%s","symbol":"%s","base":"%s","quote":"USDT","contract_type":"linear","rate":%s,\
                "rate_unit":"%s","rate_hours":%s,"rate_kind":"estimate","interval_h":%s,"interval_source":%s,\
                "next_funding_ms":%d,"mark_price":%s,"index_price":%s,"venue_time_ms":%d,"observed_at_ms":%d}""".formatted(
                        contract.venue(),
                        contract.symbol(),
                        contract.base(),
                        number.toPlainString(),
                        unit,
                        contract.coveredH(),
                        contract.intervalH(),
                        contract.intervalH() == null ? "null" : "\"row\"",
                        nextFundingMs,
                        price.toPlainString(),
                        unit.endsWith("index") || observedAtMs % 7 > 0
                                ? price.multiply(new BigDecimal("1.0001")).toPlainString()
                                : "null",
                        observedAtMs - 20,
                        observedAtMs);
    }

    private static long nextSettlement(long observedAtMs) {
        return (Math.floorDiv(observedAtMs, EIGHT_HOURS_MS) + 1) * EIGHT_HOURS_MS;
    }

    /** A settlement as {@code settlements.raw} has it, by the schema {@code settled-rate/1}. */
    static String settled(Contract contract, BigDecimal rate, long settledMs, long observedAtMs) {
        return """
                {"venue":"%s","symbol":"%s","settled_ms":%d,"rate":%s,"rate_unit":"fraction","rate_hours":null,\
                "interval_h":8,"reference_price":null,"observed_at_ms":%d}""".formatted(contract.venue(), contract.symbol(), settledMs, rate.toPlainString(), observedAtMs);
    }

    /** A day ahead: nothing comes due while a test runs. */
    private static long nextFunding(long observedAtMs) {
        return (Math.floorDiv(observedAtMs, 3_600_000L) + 24) * 3_600_000L;
    }
}
