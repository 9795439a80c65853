package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of rates: its rows, their order, and the venues reported as missing. */
class LatestEndpointTest extends SiteFixture {
    @Test
    void wholeListIsSortedWithStaleAndMissing() throws IOException {
        JsonNode response = json("/api/v1/latest");
        assertEquals(
                List.of("binance BTCUSDT", "binance ETHUSDT", "okx BTC-USDT-SWAP", "okx X-USDT-SWAP"),
                symbols(response));
        assertEquals(
                List.of(true, false, false, false),
                StreamSupport.stream(response.path("rows").spliterator(), false)
                        .map(row -> row.path("stale").asBoolean())
                        .toList());
        facts(response, """
                /meta/scope/kind "default"
                /meta/coverage 2
                /meta/row_count 4
                /meta/source "live"
                /meta/generated_at_ms 1790000000000
                /meta/missing/kinds/3/kind "depth_profile"
                """);
        List<String> absent = StreamSupport.stream(
                        response.at("/meta/missing/venues").spliterator(), false)
                .map(JsonNode::toString)
                .toList();
        assertTrue(
                absent.containsAll(
                        List.of(
                                "{\"venue\":\"bybit\",\"reason\":\"HTTP 403\",\"since_ms\":1789999100000,\"since_utc\":\"2026-09-21T13:58:20Z\"}",
                                "{\"venue\":\"gate\",\"reason\":\"not read yet\",\"since_ms\":null,\"since_utc\":null}",
                                "{\"venue\":\"kraken\",\"reason\":\"no reader in this release\",\"since_ms\":null,\"since_utc\":null}")),
                absent.toString());
        assertFalse(absent.toString().contains("binance"));
        assertFalse(absent.toString().contains("lbank"), "outside the default scope, so not missing from it");
        List<String> left = left(response);
        assertTrue(
                left.containsAll(List.of(
                        "binance no_rate 2",
                        "binance removed_too_old 1",
                        "okx funding_interval_not_published 1",
                        "okx mark_price_not_published 1",
                        "okx index_price_not_published 1",
                        "okx next_funding_not_published 1",
                        "okx funding_rate_8h_not_known 1")),
                left.toString());
        assertFalse(left.toString().contains("not_perpetual"));
    }

    /** The entries of {@code meta.missing.symbols}. */
    private static List<String> left(JsonNode response) {
        return StreamSupport.stream(response.at("/meta/missing/symbols").spliterator(), false)
                .map(one ->
                        one.path("venue").asText() + ' ' + one.path("reason").asText() + ' ' + one.path("count"))
                .toList();
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
    void staleDependsOnAgeNotOnTopic() throws IOException {
        Rate young = Samples.rate("okx", "A", "A", NOW - 400_000).asOf(NOW);
        assertTrue(young.stale());
        Snapshot earlier = snapshot(NOW - 300_000, List.of(young), Map.of());
        assertFalse(json(responses(request("GET", "/api/v1/latest"), earlier))
                .toString()
                .contains("stale\":true"));
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
                "asset_class=crypto             | binance BTCUSDT;binance ETHUSDT;okx BTC-USDT-SWAP",
                "asset_class=crypto,fx&assets=X,ETH | binance ETHUSDT",
                "asset_class=crypto&symbols=X-USDT-SWAP | ''",
                "asset_class=equity             | ''",
                "min_abs_funding_rate_8h=0.0001 | binance BTCUSDT;binance ETHUSDT;okx BTC-USDT-SWAP",
                "min_abs_funding_rate_8h=0.000100000000000001 | ''",
                "min_abs_funding_rate_8h=0      | binance BTCUSDT;binance ETHUSDT;okx BTC-USDT-SWAP",
                "settles_before_ms=1790003420000 | binance BTCUSDT",
                "settles_before_ms=1790003420001 | binance BTCUSDT;okx BTC-USDT-SWAP",
                "settles_before_ms=1790003420001&assets=BTC&venues=okx | okx BTC-USDT-SWAP",
            })
    void namesNarrow(String query, String expected) throws IOException {
        JsonNode response = json("/api/v1/latest?" + query);
        assertEquals(expected.isEmpty() ? List.of() : List.of(expected.split(";")), symbols(response));
        facts(
                response,
                "/meta/row_count " + symbols(response).size() + "\n/meta/venues_matched "
                        + symbols(response).stream()
                                .map(row -> row.split(" ")[0])
                                .distinct()
                                .count());
    }

    @Test
    void scopeNamesWhatWasNotRequested() throws IOException {
        JsonNode whole = json("/api/v1/latest").at("/meta/scope");
        assertEquals(24, whole.path("venues").size());
        assertEquals(24, whole.path("outside").size());
        assertTrue(texts(whole.path("outside")).containsAll(List.of("lbank", "grvt")));
        assertTrue(texts(whole.path("venues")).contains("kraken"), "requested, with a row or without");
        JsonNode named = json("/api/v1/latest?venues=okx,foo&assets=BTC").at("/meta/scope");
        assertEquals(List.of("okx"), texts(named.path("venues")));
        assertEquals(47, named.path("outside").size());
        facts(json("/api/v1/venues"), "/meta/scope none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"venues=all", "venues=ALL", "venues=okx,all", "venues=all,foo"})
    void allNamesEveryListedExchange(String query) throws IOException {
        JsonNode response = json("/api/v1/latest?" + query);
        assertTrue(
                symbols(response).contains("lbank BTCUSDT"), symbols(response).toString());
        JsonNode meta = response.path("meta");
        facts(meta, "/coverage 3\n/scope/outside []");
        assertEquals(ListedVenue.ALL.size(), meta.at("/scope/venues").size());
        assertEquals(45, meta.at("/missing/venues").size());
        assertEquals(query.contains("foo"), meta.has("unreadable_venues"));
    }

    /**
     * Names narrow and never widen, and each one that does not fit is reported. Coverage counts exchanges whatever was named: an agent must
     * not report exchanges as missing that do not list a coin. An exchange that is away may list a symbol that no other has.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            fields=asset                           | /meta/scope/kind                    | "default"
            assets=BTC                             | /meta/scope/kind                    | "default"
            venues=okx,foo&assets=BTC              | /meta/scope/kind                    | "named"
            venues=all                             | /meta/scope/kind                    | "all"
            venues=all&assets=BTC                  | /meta/scope/kind                    | "all"
            venues=all                             | /meta/coverage                      | 3
            venues=all&assets=ETH                  | /meta/coverage                      | 3
            venues=all&assets=NOPE                 | /meta/coverage                      | 3
            venues=all&symbols=X-USDT-SWAP         | /meta/coverage                      | 3
            venues=all&asset_class=fx              | /meta/coverage                      | 3
            venues=okx,gate                        | /meta/coverage                      | 1
            venues=okx,gate&assets=ETH             | /meta/coverage                      | 1
            venues=okx,gate&assets=NOPE            | /meta/coverage                      | 1
            venues=okx,gate&symbols=X-USDT-SWAP    | /meta/coverage                      | 1
            venues=okx,gate&asset_class=fx         | /meta/coverage                      | 1
            venues=bybit&symbols=BTCUSDT           | /meta/missing/values/0/reason       | "no row in scope has BTCUSDT"
            venues=bybit&symbols=BTCUSDT           | /meta/missing/venues/0/venue        | "bybit"
            venues=bybit&symbols=BTCUSDT           | /meta/missing/venues/0/reason       | "HTTP 403"
            assets=ETH&venues=binance,okx,lbank    | /meta/missing/venues/0/venue        | "lbank"
            assets=ETH&venues=binance,okx,lbank    | /meta/missing/venues/0/reason       | "no_matching_row"
            assets=ETH&venues=binance,okx,lbank    | /meta/missing/venues/1/venue        | "okx"
            assets=ETH&venues=binance,okx,lbank    | /meta/missing/venues/2              | none
            assets=ETH&venues=binance              | /meta/missing/symbols               | []
            assets=ETH&venues=binance              | /meta/missing/venues                | []
            venues=binance                         | /meta/missing/symbols/0             | {"venue":"binance","reason":"no_rate","count":2}
            venues=foo&assets=NOPE,BTC             | /rows                               | []
            venues=foo&assets=NOPE,BTC             | /meta/unreadable_venues             | ["foo"]
            venues=foo&assets=NOPE,BTC             | /meta/unreadable_assets             | ["NOPE"]
            venues=foo                             | /meta/missing/values/0/reason       | "none of the exchanges named is listed; /api/v1/venues lists them"
            symbols=%3Cscript%3E,%00               | /meta/unreadable_symbols            | ["(not shown: not shaped like a name)"]
            venues=foo,okx                         | /rows/0/symbol                      | "BTC-USDT-SWAP"
            venues=foo,okx                         | /rows/2                             | none
            venues=foo,okx                         | /meta/unreadable_assets             | none
            assets=NOPE,K,USDT&venues=foo&symbols=%3Cb%3E | /meta/did_you_mean           | none
            asset_class=shares                     | /reason                             | "asset_class is one or more of crypto, equity, commodity, fx, index"
            asset_class=EQUITY                     | /reason                             | "asset_class is one or more of crypto, equity, commodity, fx, index"
            asset_class=crypto,stock               | /status                             | "unreadable"
            """)
    void statesWhatWasRequestedAndWhatIsMissing(String query, String pointer, String value) throws IOException {
        JsonNode body = json("/api/v1/latest?" + query);
        facts(body, pointer + ' ' + value);
        assertFalse(body.toString().contains("script"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "min_abs_funding_rate_8h=-0.001",
                "min_abs_funding_rate_8h=1e-3",
                "min_abs_funding_rate_8h=0%2C05",
                "min_abs_funding_rate_8h=0.05%25",
                "min_abs_funding_rate_8h=.5",
                "settles_before_ms=1790000000",
                "settles_before_ms=2026-11-28T12:00:00Z",
                "settles_before_ms=1790000000000,1790000000001",
            })
    void unreadableSelectionsAreNamed(String query) throws IOException {
        JsonNode refused = json("/api/v1/latest?" + query);
        facts(refused, "/status \"unreadable\"");
        assertTrue(refused.path("reason").asText().startsWith(query.split("=")[0] + " is one "));
    }

    /** Others that were named with it have rows: the response does not look as if it held all that was requested. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "assets=FAR                           | no row in scope has FAR",
                "assets=BTC,FAR                       | no row in scope has FAR",
                "assets=BTC,FAR&limit=1&missing=reasons | no row in scope has FAR",
                "assets=btc,far&venues=okx            | no row in scope has FAR",
                "symbols=FAR-PERP,BTC-USDT-SWAP       | no row in scope has FAR-PERP",
                "venues=all&assets=NOPE               | no row in scope fits what was named or selected",
                "asset_class=fx                       | no row in scope fits what was named or selected",
                "venues=okx&assets=NOPE               | no row in scope fits what was named or selected; missing.venues has the reason of each exchange",
                "assets=BTC,FAR&venues=all            | ''",
                "assets=BTC                           | ''",
            })
    void saysWhichNamesHaveNoRow(String query, String reason) throws IOException {
        Snapshot snapshot = snapshot(
                NOW,
                List.of(
                        Samples.rate("okx", "BTC-USDT-SWAP", "BTC", NOW),
                        Samples.rate("lbank", "FARUSDT", "FAR", NOW),
                        Samples.rate("apex", "FAR-PERP", "FAR", NOW)),
                statuses());
        JsonNode values = json("/api/v1/latest?" + query, snapshot).at("/meta/missing/values");
        assertEquals(reason.isEmpty() ? "" : "[{\"field\":\"rows\",\"reason\":\"" + reason + "\"}]", values.toString());
    }

    @Test
    void emptyDefaultScopeListsReasonOfEachVenue() throws IOException {
        Snapshot outside = snapshot(NOW, List.of(Samples.rate("lbank", "BTCUSDT", "BTC", NOW)), statuses());
        JsonNode body = json("/api/v1/latest", outside);
        facts(body, "/rows []\n/meta/coverage 0");
        JsonNode missing = body.at("/meta/missing");
        assertEquals(List.copyOf(Scope.DEFAULT.venues()), texts(missing.path("venues"), "venue"));
        texts(missing.path("venues"), "reason").forEach(reason -> assertFalse(reason.isBlank()));
        assertTrue(missing.path("values").toString().contains("no exchange in scope has a row; missing.venues"));
    }

    @ParameterizedTest
    @CsvSource({
        "assets=BTC-USDT, assets=BTC",
        "assets=BTC/USDT, assets=BTC",
        "assets=BTC-USDT-SWAP, symbols=BTC-USDT-SWAP",
        "assets=btcusdt, symbols=BTCUSDT",
        "assets=ETHUSDC, assets=ETH",
        "assets=kETH, assets=ETH",
        "assets=1000ETH, assets=ETH",
        "assets=XBT, assets=BTC",
        "assets=XBTUSDTM, assets=BTC",
        "assets=Bitcoin, assets=BTC",
        "assets=okx, venues=okx",
        "symbols=BTC, assets=BTC",
        "symbols=ETH_USDT, assets=ETH",
        "venues=OKEx, venues=okx",
        "venues=gateio, venues=gate",
        "venues=gate.io, venues=gate",
        "venues=huobi, venues=htx",
        "venues=crypto.com, venues=cryptocom",
        "venues=Kraken Futures, venues=kraken",
        "venues=BTC, assets=BTC"
    })
    void aNearMissShowsTheWay(String query, String use) throws IOException {
        String name = query.substring(query.indexOf('=') + 1);
        // Never widened, never guessed.
        facts(
                json("/api/v1/latest?" + query.replace(" ", "%20")),
                "/meta/row_count 0\n/meta/did_you_mean [{\"name\":\"" + name + "\",\"use\":\"" + use + "\"}]");
    }

    /** A guard's skip, a rejected row or one that is too old may be the coin. A paused market, or one without a rate, is not. */
    @Test
    void countsRowsThatMayBeTheCoin() throws IOException {
        Map<String, VenueStatus> statuses = new HashMap<>(statuses());
        statuses.put(
                "okx", Samples.read("okx", NOW - 2_000, 2, Map.of("not_trading", 9L, "not_in_instrument_list", 132L)));
        Snapshot ordinary = snapshot(NOW, rows(), statuses);
        assertEquals(List.of(), faults("/api/v1/latest?assets=ETH", ordinary));
        assertEquals(
                List.of("binance no_rate 2", "binance removed_too_old 1"),
                faults("/api/v1/latest?assets=X&fields=mark_price", ordinary));
        statuses.put("okx", Samples.read("okx", NOW - 2_000, 2, Map.of("not_trading", 9L, "frozen", 1L)));
        assertEquals(List.of("okx frozen 1"), faults("/api/v1/latest?assets=ETH", snapshot(NOW, rows(), statuses)));
        statuses.put("okx", Samples.read("okx", NOW - 2_000, 3, Map.of()));
        Snapshot faulty = snapshot(NOW, rows(), statuses);
        assertEquals(List.of("okx not_processed 1"), faults("/api/v1/latest?assets=ETH", faulty));
        assertEquals(List.of(), faults("/api/v1/latest?assets=ETH&venues=binance", faulty));
        assertEquals(
                List.of("okx not_processed 1"), faults("/api/v1/latest?assets=ETH,BTC&venues=binance,okx", faulty));
    }

    private List<String> faults(String address, Snapshot snapshot) throws IOException {
        return left(json(address, snapshot)).stream()
                .filter(one -> !one.matches(".*_not_(published|known) .*"))
                .toList();
    }

    @Test
    void filtersByTheClassThatVenuesState() throws IOException {
        Snapshot snapshot = snapshot(
                NOW,
                List.of(
                        Samples.rate("okx", "TSLA", "TSLA", AssetClass.EQUITY, NOW),
                        Samples.rate("okx", "XAU", "XAU", AssetClass.COMMODITY, NOW),
                        Samples.rate("okx", "ODD", "ODD", null, NOW),
                        Samples.rate("binance", "TSLAUSDT", "TSLA", null, NOW)),
                Map.of());
        List<String> unknown = List.of("binance asset_class_not_published 1", "okx asset_class_not_published 1");
        JsonNode shares = json("/api/v1/latest?asset_class=equity,index", snapshot);
        assertEquals(List.of("okx TSLA"), symbols(shares));
        facts(shares, "/rows/0/asset_class \"equity\"");
        assertEquals(unknown, left(shares));
        JsonNode selected = json("/api/v1/latest?asset_class=equity&fields=mark_price", snapshot);
        assertEquals(unknown, left(selected), "also where the class is not returned");
        JsonNode named = json("/api/v1/latest?asset_class=equity&assets=TSLA&venues=binance", snapshot);
        facts(named, "/rows []\n/meta/missing/venues/0/reason \"no_matching_row\"");
        assertEquals(List.of("binance asset_class_not_published 1"), left(named), "it may be one");
    }

    /** A rate that is paid counts by its size; a row that does not state a value may belong, and is counted. */
    @Test
    void selectionByValueCountsWhatIsNotKnown() throws IOException {
        Snapshot snapshot = snapshot(
                NOW,
                List.of(
                        paying("okx", "A", "-0.0005", NOW + 1),
                        paying("okx", "B", "0.00049", NOW + 1),
                        paying("okx", "C", "0.0005", NOW + 2),
                        paying("okx", "D", "0.0005", null),
                        Samples.bare("okx", "E", "E", NOW),
                        paying("binance", "F", "0.00049", null)),
                Map.of());
        String query = "min_abs_funding_rate_8h=0.0005&settles_before_ms=" + (NOW + 2);
        JsonNode selected = json("/api/v1/latest?fields=asset&limit=9&" + query, snapshot);
        assertEquals(List.of("okx A"), symbols(selected));
        facts(selected, "/rows_matched 1\n/meta/venues_matched 1\n/meta/coverage 2");
        // F is excluded by its rate.
        assertEquals(List.of("okx funding_rate_8h_not_known 1", "okx next_funding_not_published 2"), left(selected));
        facts(
                json("/api/v1/latest?assets=B&min_abs_funding_rate_8h=0.001", snapshot),
                "/meta/missing/values/0/reason \"no row in scope fits what was named or selected\"");
    }

    private static Rate paying(String venue, String symbol, String rate8h, Long nextFundingMs) {
        return Rate.CODEC.with(
                Samples.rate(venue, symbol, symbol, NOW),
                "funding_rate_8h",
                new BigDecimal(rate8h),
                "next_funding_ms",
                nextFundingMs);
    }

    @Test
    void atMostFiftyUnreadableNamesAreRepeated() throws IOException {
        String names = Stream.iterate(0, i -> i + 1).limit(80).map(i -> "n" + i).collect(Collectors.joining(","));
        assertEquals(
                50,
                json("/api/v1/latest?venues=" + names)
                        .at("/meta/unreadable_venues")
                        .size());
    }

    @Test
    void ignoresParametersThatLinksCarryAlong() {
        String tagged = "utm_source=x&utm_campaign=a,b&fbclid=%zz&gclid=1&gclid=2";
        for (String address : List.of("/api/v1/latest", "/api/v1/venues", "/api/v1", "/openapi.yaml")) {
            SiteResponse plain = get(address);
            SiteResponse carried = get(address + "?" + tagged);
            assertEquals(200, carried.status(), address);
            assertEquals(plain.headers(), carried.headers());
            assertArrayEquals(bytes(plain), bytes(carried));
        }
        assertArrayEquals(
                bytes(get("/api/v1/latest?assets=BTC")), bytes(get("/api/v1/latest?" + tagged + "&assets=BTC")));
        assertEquals(400, get("/api/v1/latest?utm=x").status());
        assertEquals(400, get("/openapi.yaml?v=1").status());
    }

    @Test
    void sharesOneRenderingWithLinksThatCarryTags() {
        Snapshot snapshot = snapshot();
        responses(request("GET", "/api/v1/latest?assets=BTC"), snapshot);
        assertFalse(site.decide(request("GET", "/api/v1/latest?assets=BTC&fbclid=1"), snapshot)
                .rendered());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1",
                "/api/v1/venues",
                "/api/v1/venues?fields=reason",
                "/api/v1/latest",
                "/api/v1/latest?venues=all",
                "/api/v1/latest?assets=BTC",
                "/api/v1/latest?layout=columns&numbers=text",
                "/api/v1/latest?order=-mark_price&limit=2"
            })
    void everyListStatesItsTag(String address) throws IOException {
        SiteResponse response = get(address);
        String tag = json(response).at("/meta/tag").asText();
        assertEquals(response.headers().get("ETag"), '"' + tag + '"');
        assertTrue(tag.matches("[0-9a-f]{32}") && !tag.equals("0".repeat(32)), tag);
        assertEquals(304, get(address, '"' + tag + '"').status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "venues=all",
                "assets=BTC,ETH",
                "venues=all&symbols=BTCUSDT",
                "layout=columns&numbers=text",
                "layout=columns&numbers=text&venues=all",
                "assets=BTC&layout=columns&fields=mark_price",
                "venues=all&order=-observed_at_ms&limit=2"
            })
    void changesOfAnyListLeadToTheNext(String query) throws IOException {
        List<Rate> rows = new ArrayList<>(rows());
        Snapshot first = snapshot();
        String address = "/api/v1/latest" + (query.isEmpty() ? "?" : '?' + query + '&');
        JsonNode before = json(responses(request("GET", address.substring(0, address.length() - 1)), first));
        rows.removeIf(row -> row.symbol().equals("BTC-USDT-SWAP"));
        rows.add(Samples.rate("okx", "BTC-USD-SWAP", "BTC", NOW - 500));
        Snapshot next = following(
                first,
                NOW + 2_500,
                rows.stream().filter(row -> row.venue().equals("okx")).toList());
        SiteRequest since =
                request("GET", address + "since=" + before.at("/meta/tag").asText());
        JsonNode changes = json(responses(since, next));
        JsonNode after = json(responses(request("GET", address.substring(0, address.length() - 1)), next));
        assertTrue(changes.path("delta").asBoolean(), changes.toString());
        assertEquals(before.at("/meta/tag"), changes.path("since"));
        assertEquals(after.at("/meta/tag"), changes.path("tag"));
        assertTrue(changes.path("rows").size() < 3, "what changed, and no more");
        assertEquals(after.at("/meta"), changes.at("/meta"));
        assertEquals(after.path("columns"), changes.path("columns"));
        Map<String, JsonNode> client = byKey(before);
        changes.path("gone")
                .forEach(key -> assertNotNull(client.remove(
                        key.path("venue").asText() + ' ' + key.path("symbol").asText())));
        client.putAll(byKey(changes));
        assertEquals(byKey(after), client);
        assertEquals(after, json(responses(request("GET", address + "since=" + "0".repeat(32)), next)));
    }

    private static Map<String, JsonNode> byKey(JsonNode response) {
        return StreamSupport.stream(response.path("rows").spliterator(), false)
                .collect(Collectors.toMap(
                        row -> row.isArray()
                                ? row.get(0).asText() + ' ' + row.get(1).asText()
                                : row.path("venue").asText()
                                        + ' '
                                        + row.path("symbol").asText(),
                        row -> row));
    }

    @Test
    void trailingSlashIsIgnored() {
        for (String address : List.of("/api/v1", "/api/v1/latest", "/api/v1/venues")) {
            assertArrayEquals(
                    bytes(get(address)), bytes(Routed.response(site, request("GET", address + "/"), snapshot())));
        }
    }
}
