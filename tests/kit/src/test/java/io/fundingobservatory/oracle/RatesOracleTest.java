package io.fundingobservatory.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.oracle.RatesOracle.Broken;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that were computed by hand, and the same rows with each mistake: the oracle names the invariant that breaks. */
class RatesOracleTest {
    private static final String KEY = "okx|S";
    private static final String QUOTE = """
            {"venue":"okx","symbol":"S","base":"B","quote":"USDT","contract_type":"linear","rate":%s,"rate_unit":"%s",\
            "rate_hours":%s,"rate_kind":"fixed","interval_h":%s,"interval_source":"row","rate_cap":%s,"rate_floor":null,\
            "next_funding_ms":1790006400000,"mark_price":8,"index_price":20000,"venue_time_ms":999,"observed_at_ms":%d}""";
    private static final String ROW = """
            {"venue":"okx","symbol":"S","asset":"COIN","quote":"USDT","contract_type":"linear","asset_class":null,"dex":null,\
            "funding_rate_8h":%s,"funding_interval_h":%s,"funding_interval_source":"row","funding_rate":%s,"rate_kind":"fixed",\
            "funding_rate_annualised":%s,"funding_cap_8h":%s,"funding_floor_8h":null,"next_funding_ms":1790006400000,\
            "mark_price":8,"index_price":20000,"price_scale":1000,"venue_time_ms":999,"observed_at_ms":%d}""";

    /** Among them: a duplicate, a late reading, one beyond 1000 %, and one without JSON. */
    private static final List<String> QUOTES = List.of(
            quote("0.0001", 1_000),
            quote("0.0002", 2_000),
            quote("0.0002", 2_000),
            quote("0.0003", 1_500),
            quote("10.5", 3_000),
            "not JSON",
            quote("-0.0004", 4_000));

    private static final int REFUSED = 2;
    private static final String FIRST = row("0.0001", "0.1095", 1_000);
    private static final String SECOND = row("0.0002", "0.219", 2_000);
    private static final String LATE = row("0.0003", "0.3285", 1_500);
    private static final String LAST = row("-0.0004", "-0.438", 4_000);

    private static String quote(String rate, long observedAtMs) {
        return QUOTE.formatted(rate, "fraction", "8", "8", "null", observedAtMs);
    }

    private static String row(String rate, String annualised, long observedAtMs) {
        return ROW.formatted(rate, "8", rate, annualised, "null", observedAtMs);
    }

    private static Set<Broken> broken(List<String> quotes, List<String> rows, Map<String, String> latest, int letters) {
        var oracle = new RatesOracle((venue, symbol) -> new Names.Asset("COIN", new BigDecimal(1_000)));
        quotes.forEach(quote -> oracle.quote(KEY.getBytes(UTF_8), quote.getBytes(UTF_8)));
        rows.forEach(row -> oracle.row(KEY.getBytes(UTF_8), row.getBytes(UTF_8)));
        oracle.end();
        var newest = new HashMap<String, byte[]>();
        latest.forEach((key, row) -> newest.put(key, row.getBytes(UTF_8)));
        oracle.latest(newest);
        oracle.deadLetters(letters);
        var broken = EnumSet.allOf(Broken.class);
        broken.removeIf(what -> oracle.violations(what).isEmpty());
        return broken;
    }

    private static Set<Broken> broken(String... rows) {
        return broken(QUOTES, List.of(rows), Map.of(KEY, rows[rows.length - 1]), REFUSED);
    }

    /** 0.0001 × 8 / 3 does not end: 18 decimals, half to even. A year has 1,095 times 8 hours. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0.0001      | fraction                | 8    | 8    | 0.02 | 0.0001               | 0.0001   | 0.1095               | 0.02
            0.0001      | fraction                | 3    | 6    | null | 0.000266666666666667 | 0.0002   | 0.292000000000000365 | null
            0.0001      | fraction                | null | 4    | 0.02 | null                 | 0.0001   | null                 | null
            -0.03       | percent                 | 4    | 4    | 0.5  | -0.0006              | -0.0003  | -0.657               | 0.01
            5           | quote_per_coin_at_index | 1    | 1    | null | 0.002                | 0.00025  | 2.19                 | null
            0.001       | quote_per_coin_at_mark  | 8    | 8    | null | 0.000125             | 0.000125 | 0.136875             | null
            0.000000001 | coin_per_quote_at_index | 8    | null | null | 0.00002              | null     | 0.0219               | null
            """)
    void expectsRowsComputedByHand(
            String rate,
            String unit,
            String hours,
            String interval,
            String cap,
            String eight,
            String own,
            String annualised,
            String cap8h) {
        String quote = QUOTE.formatted(rate, unit, hours, interval, cap, 1_000);
        String row = ROW.formatted(eight, interval, own, annualised, cap8h, 1_000);
        assertEquals(Set.of(), broken(List.of(quote), List.of(row), Map.of(KEY, row), 0));
    }

    @Test
    void namesLostDoubledAndLateRows() {
        assertEquals(Set.of(), broken(FIRST, SECOND, LAST));
        assertEquals(Set.of(Broken.NOTHING_LOST), broken(SECOND, LAST));
        assertEquals(Set.of(Broken.NOTHING_LOST), broken(FIRST, LAST));
        assertEquals(Set.of(Broken.NOTHING_LOST), broken(FIRST, SECOND));
        assertEquals(Set.of(Broken.EXACTLY_ONCE), broken(FIRST, SECOND, SECOND, LAST));
        assertEquals(Set.of(Broken.EXACTLY_ONCE), broken(FIRST, SECOND, LATE, LAST));
        assertEquals(EnumSet.of(Broken.NOTHING_LOST, Broken.EXACTLY_ONCE), broken(SECOND, FIRST, LAST));
    }

    @Test
    void namesEachFieldThatDiffersOrIsMissing() {
        for (String name : Json.object(FIRST.getBytes(UTF_8)).keySet()) {
            var field = Pattern.compile("\"" + name + "\":[^,}]*");
            Broken what = name.equals("observed_at_ms") ? Broken.EXACTLY_ONCE : Broken.EXACT_VALUE;
            for (String wrong : List.of("\"" + name + "\":0.00012", "\"other\":null")) {
                String row = field.matcher(FIRST).replaceFirst(wrong);
                assertTrue(broken(row, SECOND, LAST).contains(what), row);
            }
        }
        assertEquals(
                Set.of(Broken.EXACT_VALUE), broken(FIRST.replace("0.1095", "0.10950000000000000001"), SECOND, LAST));
        assertEquals(Set.of(), broken(FIRST.replace("0.0001,", "0.00010,"), SECOND, LAST), "another spelling");
        assertEquals(Set.of(Broken.EXACT_VALUE), broken(FIRST.replace("}", ",\"more\":1}"), SECOND, LAST));
    }

    @Test
    void namesWrongNewestRowsAndDeadLetters() {
        List<String> rows = List.of(FIRST, SECOND, LAST);
        Map<String, String> right = Map.of(KEY, LAST);
        assertEquals(Set.of(Broken.NOTHING_LOST), broken(QUOTES, rows, Map.of(), REFUSED));
        assertEquals(Set.of(Broken.NOTHING_LOST), broken(QUOTES, rows, Map.of(KEY, SECOND), REFUSED));
        assertEquals(Set.of(Broken.EXACTLY_ONCE), broken(QUOTES, rows, Map.of(KEY, LAST, "okx|T", LAST), REFUSED));
        assertEquals(Set.of(Broken.NOTHING_LOST), broken(QUOTES, rows, right, REFUSED - 1));
        assertEquals(Set.of(Broken.EXACTLY_ONCE), broken(QUOTES, rows, right, REFUSED + 1));
    }
}
