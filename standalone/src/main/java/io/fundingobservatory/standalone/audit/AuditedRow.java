package io.fundingobservatory.standalone.audit;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an audit compares of one row of {@code /api/v1/latest}.
 *
 * @param venue the venue's identifier
 * @param symbol the venue's own spelling of the contract
 * @param fixed values that do not move, by their names: a value that is null has the text {@code null}
 * @param rateKind the word of the row's {@code rate_kind}
 * @param rate fraction of notional per funding interval; null when not known
 * @param rate8h fraction of notional per 8 hours; null when not known
 * @param nextFundingMs the next settlement, epoch ms UTC; null when not announced
 * @param prices mark and index price, by their names; those that are not known are absent
 * @param observedAtMs when the row was read, epoch ms UTC
 */
public record AuditedRow(
        String venue,
        String symbol,
        Map<String, String> fixed,
        String rateKind,
        @Nullable BigDecimal rate,
        @Nullable BigDecimal rate8h,
        @Nullable BigDecimal nextFundingMs,
        Map<String, BigDecimal> prices,
        long observedAtMs) {
    private static final String INTERVAL = "funding_interval_h";
    private static final String KIND = "rate_kind";
    private static final List<String> WORDS = List.of("asset", "quote", "contract_type", KIND);
    private static final List<String> NUMBERS = List.of(INTERVAL, "price_scale");
    private static final List<String> PRICES = List.of("mark_price", "index_price");

    /**
     * Reads a row of {@code /api/v1/latest}.
     *
     * @throws Skip when a field that identifies it is absent or misshapen
     */
    public static AuditedRow of(JsonValue row) {
        var fixed = new LinkedHashMap<String, String>();
        WORDS.forEach(name -> fixed.put(name, String.valueOf(row.textOrNull(name))));
        NUMBERS.forEach(name -> {
            BigDecimal number = row.decimalOrNull(name);
            fixed.put(
                    name, number == null ? "null" : number.stripTrailingZeros().toPlainString());
        });
        var prices = new LinkedHashMap<String, BigDecimal>();
        for (String name : PRICES) {
            BigDecimal price = row.decimalOrNull(name);
            if (price != null) {
                prices.put(name, price);
            }
        }
        return new AuditedRow(
                row.text("venue"),
                row.text("symbol"),
                fixed,
                row.text(KIND),
                row.decimalOrNull("funding_rate"),
                row.decimalOrNull("funding_rate_8h"),
                row.decimalOrNull("next_funding_ms"),
                prices,
                row.decimal("observed_at_ms").longValue());
    }

    boolean lacksInterval() {
        return "null".equals(fixed.get(INTERVAL));
    }

    boolean hasLastSettledOnly() {
        return "last_settled".equals(rateKind);
    }

    /** The row without its rate and the kind of that. */
    AuditedRow withoutRate() {
        var without = new LinkedHashMap<>(fixed);
        without.remove(KIND);
        return new AuditedRow(venue, symbol, without, "", null, null, nextFundingMs, prices, observedAtMs);
    }

    /** The row without its interval, and without the rates and the next settlement that another one lacks. */
    AuditedRow knownTo(AuditedRow other) {
        var without = new LinkedHashMap<>(fixed);
        without.put(INTERVAL, "null");
        return new AuditedRow(
                venue,
                symbol,
                without,
                rateKind,
                other.rate == null ? null : rate,
                other.rate8h == null ? null : rate8h,
                other.nextFundingMs == null ? null : nextFundingMs,
                prices,
                observedAtMs);
    }
}
