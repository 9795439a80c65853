package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.snapshot.PairRanking;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshots;
import io.fundingobservatory.topics.HistoryReach;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ranking of pairs: what it has, what it counts, and what it says is missing. */
class CarryTest extends SiteFixture {
    private static final long HOUR = 3_600_000;
    private static final long END = 1_789_999_200_000L;
    private static final String NO_COMPLETE_PAIR = "no two exchanges in scope have such a complete pair";

    /** A leg as its venue, symbol and sum, and the settlements that are missing where there are any. */
    private static CarryLeg leg(String words) {
        String[] word = words.split(" ");
        return Samples.leg(word[0], word[1], word[2], word.length < 4 ? 0 : Long.parseLong(word[3]), END);
    }

    private static CarryPair pair(String longLeg, String shortLeg, int days, @Nullable String reason) {
        return Samples.pair(leg(longLeg), leg(shortLeg), days, reason);
    }

    private static CarryPair pair(String longLeg, String shortLeg) {
        return pair(longLeg, shortLeg, 30, null);
    }

    private static CarryTable table(String asset, CarryPair... pairs) {
        return Samples.table(asset, END, List.of(pairs), List.of());
    }

    static List<CarryTable> tables() {
        var refusal = new CarryRefusal(
                "binance",
                "ETHUSDT",
                new BigDecimal("4000"),
                "gate",
                "ETH_USDT",
                new BigDecimal("0.004"),
                "price_differs");
        return List.of(
                table(
                        "BTC",
                        pair("binance BTCUSDT 0.001", "okx BTC-USDT-SWAP 0.0035"),
                        pair("bybit BTCUSDT 0.001 2", "okx BTC-USDT-SWAP 0.9", 12, "gap"),
                        pair("lbank BTCUSDT 0.001", "okx BTC-USDT-SWAP 0.5")),
                Samples.table(
                        "ETH",
                        END,
                        List.of(pair("okx ETH-USDT-SWAP -0.0100", "binance ETHUSDT 0.0001")),
                        List.of(refusal)),
                Samples.table(
                        "OLD", END - 3 * HOUR, List.of(pair("okx OLD-USDT-SWAP 0", "binance OLDUSDT 9")), List.of()));
    }

    static Snapshot snapshot(List<CarryTable> tables) {
        return Snapshots.of(
                NOW,
                List.of(
                        Samples.rate("binance", "BTCUSDT", "BTC", NOW),
                        Samples.rate("okx", "BTC-USDT-SWAP", "BTC", NOW),
                        Samples.bare("okx", "ETH-USDT-SWAP", "ETH", NOW)),
                Map.of(),
                tables.isEmpty() ? null : Samples.ranking(tables));
    }

    private JsonNode carry(String query, Snapshot snapshot) throws IOException {
        JsonNode body = json(responses(request("GET", "/api/v1/carry" + query), snapshot));
        UnitsWalk.check(body);
        return body;
    }

    private JsonNode carry(String query) throws IOException {
        return carry(query, snapshot(tables()));
    }

    private static List<String> pairs(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(row -> row.path("asset").asText() + " "
                        + row.at("/short/venue").asText() + "-"
                        + row.at("/long/venue").asText())
                .toList();
    }

    private static List<String> reasons(JsonNode body) {
        return body.at("/meta/missing/values").findValuesAsText("reason");
    }

    /** A list that has nothing else is not named as one that has. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "assets=NOPE         | ''",
                "venues=okx,gate     | ''",
                "venues=bybit,okx    | ; pairs in scope are listed in incomplete",
                "venues=binance,gate | ; pairs in scope are listed in refused",
            })
    void emptyListNamesListsWithPairs(String query, String others) throws IOException {
        assertEquals(
                NO_COMPLETE_PAIR + others,
                reasons(carry("?" + query)).stream()
                        .filter(reason -> reason.startsWith(NO_COMPLETE_PAIR))
                        .findFirst()
                        .orElse(""));
    }

    /** All funding is on the day that ended two days before the window. Fields of 30 days are those of complete pairs alone. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``             | /window_start_ms                     | 1787407200000
            ``             | /window_end_ms                       | 1789999200000
            ``             | /meta/row_count                      | 2
            ``             | /complete_count                      | 2
            ``             | /incomplete_count                    | 1
            ``             | /refused_count                       | 1
            ``             | /rows/0/rank                         | 1
            ``             | /rows/0/funding_difference_30d       | 0.0101
            ``             | /rows/0/complete                     | true
            ``             | /rows/0/orientation                  | "by_30d_sum"
            ``             | /rows/0/receipt                      | "abababababababababababababababababababababababababababababababab"
            ``             | /rows/0/long/settlements             | 90
            ``             | /rows/0/long/expected                | 90
            ``             | /rows/0/current_difference_8h        | null
            ``             | /rows/0/current_direction_agrees     | null
            ``             | /rows/0/price_ratio                  | null
            ``             | /rows/1/current_difference_8h        | 0.0000
            ``             | /rows/1/current_direction_agrees     | false
            ``             | /rows/1/price_ratio                  | 1
            ``             | /not_included/4                      | "liquidity"
            ``             | /not_included/5                      | none
            ``             | /incomplete/0/reason                 | "gap"
            ``             | /incomplete/0/days                   | 12
            ``             | /incomplete/0/funding_difference_30d | null
            ``             | /incomplete/0/funding_difference     | 0.899
            ``             | /incomplete/0/long/funding_sum_30d   | none
            ``             | /incomplete/0/long/settlements       | 88
            ``             | /incomplete/0/long/expected          | 90
            ``             | /incomplete/0/rank                   | none
            ``             | /incomplete/0/orientation            | "by_common_window_sum"
            ``             | /refused                             | [{"asset":"ETH","venue_a":"binance","symbol_a":"ETHUSDT","price_a":4000,"venue_b":"gate","symbol_b":"ETH_USDT","price_b":0.004,"reason":"price_differs"}]
            assets=ETH     | /rows/0/funding_difference_7d        | 0.0101
            assets=ETH     | /rows/0/funding_difference_24h       | 0
            assets=ETH     | /rows/0/best_day/day_start_ms        | 1789740000000
            assets=ETH     | /rows/0/best_day/day_difference      | 0.0101
            assets=ETH     | /rows/0/worst_day/day_start_ms       | 1789912800000
            assets=ETH     | /rows/0/worst_day/day_difference     | 0
            assets=ETH     | /rows/0/long/quote                   | "USDT"
            venues=okx,foo | /rows                                | []
            venues=okx,foo | /meta/unreadable_venues              | ["foo"]
            assets=NOPE    | /meta/unreadable_assets              | ["NOPE"]
            limit=0        | /status                              | "unreadable"
            limit=1001     | /status                              | "unreadable"
            limit=-1       | /status                              | "unreadable"
            limit=x        | /status                              | "unreadable"
            limit=1,2      | /status                              | "unreadable"
            limit=         | /status                              | "unreadable"
            limit=1e2      | /status                              | "unreadable"
            symbols=BTC    | /status                              | "unreadable"
            """)
    void statesPairsAndCounts(String query, String pointer, String value) throws IOException {
        facts(carry(query.isEmpty() ? "" : '?' + query), pointer + ' ' + value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "?limit=100        | [ETH binance-okx, BTC okx-binance] | [BTC okx-bybit] | 1 assets whose pair table is not of this window are left out",
                "?assets=btc       | [BTC okx-binance] | [BTC okx-bybit] | 1 assets whose pair table is not of this window are left out",
                "?venues=okx,lbank | [BTC okx-lbank]   | []              | 1 assets whose pair table is not of this window are left out",
                "?venues=okx,foo   | []                | []              | a pair needs two exchanges: name at least two that are listed",
            })
    void namesNarrowAndReachVenuesOutsideDefaultScope(String query, String rows, String incomplete, String reason)
            throws IOException {
        JsonNode body = carry(query);
        assertEquals(rows, pairs(body.path("rows")).toString());
        assertEquals(incomplete, pairs(body.path("incomplete")).toString());
        assertTrue(reasons(body).contains(reason), reasons(body).toString());
    }

    private static Snapshot reading(Map<String, VenueStatus> statuses) {
        List<Rate> rows = Stream.of("okx", "bybit", "binance")
                .map(venue -> Samples.rate(venue, "BTCUSDT", "BTC", NOW))
                .toList();
        return Snapshots.of(NOW, rows, statuses, Samples.ranking(tables()));
    }

    private static VenueStatus read(String venue) {
        return Samples.read(venue, NOW, 1, Map.of());
    }

    /** While the backfill of a leg's exchange goes on, no other reason is final; the ranking of that scope is provisional. */
    @ParameterizedTest
    @CsvSource({"3, true, 10, history_being_read", "5, false, 12, gap"})
    void whileHistoryIsReadTheRankingIsProvisional(long done, boolean provisional, int read, String reason)
            throws IOException {
        Snapshot snapshot = reading(Map.of(
                "okx", read("okx").withHistory(7, 7), "bybit", read("bybit").withHistory(done, 5)));
        JsonNode body = carry("", snapshot);
        assertEquals(provisional, body.path("provisional").asBoolean());
        assertEquals(12, body.path("settled_history_contracts").asInt());
        assertEquals(read, body.path("settled_history_contracts_read").asInt());
        assertEquals(reason, body.at("/incomplete/0/reason").asText());
        facts(carry("?venues=okx,binance", snapshot), "/provisional false");
    }

    /** No waiting helps where an exchange publishes no settled rates, also while the other leg's history is being read. */
    @Test
    void lastingReasonsPrecedeOthersAndNameTheExchange() throws IOException {
        String without = ListedVenue.ALL.stream()
                .filter(venue -> venue.historyReach().extent() == HistoryReach.Extent.NONE)
                .findFirst()
                .orElseThrow()
                .id();
        var unknown = new CarryPair(leg(without + " X 0"), leg("okx X 0"), 0, false, "service_started", null, 3L, null);
        Snapshot snapshot = Snapshots.of(
                NOW,
                List.of(Samples.rate("okx", "X", "X", NOW), Samples.rate(without, "X", "X", NOW)),
                Map.of("okx", read("okx").withHistory(1, 2)),
                Samples.ranking(List.of(table("X", unknown))));
        JsonNode body = carry("?venues=all", snapshot);
        facts(body, """
                /incomplete/0/reason "no_settled_history"
                /incomplete/0/reason_venue "%s"
                /incomplete/0/positive_days null
                """.formatted(without));
        assertTrue(body.toString().indexOf("\"provisional\"") < 200);
    }

    /** No exchange has said how many contracts it has: that is not 0 of 0. */
    @Test
    void unknownExtentOfHistoryIsNull() throws IOException {
        JsonNode body = carry("", reading(Map.of("okx", read("okx"))));
        facts(body, """
                /provisional true
                /settled_history_contracts null
                /settled_history_contracts_read null
                """);
        assertTrue(body.at("/meta/missing/values")
                .findValuesAsText("field")
                .contains("settled_history_contracts, settled_history_contracts_read"));
    }

    /** Rates of two coins must not be compared; the list of rates warns of what the pairs know. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "assets=ETH,BTC                  | 1",
                "assets=ETH&fields=funding_rate_8h | 1",
                "assets=BTC                      | 0",
                // Gate has the other coin.
                "assets=ETH&venues=binance,okx   | 0",
            })
    void flagsTwoCoinsUnderOneName(String query, int flags) throws IOException {
        JsonNode body = json(responses(request("GET", "/api/v1/latest?" + query), snapshot(tables())));
        assertEquals(
                flags,
                StreamSupport.stream(body.at("/meta/missing/values").spliterator(), false)
                        .filter(value -> value.path("field").asText().equals("asset"))
                        .filter(value ->
                                value.path("reason").asText().startsWith("prices of ETH differ by more than 5 %"))
                        .count());
    }

    /** Five pairs of an asset that the default scope does not list. */
    @Test
    void countsPairsOutsideTheScope() throws IOException {
        var tables = new ArrayList<>(tables());
        tables.add(table(
                "ETH2",
                Stream.of("grvt", "xt", "btse", "apex", "weex")
                        .map(venue -> pair("lbank ETH2USDT 0.001", venue + " ETH2USDT 0.002"))
                        .toArray(CarryPair[]::new)));
        JsonNode body = carry("?assets=ETH2", snapshot(tables));
        facts(body, """
                /rows []
                /incomplete_count 0
                /complete_outside_scope 5
                /meta/scope/kind "default"
                /meta/unreadable_assets none
                """);
        assertTrue(reasons(body).containsAll(List.of(NO_COMPLETE_PAIR, "no pair in scope has ETH2")));
        JsonNode all = carry("?assets=ETH2&venues=all", snapshot(tables));
        assertEquals(5, all.path("rows").size());
        facts(all, "/complete_outside_scope 0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "venues=okx,kraken | no pair in scope has BTC, ETH | []",
                "venues=okx,lbank  | no pair in scope has ETH      | [BTC okx-lbank]",
                "venues=all        | ''                            | [BTC okx-lbank, ETH binance-okx, BTC okx-binance]",
            })
    void namesAssetsWithoutPair(String venues, String reason, String rows) throws IOException {
        JsonNode body = carry("?assets=BTC,ETH&" + venues);
        assertEquals(rows, pairs(body.path("rows")).toString());
        assertEquals(
                reason,
                String.join(
                        "",
                        reasons(body).stream()
                                .filter(why -> why.startsWith("no pair"))
                                .toList()));
    }

    /** A table of the asset is not there yet. */
    @Test
    void knowsObservedAssetWithoutTable() throws IOException {
        List<Rate> rows = List.of(Samples.rate("okx", "NEW-USDT-SWAP", "NEW", NOW));
        JsonNode body = carry("?assets=new,NOPE", Snapshots.of(NOW, rows, Map.of(), Samples.ranking(tables())));
        facts(body, "/meta/unreadable_assets [\"NOPE\"]");
        assertTrue(reasons(body).contains("no pair in scope has NEW"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?assets=ETH", "?assets=BTC", "?venues=okx,lbank", "?venues=all&assets=BTC"})
    void coverageCountsTheSameOfTheSameScope(String query) throws IOException {
        JsonNode rates = json(responses(request("GET", "/api/v1/latest" + query), snapshot(tables())));
        assertEquals(rates.at("/meta/coverage"), carry(query).at("/meta/coverage"));
        facts(carry("?assets=ETH"), "/meta/coverage 2\n/meta/venues_matched 1");
    }

    @Test
    void unknownDifferenceHasNoOrientation() throws IOException {
        var none = new CarryPair(
                leg("binance BTCUSDT 0 90"),
                leg("okx BTC-USDT-SWAP 0 90"),
                0,
                false,
                "service_started",
                null,
                null,
                null);
        facts(
                carry("", snapshot(List.of(table("BTC", none)))),
                "/incomplete/0/orientation null\n/incomplete/0/receipt null");
    }

    @Test
    void everyReasonOfAnIncompletePairIsServed() throws IOException {
        List<String> reasons = List.of(
                "contradictory",
                "gap",
                "history_capped",
                "listed_in_window",
                "relisted",
                "service_started",
                "settlement_pending");
        CarryPair[] pairs = reasons.stream()
                .map(reason -> pair("binance BTC-" + reason + " 0.001 1", "okx BTC-" + reason + " 0.002", 29, reason))
                .toArray(CarryPair[]::new);
        JsonNode body = carry("", snapshot(List.of(table("BTC", pairs))));
        assertEquals(
                reasons,
                body.path("incomplete").findValuesAsText("reason").stream()
                        .sorted()
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({"'', 100", "?limit=7, 7", "?limit=1000, 150"})
    void limitCutsAndAllAreCounted(String query, int rows) throws IOException {
        List<CarryTable> many = IntStream.range(0, 150)
                .mapToObj(i -> table("A" + i, pair("okx S" + i + " 0", "binance S" + i + " 0." + (100 + i))))
                .toList();
        JsonNode body = carry(query, snapshot(many));
        assertEquals(rows, body.path("rows").size());
        facts(body, "/complete_count 150\n/rows/0/asset \"A149\"");
    }

    @Test
    void withoutAnyTableItIsStarting() throws IOException {
        Snapshot none = snapshot(List.of());
        facts(carry("", none), """
                /status "starting"
                /reason "the first table of 30-day pairs is not there yet"
                /rows none
                """);
        for (Snapshot each : List.of(none, snapshot(tables()))) {
            String addresses = json(responses(request("GET", "/api/v1"), each))
                    .path("addresses")
                    .toString();
            String served = each == none ? "not yet" : "yes";
            assertTrue(addresses.contains("\"/api/v1/carry\",\"served\":\"" + served + '"'), addresses);
        }
    }

    @Test
    void reportsAbsenceOfPairTablesInsteadOfStarting() throws IOException {
        String why = "no table of 30-day pairs has been published yet";
        JsonNode body = carry(
                "", Snapshots.of(NOW, List.of(Samples.rate("okx", "A", "A", NOW)), Map.of(), PairRanking.none(why)));
        facts(body, """
                /rows []
                /window_end_ms null
                /provisional true
                """);
        for (String field : List.of("rows", "window_start_ms, window_end_ms")) {
            String value = "{\"field\":\"" + field + "\",\"reason\":\"" + why + "\"}";
            assertTrue(body.at("/meta/missing/values").toString().contains(value), body::toString);
        }
    }

    /** Okx shows BTC with all its fields and ETH without most: a request for BTC does not list those of ETH. */
    @Test
    void countsOnlyNullsOfNamedAssets() throws IOException {
        assertEquals("[]", carry("?assets=BTC").at("/meta/missing/symbols").toString());
        for (String query : List.of("", "?assets=ETH")) {
            String left = carry(query).at("/meta/missing/symbols").toString();
            assertTrue(left.contains("{\"venue\":\"okx\",\"reason\":\"mark_price_not_published\",\"count\":1}"), left);
        }
    }
}
