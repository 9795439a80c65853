package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshots;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.DailySums;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Rate;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lists of pairs in another form, through the same checks of the description as every response. */
class CarryFormsTest extends SiteFixture {
    private static final long END = 1_789_999_200_000L;

    private static CarryPair pair(String asset, String longSum, String shortSum, int days, String reason) {
        return Samples.pair(
                Samples.leg("okx", asset + "-USDT", longSum, 0, END),
                Samples.leg("binance", asset + "USDT", shortSum, 0, END),
                days,
                reason);
    }

    private static CarryLeg unknownLeg(String venue) {
        return new CarryLeg(venue, "N-USDT", 0, null, null, 0, 0, 0, null, null, null, null, DailySums.NONE, null);
    }

    /** A, B and C have 7, 3 and 10 thousandths; no day of the pair without settlements is known. */
    static Snapshot snapshot() {
        CarryPair unknown =
                new CarryPair(unknownLeg("gate"), unknownLeg("okx"), 0, false, "service_started", null, null, null);
        var refusal =
                new CarryRefusal("binance", "AUSDT", new BigDecimal("4000"), "gate", "A_USDT", null, "price_differs");
        var cheaper = new CarryRefusal(
                "binance", "BUSDT", new BigDecimal("3"), "gate", "B_USDT", BigDecimal.ONE, "price_differs");
        return Snapshots.of(
                NOW,
                List.of(Samples.rate("okx", "A-USDT", "A", NOW), Samples.bare("okx", "N-USDT", "N", NOW)),
                Map.of(),
                Samples.ranking(List.of(
                        Samples.table("A", END, List.of(pair("A", "0.0010", "0.0080", 30, null)), List.of(refusal)),
                        Samples.table("B", END, List.of(pair("B", "-0.001", "0.002", 30, null)), List.of(cheaper)),
                        Samples.table("C", END, List.of(pair("C", "0.01", "0.02", 30, null)), List.of()),
                        Samples.table("N", END, List.of(pair("N", "0", "0.5", 12, "gap"), unknown), List.of()))));
    }

    private JsonNode carry(String query, Snapshot snapshot) throws IOException {
        JsonNode body = json(responses(request("GET", "/api/v1/carry" + query), snapshot));
        if (!query.contains("layout=columns")) {
            UnitsWalk.check(body);
        }
        return body;
    }

    private JsonNode carry(String query) throws IOException {
        return carry(query, snapshot());
    }

    private static List<String> assets(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(row -> row.path("asset").asText())
                .toList();
    }

    private static String spelled(JsonNode value) {
        return value.isBigDecimal() ? value.decimalValue().toPlainString() : value.toString();
    }

    /** The objects of a list of pairs, written of its columns: an object of which every member is null is null. */
    private static String rebuilt(JsonNode columns, JsonNode rows) {
        var objects = new ArrayList<String>();
        for (JsonNode row : rows) {
            var members = new ArrayList<String>();
            for (int i = 0; i < columns.size(); ) {
                String[] name = columns.get(i).asText().split("\\.", 2);
                if (name.length == 1) {
                    members.add('"' + name[0] + "\":" + spelled(row.get(i++)));
                    continue;
                }
                var inner = new ArrayList<String>();
                boolean known = false;
                for (; i < columns.size() && columns.get(i).asText().startsWith(name[0] + '.'); i++) {
                    known |= !row.get(i).isNull();
                    inner.add('"' + columns.get(i).asText().substring(name[0].length() + 1) + "\":"
                            + spelled(row.get(i)));
                }
                members.add('"' + name[0] + "\":" + (known ? '{' + String.join(",", inner) + '}' : "null"));
            }
            objects.add('{' + String.join(",", members) + '}');
        }
        return '[' + String.join(",", objects) + ']';
    }

    @Test
    void columnsRecomputeToThePlainLists() throws IOException {
        String plain =
                new String(bytes(responses(request("GET", "/api/v1/carry"), snapshot())), StandardCharsets.UTF_8);
        JsonNode columns = carry("?layout=columns");
        String lists = "\"rows\":" + rebuilt(columns.path("columns"), columns.path("rows")) + ",\"incomplete\":"
                + rebuilt(columns.path("incomplete_columns"), columns.path("incomplete")) + ",\"refused\":"
                + rebuilt(columns.path("refused_columns"), columns.path("refused")) + "}";
        assertEquals(lists, plain.substring(plain.indexOf("\"rows\":[")));
        assertTrue(plain.contains("\"best_day\":null"), "a pair without a common day is among them");
    }

    @Test
    void selectedFieldsAlwaysHaveTheKeys() throws IOException {
        JsonNode body = carry("?fields=price_ratio,funding_difference_30d,reason&limit=1");
        assertEquals(
                "[{\"asset\":\"C\",\"long\":{\"venue\":\"okx\",\"symbol\":\"C-USDT\"},"
                        + "\"short\":{\"venue\":\"binance\",\"symbol\":\"CUSDT\"},"
                        + "\"funding_difference_30d\":0.01,\"price_ratio\":null}]",
                body.path("rows").toString());
        assertEquals(
                "[{\"asset\":\"A\",\"venue_a\":\"binance\",\"symbol_a\":\"AUSDT\",\"venue_b\":\"gate\","
                        + "\"symbol_b\":\"A_USDT\",\"reason\":\"price_differs\"}]",
                body.path("refused").toString());
        facts(body, """
                /incomplete/0/reason "gap"
                /meta/row_count 1
                /rows_matched 3
                /complete_count 3
                """);
    }

    @Test
    void metaIsAboutTheFieldsReturned() throws IOException {
        JsonNode sums = carry("?fields=funding_difference_30d&missing=reasons");
        JsonNode meta = sums.path("meta");
        assertTrue(meta.path("units").has("funding_difference_30d"));
        assertFalse(meta.path("units").has("price_ratio"));
        assertFalse(meta.at("/missing/values").toString().contains("price_ratio"), meta.toString());
        JsonNode prices = carry("?fields=price_ratio,best_day.day_difference");
        String notes = prices.at("/meta/missing/values").toString();
        assertTrue(notes.contains("price_ratio") && notes.contains("best_day"), notes);
    }

    /** An order by a value is about that value: pairs without it come last, and the reason is there. */
    @Test
    void metaIsAboutTheOrder() throws IOException {
        assertFalse(missing("?fields=funding_difference_30d").contains("funding_rate_8h_not_known"));
        assertTrue(missing("?fields=funding_difference_30d&order=current_difference_8h")
                .contains("funding_rate_8h_not_known"));
        assertFalse(missing("?fields=funding_difference_30d&order=current_difference_8h")
                .contains("mark_price_not_published"));
    }

    private String missing(String query) throws IOException {
        return carry(query).at("/meta/missing/symbols").toString();
    }

    /** Of five contracts at two exchanges, the inverse and the quanto ones of one of them pair with nothing. */
    @Test
    void countsContractsThatPairWithNone() throws IOException {
        Snapshot snapshot = Snapshots.of(
                NOW,
                List.of(
                        typed("okx", "A-USD", ContractType.INVERSE),
                        typed("okx", "A-USDT", ContractType.LINEAR),
                        typed("okx", "A-QUANTO", ContractType.QUANTO),
                        typed("gate", "A_QUANTO", ContractType.QUANTO),
                        typed("gate", "A_USDT", ContractType.LINEAR)),
                Map.of(),
                Samples.ranking(
                        List.of(Samples.table("A", END, List.of(pair("A", "0.0010", "0.0080", 30, null)), List.of()))));
        Map.of("okx,gate", 3, "okx,gate&assets=A&fields=days", 3, "okx", 3, "bybit,kraken", 0)
                .forEach((venues, unpaired) -> {
                    JsonNode body = assertDoesNotThrow(() -> carry("?venues=" + venues, snapshot));
                    assertEquals(unpaired, body.path("unpaired_contracts").asInt(-1), venues);
                });
    }

    private static Rate typed(String venue, String symbol, ContractType type) {
        return Rate.CODEC.with(Samples.rate(venue, symbol, "A", NOW), "contract_type", type);
    }

    /** A leg has its percentiles whatever the other leg lacks, next to its rate now: is that unusual? */
    @Test
    void legsHaveUsualAndPresentRate() throws IOException {
        CarryLeg known = CarryLeg.CODEC.with(
                Samples.leg("okx", "A-USDT", "0.1", 0, END),
                "rate_8h_p10",
                new BigDecimal("-0.00010"),
                "rate_8h_p50",
                BigDecimal.ZERO,
                "rate_8h_p90",
                new BigDecimal("0.0002"));
        CarryPair pair = Samples.pair(Samples.leg("binance", "AUSDT", "0", 0, END), known, 12, "gap");
        Snapshot snapshot = Snapshots.of(
                NOW,
                List.of(Samples.rate("okx", "A-USDT", "A", NOW)),
                Map.of(),
                Samples.ranking(List.of(Samples.table("A", END, List.of(pair), List.of()))));
        JsonNode body = carry(
                "?assets=A&numbers=text&fields=short.funding_rate_8h,short.rate_8h_p10,short.rate_8h_p50,short.rate_8h_p90,long.funding_rate_8h,long.rate_8h_p90",
                snapshot);
        assertEquals(
                "{\"asset\":\"A\",\"long\":{\"venue\":\"binance\",\"symbol\":\"AUSDT\",\"funding_rate_8h\":null,\"rate_8h_p90\":null},"
                        + "\"short\":{\"venue\":\"okx\",\"symbol\":\"A-USDT\",\"funding_rate_8h\":\"0.0001\","
                        + "\"rate_8h_p10\":\"-0.00010\",\"rate_8h_p50\":\"0\",\"rate_8h_p90\":\"0.0002\"}}",
                body.at("/incomplete/0").toString());
        assertTrue(
                body.at("/meta/missing/values").toString().contains("fewer than 30 whole days"),
                body.path("meta").toString());
    }

    /** What is not known comes last, and a list keeps its order where its entries do not have the field. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                | rows       | asset  | C,A,B",
                "?order=funding_difference_7d      | rows       | asset  | B,A,C",
                "?order=funding_difference_7d      | rows       | rank   | 3,2,1",
                "?order=long.funding_sum_30d&limit=1&layout=rows | rows | asset | B",
                "?order=price_a                    | rows       | asset  | C,A,B",
                "?order=-funding_difference        | incomplete | reason | gap,service_started",
                "?order=days                       | incomplete | reason | service_started,gap",
                "''                                | refused    | asset  | A,B",
                "?order=price_a                    | refused    | asset  | B,A",
                "?order=-price_b&limit=1           | refused    | asset  | B",
                "?order=-days                      | refused    | asset  | A,B",
            })
    void ordersEachListByItsField(String query, String list, String field, String values) throws IOException {
        assertEquals(values, String.join(",", carry(query).path(list).findValuesAsText(field)));
    }

    /** Complete pairs have 15 positive days here, the pair of twelve days 6, and that without a day none that is known. */
    @Test
    void positiveDaysSelectPairsAndCounts() throws IOException {
        JsonNode all = carry("?min_positive_days=15&limit=1&order=-rank");
        facts(all, """
                /rows/0/asset "B"
                /rows/0/rank 3
                /rows_matched 3
                /incomplete_count 0
                /refused_count 2
                """);
        assertTrue(all.at("/meta/missing/values").toString().contains("min_positive_days leaves out: 1\""));
        facts(carry("?min_positive_days=6"), "/incomplete/0/reason \"gap\"\n/incomplete_count 1");
        JsonNode none = carry("?min_positive_days=16&layout=rows");
        facts(none, "/complete_count 0");
        assertTrue(none.at("/meta/missing/values")
                .toString()
                .contains("no complete pair in scope has at least 16 positive days, as min_positive_days requires;"
                        + " pairs in scope are listed in refused\""));
    }

    @Test
    void textKeepsEveryDigitAndCountsStayNumbers() throws IOException {
        JsonNode body = carry("?numbers=text");
        facts(body, """
                /rows/1/funding_difference_30d "0.0070"
                /rows/1/long/funding_sum_30d "0.0010"
                /rows/1/long/settlements 90
                /rows/1/rank 2
                """);
        assertTrue(body.at("/rows/1/best_day/day_start_ms").isNumber());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fields=long           | long.venue",
                "fields=venue          | short.venue",
                "order=asset           | price_ratio",
                "order=rank,days       | one numeric field",
                "limit=1001            | from 1 to 1000",
                "min_positive_days=0   | from 1 to 30",
                "min_positive_days=31  | from 1 to 30",
                "min_positive_days=5,6 | from 1 to 30",
                "min_positive_days=1.5 | from 1 to 30",
                "layout=csv            | rows or columns",
                "numbers=float         | json or text",
                "missing=none          | venues or reasons",
            })
    void unreadableFormsAreNamed(String query, String words) throws IOException {
        String reason = carry('?' + query).path("reason").asText();
        assertTrue(reason.contains(words), reason);
        assertEquals(
                1,
                site.decide(request("GET", "/api/v1/carry?" + query), snapshot())
                        .points());
    }

    @Test
    void unchangedFormsCostOnePoint() {
        String endpoint = "/api/v1/carry?layout=columns&fields=days,receipt";
        Snapshot now = snapshot();
        String tag = responses(request("GET", endpoint), now).headers().get("ETag");
        SiteRequest again = request("GET", "/api/v1/carry?fields=receipt,days&layout=columns", tag);
        assertEquals(1, site.decide(again, now).points());
        assertEquals(304, responses(again, now).status());
    }

    @ParameterizedTest
    @CsvSource({"'',3", "?limit=1,3", "?assets=A,1", "?assets=A&limit=1,1"})
    void countsMatchedPairsWhateverTheForm(String query, int matched) throws IOException {
        assertEquals(matched, carry(query).path("rows_matched").asInt(-1));
    }
}
