package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.pairs.RankedPair;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.request.Selection;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshots;
import io.fundingobservatory.gateway.traffic.StandardLimits;
import io.fundingobservatory.topics.HistoryReach;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CarryTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long HOUR = 3_600_000;
    private static final long END = 1_789_999_200_000L;
    private static final long NOW = END + 15 * 60_000;

    private final Site site = new Site(new Files(Map.of()), NOW, StandardLimits.STANDARD, () -> "");

    static List<CarryTable> tables() {
        return List.of(
                Samples.table(
                        "BTC",
                        END,
                        List.of(
                                Samples.pair(
                                        Samples.leg("binance", "BTCUSDT", "0.001", 0, END),
                                        Samples.leg("okx", "BTC-USDT-SWAP", "0.0035", 0, END),
                                        30,
                                        null),
                                Samples.pair(
                                        Samples.leg("bybit", "BTCUSDT", "0.001", 2, END),
                                        Samples.leg("okx", "BTC-USDT-SWAP", "0.9", 0, END),
                                        12,
                                        "gap"),
                                Samples.pair(
                                        Samples.leg("lbank", "BTCUSDT", "0.001", 0, END),
                                        Samples.leg("okx", "BTC-USDT-SWAP", "0.5", 0, END),
                                        30,
                                        null)),
                        List.of()),
                Samples.table(
                        "ETH",
                        END,
                        List.of(Samples.pair(
                                Samples.leg("okx", "ETH-USDT-SWAP", "-0.0100", 0, END),
                                Samples.leg("binance", "ETHUSDT", "0.0001", 0, END),
                                30,
                                null)),
                        List.of(new CarryRefusal(
                                "binance",
                                "ETHUSDT",
                                new BigDecimal("4000"),
                                "gate",
                                "ETH_USDT",
                                new BigDecimal("0.004"),
                                "price_differs"))),
                Samples.table(
                        "OLD",
                        END - 3 * HOUR,
                        List.of(Samples.pair(
                                Samples.leg("okx", "OLD-USDT-SWAP", "0", 0, END),
                                Samples.leg("binance", "OLDUSDT", "9", 0, END),
                                30,
                                null)),
                        List.of()));
    }

    static Snapshot snapshot(List<CarryTable> tables) {
        List<Rate> rows = List.of(
                Samples.rate("binance", "BTCUSDT", "BTC", NOW),
                Samples.rate("okx", "BTC-USDT-SWAP", "BTC", NOW),
                Samples.bare("okx", "ETH-USDT-SWAP", "ETH", NOW));
        Map<String, VenueRows> fragments = new HashMap<>();
        rows.stream()
                .collect(Collectors.groupingBy(Rate::venue))
                .forEach((venue, table) -> fragments.put(venue, Samples.rows(venue, table, NOW)));
        return Snapshots.of(
                NOW, NOW + 2_500, fragments, Map.of(), Map.of(), tables.isEmpty() ? null : Samples.ranking(tables));
    }

    private SiteResponse get(String address, List<CarryTable> tables) {
        SiteResponse response =
                Routed.response(site, Routed.request("GET", address, List.of(), List.of(), NOW), snapshot(tables));
        Described.check("GET", address, response);
        return response;
    }

    private JsonNode json(String address) throws IOException {
        return json(address, 200, tables());
    }

    private JsonNode json(String address, int status, List<CarryTable> tables) throws IOException {
        SiteResponse response = get(address, tables);
        assertEquals(status, response.status());
        var out = new ByteArrayOutputStream();
        Routed.pieces(response).forEach(out::writeBytes);
        JsonNode body = JSON.readTree(out.toByteArray());
        UnitsWalk.check(body);
        return body;
    }

    private static List<String> pairs(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(row -> row.path("asset").asText() + " "
                        + row.at("/short/venue").asText() + "-"
                        + row.at("/long/venue").asText())
                .toList();
    }

    @Test
    void ranksCompletePairsAndListsOthersSeparately() throws IOException {
        JsonNode body = json("/api/v1/carry");
        assertEquals(List.of("ETH binance-okx", "BTC okx-binance"), pairs(body.path("rows")));
        assertEquals(List.of("BTC okx-bybit"), pairs(body.path("incomplete")));
        assertEquals(END, body.path("window_end_ms").asLong());
        assertEquals(END - 720 * HOUR, body.path("window_start_ms").asLong());
        assertEquals(2, body.at("/meta/row_count").asInt());
        assertEquals(2, body.path("complete_count").asInt());
        assertEquals(1, body.path("incomplete_count").asInt());
        assertEquals(1, body.path("refused_count").asInt());
        JsonNode eth = body.path("rows").get(0);
        assertEquals(1, eth.path("rank").asInt());
        assertEquals("0.0101", eth.path("funding_difference_30d").asText());
        assertTrue(eth.path("complete").asBoolean());
        assertEquals("by_30d_sum", eth.path("orientation").asText());
        assertEquals(90, eth.at("/long/settlements").asInt());
        assertEquals(90, eth.at("/long/expected").asInt());
        assertEquals(64, eth.path("receipt").asText().length());
        assertTrue(eth.path("current_difference_8h").isNull());
        assertTrue(eth.path("current_direction_agrees").isNull());
        assertTrue(eth.path("price_ratio").isNull());
        JsonNode btc = body.path("rows").get(1);
        assertEquals(0, btc.path("current_difference_8h").decimalValue().signum());
        assertFalse(btc.path("current_direction_agrees").asBoolean(), "no difference is not the same direction");
        assertEquals(0, BigDecimal.ONE.compareTo(btc.path("price_ratio").decimalValue()));
        assertTrue(
                body.at("/meta/missing/values").toString().contains("1 assets whose pair table is not of this window"));
    }

    /** All of it is on the day that ended two days before the window; the values are of the same legs. */
    @Test
    void pairHasRecentSumsBestAndWorstDay() throws IOException {
        JsonNode pair = json("/api/v1/carry?assets=ETH").path("rows").get(0);
        assertEquals("0.0101", pair.path("funding_difference_7d").asText());
        assertEquals("0", pair.path("funding_difference_24h").asText());
        assertEquals(END - 72 * HOUR, pair.at("/best_day/day_start_ms").asLong());
        assertEquals("0.0101", pair.at("/best_day/day_difference").asText());
        assertEquals(END - 24 * HOUR, pair.at("/worst_day/day_start_ms").asLong());
        assertEquals("0", pair.at("/worst_day/day_difference").asText());
        assertEquals("USDT", pair.at("/long/quote").asText());
        assertEquals(5, json("/api/v1/carry").path("not_included").size());
    }

    /** While the backfill of a leg's exchange goes on, no other reason is final; the ranking of that scope is provisional. */
    @Test
    void whileHistoryIsReadTheRankingIsProvisional() throws IOException {
        Map<String, VenueRows> rows = new HashMap<>();
        for (String venue : List.of("okx", "bybit", "binance")) {
            rows.put(venue, Samples.rows(venue, List.of(Samples.rate(venue, "BTCUSDT", "BTC", NOW)), NOW));
        }
        var statuses = new HashMap<String, VenueStatus>();
        statuses.put("okx", Samples.read("okx", NOW, 1, Map.of()).withHistory(7, 7));
        statuses.put("bybit", Samples.read("bybit", NOW, 1, Map.of()).withHistory(3, 5));
        for (boolean done : new boolean[] {false, true}) {
            if (done) {
                statuses.put("bybit", Samples.read("bybit", NOW, 1, Map.of()).withHistory(5, 5));
            }
            Snapshot snapshot = Snapshots.of(NOW, NOW + 2_500, rows, statuses, Map.of(), Samples.ranking(tables()));
            JsonNode body = body("/api/v1/carry", snapshot);
            assertEquals(!done, body.path("provisional").asBoolean());
            assertEquals(12, body.path("settled_history_contracts").asInt());
            assertEquals(
                    done ? 12 : 10, body.path("settled_history_contracts_read").asInt());
            assertEquals(
                    done ? "gap" : "history_being_read",
                    body.at("/incomplete/0/reason").asText());
            assertFalse(body("/api/v1/carry?venues=okx,binance", snapshot)
                    .path("provisional")
                    .asBoolean());
        }
    }

    /** No waiting helps where an exchange publishes no settled rates, also while the other leg's history is being read. */
    @Test
    void lastingReasonsPrecedeOthersAndNameTheExchange() throws IOException {
        String without = ListedVenue.ALL.stream()
                .filter(venue -> venue.historyReach().extent() == HistoryReach.Extent.NONE)
                .findFirst()
                .orElseThrow()
                .id();
        var rows = new HashMap<String, VenueRows>();
        for (String venue : List.of("okx", without)) {
            rows.put(venue, Samples.rows(venue, List.of(Samples.rate(venue, "X", "X", NOW)), NOW));
        }
        Map<String, VenueStatus> statuses =
                Map.of("okx", Samples.read("okx", NOW, 1, Map.of()).withHistory(1, 2));
        var unknown = new CarryPair(
                Samples.leg(without, "X", "0", 0, END),
                Samples.leg("okx", "X", "0", 0, END),
                0,
                false,
                "service_started",
                null,
                3L,
                null);
        JsonNode body = body(
                "/api/v1/carry?venues=all",
                Snapshots.of(
                        NOW,
                        NOW + 2_500,
                        rows,
                        statuses,
                        Map.of(),
                        Samples.ranking(List.of(Samples.table("X", END, List.of(unknown), List.of())))));
        JsonNode pair = body.at("/incomplete/0");
        assertEquals("no_settled_history", pair.path("reason").asText());
        assertEquals(without, pair.path("reason_venue").asText());
        assertTrue(pair.path("positive_days").isNull(), "the difference is null");
        assertTrue(body.toString().indexOf("\"provisional\"") < 200);
    }

    /** No exchange has said how many contracts it has: that is not 0 of 0. */
    @Test
    void unknownExtentOfHistoryIsNull() throws IOException {
        Map<String, VenueRows> rows =
                Map.of("okx", Samples.rows("okx", List.of(Samples.rate("okx", "BTCUSDT", "BTC", NOW)), NOW));
        Map<String, VenueStatus> statuses = Map.of("okx", Samples.read("okx", NOW, 1, Map.of()));
        JsonNode body = body(
                "/api/v1/carry", Snapshots.of(NOW, NOW + 2_500, rows, statuses, Map.of(), Samples.ranking(tables())));
        assertTrue(body.path("provisional").asBoolean());
        assertTrue(body.path("settled_history_contracts").isNull());
        assertTrue(body.path("settled_history_contracts_read").isNull());
        assertTrue(body.at("/meta/missing/values")
                .findValuesAsText("field")
                .contains("settled_history_contracts, settled_history_contracts_read"));
    }

    private JsonNode body(String address, Snapshot snapshot) throws IOException {
        SiteRequest request = Routed.request("GET", address, List.of(), List.of(), NOW);
        return JSON.readTree(
                Routed.pieces(Routed.response(site, request, snapshot)).getFirst());
    }

    @Test
    void incompletePairHasNoThirtyDayValue() throws IOException {
        JsonNode pair = json("/api/v1/carry").path("incomplete").get(0);
        assertEquals("gap", pair.path("reason").asText());
        assertEquals(12, pair.path("days").asInt());
        assertTrue(pair.path("funding_difference_30d").isNull());
        assertEquals("0.899", pair.path("funding_difference").asText());
        assertTrue(pair.at("/long/funding_sum_30d").isMissingNode());
        assertEquals(88, pair.at("/long/settlements").asInt());
        assertEquals(90, pair.at("/long/expected").asInt());
        assertTrue(pair.path("rank").isMissingNode());
    }

    /** Rates of two coins must not be compared; the list of rates warns of what the pairs know. */
    @Test
    void flagsTwoCoinsUnderOneName() throws IOException {
        assertEquals(1, twoCoins("/api/v1/latest?assets=ETH,BTC"));
        assertEquals(1, twoCoins("/api/v1/latest?assets=ETH&fields=funding_rate_8h"));
        assertEquals(0, twoCoins("/api/v1/latest?assets=BTC"));
        assertEquals(0, twoCoins("/api/v1/latest?assets=ETH&venues=binance,okx"), "gate has the other coin");
    }

    private long twoCoins(String address) throws IOException {
        return StreamSupport.stream(json(address).at("/meta/missing/values").spliterator(), false)
                .filter(value -> value.path("field").asText().equals("asset"))
                .filter(value -> value.path("reason").asText().startsWith("prices of ETH differ by more than 5 %"))
                .count();
    }

    @Test
    void aRefusedPairShowsBothPrices() throws IOException {
        assertEquals(
                "[{\"asset\":\"ETH\",\"venue_a\":\"binance\",\"symbol_a\":\"ETHUSDT\",\"price_a\":4000,\"venue_b\":\"gate\","
                        + "\"symbol_b\":\"ETH_USDT\",\"price_b\":0.004,\"reason\":\"price_differs\"}]",
                json("/api/v1/carry").path("refused").toString());
    }

    @Test
    void namesNarrowAndReachVenuesOutsideDefaultScope() throws IOException {
        assertEquals(
                List.of("BTC okx-binance"),
                pairs(json("/api/v1/carry?assets=btc").path("rows")));
        assertEquals(
                List.of("BTC okx-lbank"),
                pairs(json("/api/v1/carry?venues=okx,lbank").path("rows")));
        JsonNode one = json("/api/v1/carry?venues=okx,foo");
        assertEquals(List.of(), pairs(one.path("rows")));
        assertEquals("[\"foo\"]", one.at("/meta/unreadable_venues").toString());
        assertTrue(one.at("/meta/missing/values").toString().contains("a pair needs two exchanges"));
        assertEquals(
                "[\"NOPE\"]",
                json("/api/v1/carry?assets=NOPE").at("/meta/unreadable_assets").toString());
    }

    /** Listed at one exchange of the default scope; five pairs lie outside it. */
    @Test
    void pairsSayWhatLiesOutsideTheScope() throws IOException {
        var outside = List.of("lbank", "grvt", "xt", "btse", "apex", "weex");
        var tables = new ArrayList<>(tables());
        tables.add(Samples.table(
                "ETH2",
                END,
                outside.stream()
                        .skip(1)
                        .map(venue -> Samples.pair(
                                Samples.leg("lbank", "ETH2USDT", "0.001", 0, END),
                                Samples.leg(venue, "ETH2USDT", "0.002", 0, END),
                                30,
                                null))
                        .toList(),
                List.of()));
        JsonNode body = json("/api/v1/carry?assets=ETH2", 200, tables);
        assertEquals(0, body.path("rows").size());
        assertEquals(0, body.path("incomplete_count").asInt());
        assertEquals(5, body.path("complete_outside_scope").asInt());
        assertEquals("default", body.at("/meta/scope/kind").asText());
        assertTrue(body.at("/meta/unreadable_assets").isMissingNode());
        List<String> reasons = body.at("/meta/missing/values").findValuesAsText("reason");
        assertTrue(
                reasons.containsAll(List.of(
                        "no two exchanges in scope have such a complete pair; incomplete and refused have others",
                        "no pair in scope has ETH2")),
                reasons.toString());

        JsonNode all = json("/api/v1/carry?assets=ETH2&venues=all", 200, tables);
        assertEquals(5, all.path("rows").size());
        assertEquals(0, all.path("complete_outside_scope").asInt());
    }

    @Test
    void describesObservedAssetWithoutPair() throws IOException {
        JsonNode body = json("/api/v1/carry?assets=BTC,ETH&venues=okx,kraken");
        assertEquals(List.of(), pairs(body.path("rows")));
        List<String> reasons = body.at("/meta/missing/values").findValuesAsText("reason");
        assertTrue(reasons.contains("no pair in scope has BTC, ETH"), reasons.toString());
        Snapshot observed = Snapshots.of(
                NOW,
                NOW + 2_500,
                Map.of("okx", Samples.rows("okx", List.of(Samples.rate("okx", "NEW-USDT-SWAP", "NEW", NOW)), NOW)),
                Map.of(),
                Map.of(),
                Samples.ranking(tables()));
        SiteRequest request = Routed.request("GET", "/api/v1/carry?assets=new,NOPE", List.of(), List.of(), NOW);
        JsonNode fresh = JSON.readTree(
                Routed.pieces(Routed.response(site, request, observed)).getFirst());
        assertEquals("[\"NOPE\"]", fresh.at("/meta/unreadable_assets").toString());
        assertTrue(fresh.at("/meta/missing/values").toString().contains("\"no pair in scope has NEW\""));
    }

    /** Another asset that was named has pairs. */
    @Test
    void describesEachAssetWithoutPair() throws IOException {
        JsonNode body = json("/api/v1/carry?assets=BTC,ETH&venues=okx,lbank");
        assertEquals(List.of("BTC okx-lbank"), pairs(body.path("rows")));
        List<String> reasons = body.at("/meta/missing/values").findValuesAsText("reason");
        assertTrue(reasons.contains("no pair in scope has ETH"), reasons.toString());
        assertFalse(json("/api/v1/carry?assets=BTC,ETH").toString().contains("no pair in scope"));
    }

    @Test
    void coverageCountsTheSameOfTheSameScope() throws IOException {
        for (String query : List.of("", "?assets=ETH", "?assets=BTC", "?venues=okx,lbank", "?venues=all&assets=BTC")) {
            assertEquals(
                    json("/api/v1/latest" + query).at("/meta/coverage").asInt(),
                    json("/api/v1/carry" + query).at("/meta/coverage").asInt(),
                    query);
        }
        assertEquals(2, json("/api/v1/carry?assets=ETH").at("/meta/coverage").asInt());
        assertEquals(
                1, json("/api/v1/carry?assets=ETH").at("/meta/venues_matched").asInt());
    }

    @Test
    void theOrientationIsNamedWhereThereIsOne() throws IOException {
        assertEquals(
                "by_common_window_sum",
                json("/api/v1/carry")
                        .path("incomplete")
                        .get(0)
                        .path("orientation")
                        .asText());
        CarryPair none = new CarryPair(
                Samples.leg("binance", "BTCUSDT", "0", 90, END),
                Samples.leg("okx", "BTC-USDT-SWAP", "0", 90, END),
                0,
                false,
                "service_started",
                null,
                null,
                null);
        JsonNode pair = json("/api/v1/carry", 200, List.of(Samples.table("BTC", END, List.of(none), List.of())))
                .path("incomplete")
                .get(0);
        assertTrue(pair.path("orientation").isNull());
        assertTrue(pair.path("receipt").isNull());
    }

    @Test
    void everyReasonOfAnIncompletePairIsServed() throws IOException {
        List<String> reasons = List.of(
                "listed_in_window",
                "service_started",
                "gap",
                "relisted",
                "settlement_pending",
                "history_capped",
                "contradictory");
        List<CarryPair> pairs = reasons.stream()
                .map(reason -> Samples.pair(
                        Samples.leg("binance", "BTC-" + reason, "0.001", 1, END),
                        Samples.leg("okx", "BTC-" + reason, "0.002", 0, END),
                        29,
                        reason))
                .toList();
        JsonNode body = json("/api/v1/carry", 200, List.of(Samples.table("BTC", END, pairs, List.of())));
        assertEquals(
                List.copyOf(new TreeSet<>(reasons)),
                List.copyOf(new TreeSet<>(body.path("incomplete").findValuesAsText("reason"))));
    }

    /** A plain scan over every pair finds the same as the index. */
    @Test
    void theIndexFindsWhatAScanFinds() {
        var random = new Random(7);
        List<String> venues = List.of("okx", "gate", "lbank", "grvt", "apex", "unlisted");
        var tables = new ArrayList<CarryTable>();
        for (int asset = 0; asset < 40; asset++) {
            var pairs = new ArrayList<CarryPair>();
            for (int i = 0; i < 30; i++) {
                String a = venues.get(random.nextInt(venues.size()));
                String b = venues.get(random.nextInt(venues.size()));
                pairs.add(Samples.pair(
                        Samples.leg(a, "L" + i, "0", 0, END),
                        Samples.leg(b, "S" + i, "0." + (1 + random.nextInt(20)), 0, END),
                        30,
                        null));
            }
            tables.add(Samples.table("a" + asset, END, pairs, List.of()));
        }
        PairRanking ranking = Samples.ranking(tables);
        List<RankedPair> all = ranking.complete().in(Scope.ALL, 1_000_000);
        long listed = tables.stream()
                .flatMap(table -> table.pairs().stream())
                .filter(pair -> !pair.longLeg().venue().equals("unlisted")
                        && !pair.shortLeg().venue().equals("unlisted"))
                .count();
        assertEquals(listed, all.size());
        for (int round = 0; round < 200; round++) {
            var named = new ArrayList<>(venues.subList(0, 1 + random.nextInt(5)));
            List<String> assets =
                    random.nextBoolean() ? null : List.of("A" + random.nextInt(45), "A" + random.nextInt(45));
            int limit = 1 + random.nextInt(60);
            List<RankedPair> expected = all.stream()
                    .filter(pair -> named.contains(pair.longLeg().venue())
                            && named.contains(pair.shortLeg().venue()))
                    .filter(pair ->
                            assets == null || assets.contains(pair.asset().toUpperCase(Locale.ROOT)))
                    .toList();
            assertEquals(expected.size(), ranking.complete().count(scopeOf(named, assets)));
            assertEquals(
                    expected.subList(0, Math.min(limit, expected.size())),
                    ranking.complete().in(scopeOf(named, assets), limit));
        }
    }

    private static Scope scopeOf(List<String> venues, List<String> assets) {
        return new Scope(
                true,
                new TreeSet<>(venues),
                assets == null
                        ? null
                        : assets.stream().map(Scope::upper).collect(Collectors.toCollection(TreeSet::new)),
                null,
                Selection.ALL,
                Map.of());
    }

    @Test
    void theLimitCutsAndCountsAll() throws IOException {
        List<CarryTable> many = IntStream.range(0, 150)
                .mapToObj(i -> Samples.table(
                        "A" + i,
                        END,
                        List.of(Samples.pair(
                                Samples.leg("okx", "S" + i, "0", 0, END),
                                Samples.leg("binance", "S" + i, "0." + (100 + i), 0, END),
                                30,
                                null)),
                        List.of()))
                .toList();
        JsonNode first = json("/api/v1/carry", 200, many);
        assertEquals(100, first.path("rows").size());
        assertEquals(150, first.path("complete_count").asInt());
        assertEquals("A149", first.path("rows").get(0).path("asset").asText());
        assertEquals(7, json("/api/v1/carry?limit=7", 200, many).path("rows").size());
        assertEquals(
                150, json("/api/v1/carry?limit=1000", 200, many).path("rows").size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"limit=0", "limit=1001", "limit=-1", "limit=x", "limit=1,2", "limit=", "limit=1e2", "symbols=BTC"
            })
    void anUnreadableLimitIsRefused(String query) throws IOException {
        assertEquals(
                "unreadable",
                json("/api/v1/carry?" + query, 400, tables()).path("status").asText());
    }

    @Test
    void withoutAnyTableItIsStarting() throws IOException {
        JsonNode body = json("/api/v1/carry", 503, List.of());
        assertEquals("starting", body.path("status").asText());
        assertEquals(
                "the first table of 30-day pairs is not there yet",
                body.path("reason").asText());
        assertFalse(body.has("rows"));
        assertTrue(json("/api/v1", 200, List.of())
                .path("addresses")
                .toString()
                .contains("\"/api/v1/carry\",\"served\":\"not yet\""));
        assertTrue(json("/api/v1").path("addresses").toString().contains("\"/api/v1/carry\",\"served\":\"yes\""));
    }

    @Test
    void reportsAbsenceOfPairTablesInsteadOfStarting() throws IOException {
        Snapshot none = Snapshots.of(
                NOW,
                NOW + 2_500,
                Map.of("okx", Samples.rows("okx", List.of(Samples.rate("okx", "A", "A", NOW)), NOW)),
                Map.of(),
                Map.of(),
                PairRanking.none("no table of 30-day pairs has been published yet"));
        SiteResponse response =
                Routed.response(site, Routed.request("GET", "/api/v1/carry", List.of(), List.of(), NOW), none);
        Described.check("GET", "/api/v1/carry", response);
        assertEquals(200, response.status());
        JsonNode body = JSON.readTree(Routed.pieces(response).getFirst());
        UnitsWalk.check(body);
        assertEquals(0, body.path("rows").size());
        assertTrue(body.path("window_end_ms").isNull());
        assertTrue(body.path("provisional").asBoolean(), "a ranking without a table will change");
        JsonNode values = body.at("/meta/missing/values");
        for (String field : List.of("rows", "window_start_ms, window_end_ms")) {
            assertTrue(
                    StreamSupport.stream(values.spliterator(), false)
                            .anyMatch(value -> value.path("field").asText().equals(field)
                                    && value.path("reason")
                                            .asText()
                                            .equals("no table of 30-day pairs has been published yet")),
                    values.toString());
        }
    }

    /** Okx shows BTC with all its fields and ETH without most: a request for BTC does not list those of ETH. */
    @Test
    void countsOnlyNullsOfNamedAssets() throws IOException {
        assertEquals(List.of(), unknown("/api/v1/carry?assets=BTC"));
        assertTrue(unknown("/api/v1/carry?assets=ETH").contains("okx mark_price_not_published 1"));
        assertTrue(unknown("/api/v1/carry").contains("okx mark_price_not_published 1"));
    }

    private List<String> unknown(String address) throws IOException {
        return StreamSupport.stream(json(address).at("/meta/missing/symbols").spliterator(), false)
                .map(left ->
                        left.path("venue").asText() + " " + left.path("reason").asText() + " " + left.path("count"))
                .toList();
    }

    @Test
    void unchangedPairsCostOnePoint() {
        Snapshot now = snapshot(tables());
        String address = "/api/v1/carry?assets=BTC&limit=1000";
        SiteRequest first = Routed.request("GET", address, List.of(), List.of(), NOW);
        assertEquals(3, site.decide(first, now).points());
        String tag = Routed.response(site, first, now).headers().get("ETag");
        SiteRequest again = Routed.request("GET", address, List.of(tag), List.of(), NOW);
        assertEquals(304, Routed.response(site, again, now).status());
        assertEquals(1, site.decide(again, now).points());
    }
}
