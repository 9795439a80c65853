package io.fundingobservatory.gateway.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.gateway.traffic.Limits;
import io.fundingobservatory.gateway.traffic.RequestCost;
import io.fundingobservatory.gateway.traffic.Verdict;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.Source;
import io.fundingobservatory.topics.VenueQuality;
import io.fundingobservatory.topics.VenueStatus;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SiteTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long NOW = 1_790_000_000_000L;
    private static final byte[] SKILL =
            "---\nname: funding-rates\ndescription: rates\n---\n".repeat(40).getBytes(StandardCharsets.UTF_8);

    private static final byte[] SCHEMA =
            "{\"$schema\":\"x\",\"$id\":\"x\",\"title\":\"x\",\"type\":\"object\"}".getBytes(StandardCharsets.UTF_8);

    private final Site site = new Site(
            new Files(Map.of(
                    "/",
                    SKILL,
                    "/skills/funding-rates/SKILL.md",
                    SKILL,
                    "/openapi.yaml",
                    SKILL,
                    "/asyncapi.yaml",
                    SKILL,
                    "/schemas/rate-1.json",
                    SCHEMA)),
            NOW - 5_000,
            Limits.STANDARD);

    private static List<Rate> rows() {
        return List.of(
                Samples.rate("binance", "ETHUSDT", "ETH", NOW - 1_000),
                Samples.rate("binance", "BTCUSDT", "BTC", NOW - 180_001),
                Samples.rate("binance", "OLDUSDT", "OLD", NOW - 600_001),
                Samples.rate("okx", "BTC-USDT-SWAP", "BTC", NOW - 180_000),
                Samples.bare("okx", "X-USDT-SWAP", "X", NOW - 2_000),
                // Outside the default scope.
                Samples.rate("lbank", "BTCUSDT", "BTC", NOW - 3_000));
    }

    private static Map<String, VenueStatus> statuses() {
        return Stream.of(
                        Samples.read("binance", NOW - 1_000, 3, Map.of("not_perpetual", 7L, "no_rate", 2L)),
                        Samples.read("okx", NOW - 2_000, 2, Map.of())
                                .withHistory(2, 3)
                                .withHistoryProblem("1 of 3 contracts could not be read: HTTP 400"),
                        Samples.read("lbank", NOW - 3_000, 1, Map.of()),
                        Samples.failed("bybit", NOW - 4_000, NOW - 900_000, "HTTP 403")
                                .withClosedUntil(Map.of("api.bybit.com", NOW + 600_000, "tickers_linear", NOW - 1)),
                        Samples.untouched("gate"),
                        Samples.withoutReader("kraken"))
                .collect(Collectors.toMap(VenueStatus::venue, s -> s));
    }

    private static Map<String, VenueQuality> qualities() {
        var okx =
                new VenueQuality("okx", 0, 2_592_000_000L, 90, new BigDecimal("0.0000125"), new BigDecimal("0.00025"));
        return Map.of("okx", okx);
    }

    private static Snapshot snapshot(long now, List<Rate> rows, Map<String, VenueStatus> statuses) {
        Map<String, VenueRows> fragments = new HashMap<>();
        rows.stream()
                .collect(Collectors.groupingBy(Rate::venue))
                .forEach((venue, table) -> fragments.put(venue, VenueRows.of(venue, table, now)));
        return Snapshot.of(now, now + 2_500, fragments, statuses, qualities(), null);
    }

    private static Snapshot snapshot() {
        return snapshot(NOW, rows(), statuses());
    }

    private static SiteRequest ask(String method, String address, String... headers) {
        var match = new ArrayList<String>();
        var accept = new ArrayList<String>();
        for (String header : headers) {
            (header.startsWith("\"") || header.startsWith("W/") ? match : accept).add(header);
        }
        return Routed.request(method, address, match, accept, NOW + 77);
    }

    /** Every answer is held against the description. */
    private SiteResponse answered(SiteRequest ask, Snapshot snapshot) {
        SiteResponse answer = Routed.answer(site, ask, snapshot);
        Described.check(ask.method(), ask.path(), answer);
        return answer;
    }

    private SiteResponse get(String address, String... headers) {
        return answered(ask("GET", address, headers), snapshot());
    }

    private static byte[] bytes(SiteResponse answer) {
        var out = new ByteArrayOutputStream();
        answer.pieces().forEach(out::writeBytes);
        assertEquals(answer.headers().get("Content-Length"), Integer.toString(out.size()));
        return out.toByteArray();
    }

    private static JsonNode json(SiteResponse answer) throws IOException {
        assertTrue(
                answer.headers().get("Content-Type").startsWith("application/json"),
                answer.headers().toString());
        return JSON.readTree(bytes(answer));
    }

    private static List<String> symbols(JsonNode answer) {
        return StreamSupport.stream(answer.path("rows").spliterator(), false)
                .map(row ->
                        row.path("venue").asText() + " " + row.path("symbol").asText())
                .toList();
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1",
                "/api/v1/latest",
                "/api/v1/venues",
                "/api/v1/latest?venues=okx,lbank",
                "/api/v1/latest?venues=foo",
                "/api/v1/latest?assets=BTC",
                "/api/v1/latest?symbols=X-USDT-SWAP",
                "/api/v1/latest?nonsense=1",
                "/nowhere",
                "/api/v1/history",
                "/api/v1/carry",
                "/api/v1/volume",
                "/manifest.json"
            })
    void everyAnswerHasItsEnvelopeAndNoNumberWithoutAUnit(String address) throws IOException {
        for (SiteResponse answer : List.of(
                get(address), answered(ask("GET", address), null), answered(ask("POST", address), snapshot()))) {
            JsonNode body = json(answer);
            UnitsWalk.check(body);
        }
    }

    @Test
    void theWalkFindsANumberWithoutAUnit() throws IOException {
        JsonNode answer =
                JSON.readTree("{\"meta\":{\"units\":{\"a\":\"rows\"}},\"rows\":[{\"a\":1,\"b\":[{\"c\":2}]}]}");
        assertEquals(List.of("c"), UnitsWalk.unitless(answer));
    }

    @Test
    void theWholeListIsSortedMarkedByAgeAndSaysWhatIsMissing() throws IOException {
        JsonNode answer = json(get("/api/v1/latest"));
        assertEquals(
                List.of("binance BTCUSDT", "binance ETHUSDT", "okx BTC-USDT-SWAP", "okx X-USDT-SWAP"), symbols(answer));
        assertEquals(
                List.of(true, false, false, false),
                StreamSupport.stream(answer.path("rows").spliterator(), false)
                        .map(row -> row.path("stale").asBoolean())
                        .toList());
        JsonNode meta = answer.path("meta");
        assertEquals(2, meta.path("coverage").asInt());
        assertEquals(4, meta.path("row_count").asInt());
        assertEquals("live", meta.path("source").asText());
        assertEquals(NOW, meta.path("generated_at_ms").asLong());

        Map<String, JsonNode> absent = new HashMap<>();
        meta.path("missing")
                .path("venues")
                .forEach(venue -> absent.put(venue.path("venue").asText(), venue));
        assertEquals("HTTP 403", absent.get("bybit").path("reason").asText());
        assertEquals(NOW - 900_000, absent.get("bybit").path("since_ms").asLong());
        assertEquals(
                "2026-09-21T13:58:20Z", absent.get("bybit").path("since_utc").asText());
        assertEquals("not read yet", absent.get("gate").path("reason").asText());
        assertEquals(
                "no reader in this release", absent.get("kraken").path("reason").asText());
        assertTrue(absent.get("gate").path("since_ms").isNull());
        assertFalse(absent.containsKey("binance"));
        assertFalse(absent.containsKey("lbank"), "outside the default scope, so not missing from it");

        List<String> left = StreamSupport.stream(
                        meta.path("missing").path("symbols").spliterator(), false)
                .map(l -> l.path("venue").asText() + " " + l.path("reason").asText() + " "
                        + l.path("count").asLong())
                .toList();
        assertTrue(left.containsAll(List.of("binance no_rate 2", "binance removed_too_old 1")), left.toString());
        assertTrue(
                left.containsAll(List.of(
                        "okx funding_interval_not_published 1",
                        "okx mark_price_not_published 1",
                        "okx index_price_not_published 1",
                        "okx next_funding_not_published 1",
                        "okx funding_rate_8h_not_known 1")),
                left.toString());
        assertFalse(left.toString().contains("not_perpetual"));
        assertEquals(4, meta.path("missing").path("kinds").size());
    }

    @Test
    void rowsAreTheBytesOfTheTopic() {
        String body = new String(bytes(get("/api/v1/latest")), StandardCharsets.UTF_8);
        for (Rate row : rows()) {
            String fresh = new String(Rate.CODEC.encode(row), StandardCharsets.UTF_8);
            String stale = fresh.substring(0, fresh.length() - 1) + ",\"stale\":true}";
            boolean shown = !row.symbol().equals("OLDUSDT") && !row.venue().equals("lbank");
            boolean marked = row.observedAtMs() < NOW - 180_000;
            assertEquals(shown && !marked, body.contains(fresh), row.symbol());
            assertEquals(shown && marked, body.contains(stale), row.symbol());
        }
    }

    @Test
    void aRowMarkedInTheTopicIsJudgedByItsAgeAlone() throws IOException {
        Rate young = Samples.rate("okx", "A", "A", NOW - 400_000).asOf(NOW);
        assertTrue(young.stale());
        Snapshot earlier = snapshot(NOW - 300_000, List.of(young), Map.of());
        assertFalse(
                json(answered(ask("GET", "/api/v1/latest"), earlier)).toString().contains("stale\":true"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "venues=okx                    | okx BTC-USDT-SWAP;okx X-USDT-SWAP",
                "venues=%20OKX%20,lbank         | lbank BTCUSDT;okx BTC-USDT-SWAP;okx X-USDT-SWAP",
                "assets=btc                    | binance BTCUSDT;okx BTC-USDT-SWAP",
                "assets=BTC&venues=lbank       | lbank BTCUSDT",
                "symbols=btcusdt,X-USDT-SWAP   | binance BTCUSDT;okx X-USDT-SWAP",
                "assets=ETH&symbols=BTCUSDT    | ''",
                "venues=bybit                  | ''",
            })
    void namesNarrow(String query, String expected) throws IOException {
        JsonNode answer = json(get("/api/v1/latest?" + query));
        assertEquals(expected.isEmpty() ? List.of() : List.of(expected.split(";")), symbols(answer));
        assertEquals(
                symbols(answer).size(), answer.path("meta").path("row_count").asInt());
        assertEquals(
                symbols(answer).stream().map(s -> s.split(" ")[0]).distinct().count(),
                answer.path("meta").path("coverage").asInt());
    }

    @Test
    void theScopeNamesWhatWasNotAskedFor() throws IOException {
        JsonNode whole = json(get("/api/v1/latest")).path("meta").path("scope");
        assertEquals("default", whole.path("kind").asText());
        assertEquals(24, whole.path("venues").size());
        assertEquals(24, whole.path("outside").size());
        assertTrue(texts(whole.path("outside")).containsAll(List.of("lbank", "grvt")));
        assertTrue(texts(whole.path("venues")).contains("kraken"), "asked for, with a row or without");
        JsonNode named = json(get("/api/v1/latest?venues=okx,foo&assets=BTC"))
                .path("meta")
                .path("scope");
        assertEquals("named", named.path("kind").asText());
        assertEquals(List.of("okx"), texts(named.path("venues")));
        assertEquals(47, named.path("outside").size());
        assertEquals(
                "default",
                json(get("/api/v1/latest?assets=BTC"))
                        .path("meta")
                        .path("scope")
                        .path("kind")
                        .asText());
        assertTrue(json(get("/api/v1/venues")).path("meta").path("scope").isMissingNode(), "all 48, whatever is asked");
    }

    @ParameterizedTest
    @ValueSource(strings = {"venues=all", "venues=ALL", "venues=okx,all", "venues=all,foo"})
    void allNamesEveryListedExchange(String query) throws IOException {
        JsonNode answer = json(get("/api/v1/latest?" + query));
        assertTrue(symbols(answer).contains("lbank BTCUSDT"), symbols(answer).toString());
        JsonNode meta = answer.path("meta");
        assertEquals(3, meta.path("coverage").asInt());
        assertEquals(48, meta.path("scope").path("venues").size());
        assertEquals(0, meta.path("scope").path("outside").size());
        assertEquals(45, meta.path("missing").path("venues").size());
        assertEquals(query.contains("foo"), meta.has("unreadable_venues"));
    }

    @Test
    void whatIsListedElsewhereOnlyIsSaid() throws IOException {
        JsonNode answer = json(get("/api/v1/latest?venues=okx,gate&assets=ETH"));
        assertEquals(0, answer.path("rows").size());
        assertEquals(
                "no row of the exchanges in scope fits the names; 1 row at exchanges outside the scope: venues=all shows them",
                answer.at("/meta/missing/values/0/reason").asText());
        assertEquals(
                "no row of the exchanges in scope fits the names",
                json(get("/api/v1/latest?assets=ETH&symbols=BTCUSDT"))
                        .at("/meta/missing/values/0/reason")
                        .asText());
    }

    @Test
    void whereFewRowsAreAskedForTheirNullsAreNamed() throws IOException {
        JsonNode left = json(get("/api/v1/latest?assets=X,BTC")).at("/meta/missing/symbols");
        JsonNode mark = StreamSupport.stream(left.spliterator(), false)
                .filter(one -> one.path("reason").asText().equals("mark_price_not_published"))
                .findFirst()
                .orElseThrow();
        assertEquals(
                "{\"venue\":\"okx\",\"reason\":\"mark_price_not_published\",\"count\":1,\"symbols\":[\"X-USDT-SWAP\"]}",
                mark.toString());
        json(get("/api/v1/latest")).at("/meta/missing/symbols").forEach(one -> assertFalse(one.has("symbols")));
    }

    @Test
    void anEmptyDefaultScopeSaysOfEveryExchangeWhyItIsNotThere() throws IOException {
        Snapshot outside = snapshot(NOW, List.of(Samples.rate("lbank", "BTCUSDT", "BTC", NOW)), statuses());
        SiteResponse answer = answered(ask("GET", "/api/v1/latest"), outside);
        assertEquals(200, answer.status());
        JsonNode body = json(answer);
        assertEquals(0, body.path("rows").size());
        assertEquals(0, body.path("meta").path("coverage").asInt());
        JsonNode missing = body.path("meta").path("missing");
        assertEquals(
                List.copyOf(Scope.DEFAULT.venues()),
                StreamSupport.stream(missing.path("venues").spliterator(), false)
                        .map(venue -> venue.path("venue").asText())
                        .toList());
        missing.path("venues")
                .forEach(venue -> assertFalse(venue.path("reason").asText().isBlank()));
        assertTrue(missing.path("values").toString().contains("no exchange in scope has a row now"));
    }

    @Test
    void unreadableNamesAreReportedAndNeverWiden() throws IOException {
        JsonNode answer = json(get("/api/v1/latest?venues=foo&assets=NOPE,BTC&symbols=%3Cscript%3E,%00"));
        assertEquals(0, answer.path("rows").size());
        JsonNode meta = answer.path("meta");
        assertEquals(List.of("foo"), texts(meta.path("unreadable_venues")));
        assertEquals(List.of("NOPE"), texts(meta.path("unreadable_assets")));
        assertEquals(List.of("(not shown: not shaped like a name)"), texts(meta.path("unreadable_symbols")));
        assertTrue(meta.path("missing").path("values").toString().contains("none of the exchanges named is listed"));
        assertFalse(answer.toString().contains("script"));

        JsonNode mixed = json(get("/api/v1/latest?venues=foo,okx"));
        assertEquals(List.of("okx BTC-USDT-SWAP", "okx X-USDT-SWAP"), symbols(mixed));
        assertTrue(mixed.path("meta").path("unreadable_assets").isMissingNode(), "absent when none was named");
    }

    @Test
    void atMostFiftyUnreadableNamesAreRepeated() throws IOException {
        String names = Stream.iterate(0, i -> i + 1).limit(80).map(i -> "n" + i).collect(Collectors.joining(","));
        assertEquals(
                50,
                json(get("/api/v1/latest?venues=" + names))
                        .path("meta")
                        .path("unreadable_venues")
                        .size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/latest?venue=okx",
                "/api/v1/latest?venues=okx&venues=gate",
                "/api/v1/latest?venues=",
                "/api/v1/latest?venues=,,",
                "/api/v1/latest?venues=%zz",
                "/api/v1/latest?<b>=1",
                "/api/v1?x=1",
                "/manifest.json?v=2",
                "/api/v1/latest?&"
            })
    void malformedParametersAreRefusedAndNotEchoed(String address) throws IOException {
        SiteResponse answer = get(address);
        assertEquals(400, answer.status());
        JsonNode body = json(answer);
        assertEquals("unreadable", body.path("status").asText());
        assertFalse(body.path("reason").asText().isBlank());
        assertFalse(body.toString().contains("<b>") || body.toString().contains("%zz"), body.toString());
        if (address.contains("venue=")) {
            assertTrue(body.path("reason").asText().contains("venues, assets, symbols"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/history,501,not_yet", "/api/v1/carry,503,starting", "/api/v1/cumulative_curve,501,not_yet",
        "/api/v1/rate_history,501,not_yet", "/api/v1/volume,501,not_yet", "/api/v1/depth_profile,501,not_yet",
        "/api/v1/latest/,404,unknown_address", "/api/v2,404,unknown_address", "/skills/../pom.xml,404,unknown_address"
    })
    void whatIsNotThereSaysSo(String address, int status, String word) throws IOException {
        SiteResponse answer = get(address);
        assertEquals(status, answer.status());
        assertEquals("no-store", answer.headers().get("Cache-Control"));
        JsonNode body = json(answer);
        assertEquals(word, body.path("status").asText());
        assertFalse(body.path("reason").asText().isBlank());
        assertTrue(texts(body.path("addresses")).contains("/api/v1/latest"));
        assertTrue(body.path("rows").isMissingNode());
        for (String works : texts(body.path("addresses"))) {
            assertEquals(200, get(works).status(), works);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1", "/api/v1/latest", "/api/v1/venues"})
    void untilTheFirstListDataAddressesSayThatTheServiceIsStarting(String address) throws IOException {
        SiteResponse answer = answered(ask("GET", address), null);
        assertEquals(503, answer.status());
        JsonNode body = json(answer);
        assertEquals("starting", body.path("status").asText());
        assertEquals(
                answer.headers().get("Retry-After"), body.path("retry_after_s").asText());
        assertTrue(body.path("meta").path("source").isNull());
        assertTrue(body.path("meta").path("missing").path("values").toString().contains("meta.source"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"})
    void otherMethodsAreRefused(String method) throws IOException {
        SiteResponse answer = answered(ask(method, "/api/v1/latest"), snapshot());
        assertEquals(405, answer.status());
        assertEquals("GET, HEAD, OPTIONS", answer.headers().get("Allow"));
        assertEquals("read_only", json(answer).path("status").asText());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/api/v1/latest", "/api/v1/venues", "/api/v1", "/api/v1/latest?venues=lbank", "/manifest.json"})
    void gzipInflatesToTheIdentityBytes(String address) throws IOException {
        SiteResponse plain = get(address);
        SiteResponse packed = get(address, "br;q=1, gzip;q=0.5");
        assertNull(plain.headers().get("Content-Encoding"));
        assertEquals("gzip", packed.headers().get("Content-Encoding"));
        assertNotEquals(plain.headers().get("ETag"), packed.headers().get("ETag"));
        assertArrayEquals(bytes(plain), new GZIPInputStream(new ByteArrayInputStream(bytes(packed))).readAllBytes());
        assertEquals("Accept-Encoding", packed.headers().get("Vary"));
        assertNull(get(address, "gzip;q=0, *").headers().get("Content-Encoding"));
        assertNull(get(address, "identity").headers().get("Content-Encoding"));
    }

    @Test
    void aManyVenuedListInflatesToTheIdentityBytes() throws IOException {
        var rows = new ArrayList<Rate>();
        for (String venue : List.of("binance", "bybit", "okx", "gate", "mexc")) {
            for (int i = 0; i < 400; i++) {
                rows.add(Samples.rate(venue, "S" + i, "A" + i, NOW - i));
            }
        }
        Snapshot big = snapshot(NOW, rows, Map.of());
        byte[] plain = bytes(answered(ask("GET", "/api/v1/latest"), big));
        byte[] packed = bytes(answered(ask("GET", "/api/v1/latest", "gzip"), big));
        assertArrayEquals(plain, new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes());
        assertTrue(packed.length * 5 < plain.length, packed.length + " of " + plain.length);
        assertEquals(2_000, JSON.readTree(plain).path("rows").size());
    }

    @Test
    void tagsAnswerUnchangedAndChangeWithTheGeneration() {
        SiteResponse first = get("/api/v1/latest");
        String tag = first.headers().get("ETag");
        for (String condition :
                List.of(tag, "W/" + tag, "\"other\", " + tag, "W/\"other\",W/" + tag + " , \"more\"", "W/\"x\", *")) {
            SiteResponse again = get("/api/v1/latest", condition);
            assertEquals(304, again.status(), condition);
            var kept = new HashMap<>(first.headers());
            kept.remove("Content-Type");
            kept.remove("Content-Length");
            assertEquals(kept, again.headers(), "everything that a cache is to renew");
            assertEquals(tag, again.headers().get("ETag"));
            assertEquals(List.of(), again.pieces());
        }
        assertEquals(200, get("/api/v1/latest", tag, "gzip").status(), "another coding has another tag");
        SiteResponse later = answered(ask("GET", "/api/v1/latest", tag), snapshot(NOW + 250, rows(), statuses()));
        assertEquals(200, later.status());
        assertEquals("Mon, 21 Sep 2026 14:13:20 GMT", first.headers().get("Last-Modified"));
        for (String condition : List.of(
                "\"\"",
                "\"other\"",
                "W/\"other\"",
                tag.substring(0, 20),
                tag.toUpperCase(java.util.Locale.ROOT) + "x")) {
            assertEquals(200, get("/api/v1/latest", condition).status(), condition);
        }
    }

    @ParameterizedTest
    @CsvSource({"0,2", "500,2", "501,1", "1500,1", "1501,1", "2500,1", "90000,1", "-7000,2"})
    void aListIsKeptUntilTheNextBeatAndForASecondAtLeast(long ageMs, int seconds) {
        for (String address : List.of("/api/v1", "/api/v1/latest", "/api/v1/venues", "/api/v1/latest?assets=BTC")) {
            SiteRequest later = Routed.request("GET", address, List.of(), List.of(), NOW + ageMs);
            assertEquals(
                    "public, max-age=" + seconds + ", stale-if-error=600",
                    answered(later, snapshot()).headers().get("Cache-Control"));
        }
        assertEquals(
                "public, max-age=300, stale-if-error=600",
                get("/robots.txt").headers().get("Cache-Control"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip                              | gzip",
                "GZIP ; Q=0.001                    | gzip",
                "x-gzip                            | gzip",
                "*                                 | gzip",
                "identity;q=0, *                   | gzip",
                "identity;q=0.5, gzip;q=0.4        | ''",
                "gzip;q=0, *;q=1                   | ''",
                "gzip;q=1.5                        | ''",
                "gzip;q=                           | ''",
                "identity;q=0                      | ''",
                "*;q=0                             | ''",
                "compress, deflate                 | ''",
                ", ,,gzip                          | gzip",
                "''                                | ''",
            })
    void theCodingIsOneThatIsWelcomeOrNone(String accepted, String coding) throws IOException {
        SiteResponse answer = get("/api/v1/latest", accepted);
        assertEquals(200, answer.status());
        assertEquals(coding, answer.headers().getOrDefault("Content-Encoding", ""));
    }

    @Test
    void anErrorIsShortAndSaysThatItHoldsNoObservation() throws IOException {
        for (SiteResponse answer : List.of(
                get("/nowhere"),
                get("/api/v1/history"),
                get("/api/v1/latest?x=1"),
                site.errors().of(500, NOW, snapshot()),
                answered(ask("GET", "/api/v1/latest"), null))) {
            JsonNode missing = json(answer).path("meta").path("missing");
            assertTrue(bytes(answer).length < 2_000, bytes(answer).length + " bytes");
            assertEquals(
                    0, missing.path("venues").size() + missing.path("symbols").size());
            List<String> fields = texts(missing.path("values"), "field");
            assertTrue(
                    fields.containsAll(List.of("rows", "meta.missing.venues, meta.missing.symbols")),
                    fields.toString());
            assertEquals("no-store", answer.headers().get("Cache-Control"));
            assertNull(answer.headers().get("ETag"));
        }
        JsonNode index = json(get("/api/v1")).path("meta").path("missing");
        assertTrue(texts(index.path("venues"), "venue").contains("bybit"));
        assertEquals(List.of("meta.missing.symbols"), texts(index.path("values"), "field"));
    }

    private static List<String> texts(JsonNode array, String field) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(one -> one.path(field).asText())
                .toList();
    }

    @Test
    void onlyThePageMayRunAnything() {
        String policy = get("/").headers().get("Content-Security-Policy");
        assertTrue(policy.startsWith("default-src 'none'; script-src 'self'; "), policy);
        assertFalse(policy.contains("unsafe") || policy.contains("http") || policy.contains("*"), policy);
        assertEquals(policy, get("/", get("/").headers().get("ETag")).headers().get("Content-Security-Policy"));
        for (String other : List.of("/?x", "/openapi.yaml", "/api/v1", "/nowhere")) {
            assertEquals(
                    "default-src 'none'; frame-ancestors 'none'",
                    get(other).headers().get("Content-Security-Policy"),
                    other);
        }
    }

    @Test
    void everyAnswerHasTheManners() {
        for (SiteResponse answer : List.of(
                get("/api/v1/latest"),
                get("/nowhere"),
                get("/api/v1/history"),
                get("/robots.txt"),
                answered(ask("OPTIONS", "/api/v1/latest"), null),
                site.errors().of(500, NOW, null))) {
            assertEquals("*", answer.headers().get("Access-Control-Allow-Origin"));
            assertEquals("nosniff", answer.headers().get("X-Content-Type-Options"));
            assertEquals(
                    "</.well-known/api-catalog>; rel=\"api-catalog\"",
                    answer.headers().get("Link"));
            assertEquals(
                    "default-src 'none'; frame-ancestors 'none'",
                    answer.headers().get("Content-Security-Policy"));
            assertEquals("no-referrer", answer.headers().get("Referrer-Policy"));
            assertNull(answer.headers().get("Server"));
        }
    }

    @Test
    void anythingNotLiveWins() throws IOException {
        Map<String, VenueStatus> mixed = new HashMap<>(statuses());
        mixed.put("okx", Samples.from(mixed.get("okx"), Source.REPLAY));
        assertEquals("replay", source(mixed));
        mixed.put("lbank", Samples.from(mixed.get("lbank"), Source.SIMULATED));
        assertEquals("simulated", source(mixed));
    }

    private String source(Map<String, VenueStatus> statuses) throws IOException {
        return json(answered(ask("GET", "/api/v1"), snapshot(NOW, rows(), statuses)))
                .path("meta")
                .path("source")
                .asText();
    }

    @Test
    void theVenuesAreAllThereWithTheirState() throws IOException {
        JsonNode answer = json(get("/api/v1/venues"));
        assertEquals(48, answer.path("rows").size());
        assertEquals(3, answer.path("meta").path("coverage").asInt());
        Map<String, JsonNode> rows = new HashMap<>();
        answer.path("rows").forEach(row -> rows.put(row.path("venue").asText(), row));
        JsonNode okx = rows.get("okx");
        assertEquals("OKX", okx.path("name").asText());
        assertEquals("cex", okx.path("kind").asText());
        assertTrue(okx.path("default_scope").asBoolean());
        assertTrue(okx.path("in_current_observation").asBoolean());
        assertEquals(2, okx.path("symbols").asInt());
        assertEquals(NOW - 2_000, okx.path("last_observed_ms").asLong());
        assertTrue(okx.path("reason").isNull());
        assertEquals("estimate", okx.path("rate_kind").asText());
        assertEquals(
                "[{\"funding_interval_h\":4,\"symbols\":1},{\"funding_interval_h\":null,\"symbols\":1}]",
                okx.path("symbols_by_interval_h").toString());
        assertEquals("2.0", okx.path("age_p50_s").asText());
        assertEquals("180.0", okx.path("age_p95_s").asText());
        assertTrue(okx.path("settled_history").asBoolean());
        assertEquals(new BigDecimal("0.0000125"), okx.path("estimate_error_p50").decimalValue());
        assertEquals(new BigDecimal("0.00025"), okx.path("estimate_error_p95").decimalValue());
        assertEquals(90, okx.path("estimate_error_settlements").asInt());
        assertEquals(3, okx.path("settled_history_contracts").asInt());
        assertEquals(2, okx.path("settled_history_contracts_read").asInt());
        assertEquals(
                "1 of 3 contracts could not be read: HTTP 400",
                okx.path("history_problem").asText());
        assertTrue(okx.path("closed_until_ms").isNull());
        assertEquals(NOW + 600_000, rows.get("bybit").path("closed_until_ms").asLong());
        assertTrue(rows.get("binance").path("estimate_error_p50").isNull());
        assertTrue(rows.get("binance").path("settled_history_contracts").isNull());
        assertEquals(0, rows.get("binance").path("estimate_error_settlements").asInt());
        assertEquals("https://docs.example/okx", okx.path("docs").asText());
        assertTrue(rows.get("lbank").path("history_problem").isNull());
        assertEquals(
                "history_capped: the exchange shows the newest 100 settlements of a contract",
                rows.get("bitmart").path("history_problem").asText());
        assertEquals(
                100, rows.get("bitmart").path("settled_history_newest_rows").asInt(), "the newest 100 of a contract");
        assertTrue(okx.path("settled_history_newest_rows").isNull());
        assertEquals("HTTP 403", rows.get("bybit").path("reason").asText());
        assertFalse(rows.get("bybit").path("in_current_observation").asBoolean());
        assertTrue(rows.get("kraken").path("rate_kind").isNull());
        assertEquals("not read yet", rows.get("aevo").path("reason").asText());
    }

    @Test
    void theIndexIsComplete() throws IOException {
        JsonNode answer = json(get("/api/v1"));
        assertEquals(6, answer.path("kinds").size());
        assertEquals(4, answer.path("reading").size());
        assertEquals(3, answer.path("differences").size());
        for (JsonNode address : answer.path("addresses")) {
            int status = get(address.path("path").asText()).status();
            // No table of pairs is there yet.
            int absent = address.path("path").asText().equals("/api/v1/carry") ? 503 : 501;
            assertEquals(address.path("served").asText().equals("yes") ? 200 : absent, status, address.toString());
        }
        answer.path("links")
                .forEach(link -> assertEquals(200, get(link.asText()).status(), link.asText()));
    }

    @Test
    void theManifestHoldsTheDigestOfEveryFile() throws Exception {
        JsonNode files = json(get("/manifest.json")).path("files");
        assertTrue(files.size() >= 5);
        for (JsonNode file : files) {
            SiteResponse served = get(file.path("path").asText());
            byte[] bytes = bytes(served);
            assertEquals(file.path("bytes").asInt(), bytes.length);
            assertEquals(file.path("sha256").asText(), HexFormat.of().formatHex(Content.sha256(bytes)));
            assertEquals(file.path("content_type").asText(), served.headers().get("Content-Type"));
        }
        assertArrayEquals(SKILL, bytes(get("/skills/funding-rates/SKILL.md")));
    }

    @ParameterizedTest
    @CsvSource({
        "/nowhere,unknown_address",
        "/api/v1/history,not_yet",
        "/api/v1/latest?x=1,unreadable",
        "/api/v1/carry,starting"
    })
    void anErrorBeginsWithItsStatusAndReason(String address, String word) {
        String body = new String(bytes(get(address)), StandardCharsets.UTF_8);
        assertTrue(body.startsWith("{\"status\":\"" + word + "\",\"reason\":\""), body);
    }

    @Test
    void aParameterThatIsNotKnownIsNamedIfItIsAWord() throws IOException {
        assertEquals(
                "the parameter coin is not known here; the known ones are venues, assets, symbols; did you mean assets?",
                json(get("/api/v1/latest?coin=BTC")).path("reason").asText());
        assertEquals(
                "a parameter is not known here; the known ones are venues, assets, symbols",
                json(get("/api/v1/latest?<b>=1")).path("reason").asText());
    }

    @Test
    void oneRequestMayNameFifty() throws IOException {
        String fifty = Stream.iterate(0, i -> i + 1).limit(50).map(i -> "N" + i).collect(Collectors.joining(","));
        assertEquals(200, get("/api/v1/latest?assets=" + fifty).status());
        SiteResponse answer = get("/api/v1/latest?assets=" + fifty + "&symbols=X");
        assertEquals(400, answer.status());
        assertTrue(json(answer).path("reason").asText().contains("at most 50"), "the bound is named");
        assertEquals(
                new RequestCost(1, Set.of()),
                site.cost(ask("GET", "/api/v1/latest?assets=" + fifty + ",X"), snapshot()),
                "and it is no sweep");
    }

    @Test
    void onlyReadingTheListCostsWhatTheListCosts() {
        for (String method : List.of("OPTIONS", "POST", "DELETE")) {
            assertEquals(1, site.cost(ask(method, "/api/v1/latest"), snapshot()).points(), method);
        }
        assertEquals(6, site.cost(ask("GET", "/api/v1/latest"), snapshot()).points());
        String tag = get("/api/v1/latest").headers().get("ETag");
        assertEquals(1, site.cost(ask("GET", "/api/v1/latest", tag), snapshot()).points());
        assertEquals(
                6,
                site.cost(ask("GET", "/api/v1/latest?venues=all"), snapshot()).points());
    }

    @Test
    void whatIsToBeAskedInsteadIsNotWhatWasRefusedAndKeepsTheExchanges() throws IOException {
        var sweep = new Verdict.Refused(Verdict.Shape.SWEEP, 60);
        var volume = new Verdict.Refused(Verdict.Shape.VOLUME, 3);
        assertEquals("/api/v1/latest?venues=lbank,okx", instead(sweep, "/api/v1/latest?venues=okx,lbank,foo&assets=A"));
        assertEquals("/api/v1/latest?venues=all", instead(sweep, "/api/v1/latest?venues=all&assets=A"));
        assertEquals("/api/v1/latest", instead(sweep, "/api/v1/latest?assets=A"));
        assertEquals("/api/v1", instead(volume, "/api/v1/latest"));
        assertEquals("/api/v1/latest", instead(volume, "/api/v1/carry"));
    }

    private String instead(Verdict.Refused refused, String address) throws IOException {
        SiteResponse answer = site.errors().refused(refused, ask("GET", address), NOW, snapshot());
        Described.check("GET", "/api/v1/latest", answer);
        assertEquals(Integer.toString(refused.retryAfterS()), answer.headers().get("Retry-After"));
        return json(answer).path("use_instead").asText();
    }

    @ParameterizedTest
    @CsvSource({
        "0,304",
        "1000,304",
        "-1000,200",
    })
    void aDateAnswersUnchangedAsWell(long laterMs, int status) {
        for (String address : List.of("/api/v1/latest", "/api/v1/venues")) {
            SiteRequest plain = ask("GET", address);
            SiteRequest dated = new SiteRequest(
                    plain.method(),
                    plain.path(),
                    plain.route(),
                    plain.query(),
                    List.of(),
                    new HttpDate().at(NOW + laterMs),
                    List.of(),
                    NOW);
            assertEquals(status, answered(dated, snapshot()).status(), address);
            SiteRequest tagged = new SiteRequest(
                    plain.method(),
                    plain.path(),
                    plain.route(),
                    plain.query(),
                    List.of("\"other\""),
                    new HttpDate().at(NOW + laterMs),
                    List.of(),
                    NOW);
            assertEquals(200, answered(tagged, snapshot()).status(), "where there is a tag, the date does not count");
        }
    }

    @Test
    void theTagOfAnotherCodingOfTheSameListIsUnchanged() {
        SiteResponse packed = get("/robots.txt");
        assertEquals(200, packed.status());
        SiteResponse gzip = get("/skills/funding-rates/SKILL.md", "gzip");
        String tag = gzip.headers().get("ETag");
        site.pack(Coding.BR, identity -> new byte[] {1});
        SiteResponse again = get("/skills/funding-rates/SKILL.md", tag, "br, gzip");
        assertEquals(304, again.status(), "br is there now and would be chosen");
        assertEquals(tag, again.headers().get("ETag"));
        SiteRequest brOnly = ask("HEAD", "/skills/funding-rates/SKILL.md", tag, "br");
        assertEquals(200, answered(brOnly, snapshot()).status(), "who takes no gzip");
    }
}
