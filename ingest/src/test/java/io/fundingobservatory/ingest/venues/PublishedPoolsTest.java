package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.RateLimit;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.ingest.spec.VenueSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What venues publish of their limits in addition to a number for each host, and how they refuse too frequent
 * requests.
 */
class PublishedPoolsTest {
    private static VenueSpec specOf(String venue) {
        return Objects.requireNonNull(Registry.find(venue)).spec();
    }

    private static Request request(String venue, String name) {
        return specOf(venue).requests().stream()
                .filter(r -> r.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<History> histories(String venue) {
        return Objects.requireNonNull(specOf(venue).history());
    }

    private static RateLimit pool(String venue, Map<String, Integer> drawn) {
        String pool = drawn.keySet().stream().findFirst().orElseThrow();
        assertEquals(Map.of(pool, 1), drawn);
        return specOf(venue).limits().stream()
                .filter(l -> l.pool().equals(pool))
                .findFirst()
                .orElseThrow();
    }

    /**
     * "Share 500/5min/IP rate limit": fundingRate and fundingInfo of the USDS-M host, in addition to their
     * weight.
     */
    @Test
    void binancesFundingRatesAndIntervalsShareOnePool() {
        RateLimit shared =
                pool("binance", request("binance", "fapi_fundingInfo").pools());
        assertEquals(new RateLimit(shared.pool(), 500, Duration.ofMinutes(5)), shared);
        for (History history : histories("binance")) {
            boolean fapi = history.url().startsWith("https://fapi.");
            assertEquals(
                    fapi ? Set.of(shared.pool()) : Set.of(), history.pools().keySet(), history.name());
        }
        assertEquals(Map.of(), request("binance", "fapi_premiumIndex").pools());
    }

    /** 2,000 a minute on standard routes, 30 a minute on those with time-range data. */
    @Test
    void backpackHistoryHasItsOwnPool() {
        RateLimit historical = pool("backpack", histories("backpack").getFirst().pools());
        assertEquals(new RateLimit(historical.pool(), 30, Duration.ofMinutes(1)), historical);
        assertTrue(specOf("backpack")
                .limits()
                .contains(new RateLimit("api.backpack.exchange", 2000, Duration.ofMinutes(1))));
    }

    /** Documented as 1 a second, and as 10 a second elsewhere: the stricter reading, the past and the present together. */
    @Test
    void deepcoinCurrentAndSettledRatesShareOnePool() {
        RateLimit rates = pool("deepcoin", histories("deepcoin").getFirst().pools());
        assertEquals(new RateLimit(rates.pool(), 1, Duration.ofSeconds(1)), rates);
        for (String name : List.of("current-funding-rate_SwapU", "current-funding-rate_Swap", "newest-settled_{}")) {
            assertEquals(Map.of(rates.pool(), 1), request("deepcoin", name).pools(), name);
        }
    }

    /** "All endpoints share the 10 per second limit based on IP", and each that is requested weighs 5. */
    @Test
    void everyRequestOfPionexWeighsFive() {
        specOf("pionex").requests().forEach(r -> assertEquals(5, r.weight(), r.name()));
        histories("pionex").forEach(h -> assertEquals(5, h.weight(), h.name()));
    }

    /** 1,200 a minute for values and history; ten builder dexes, four of which have markets. */
    @Test
    void hyperliquidDoesNotPollEmptyDexesEveryMinute() throws IOException {
        var responses = new VenueResponses().add("perpDexs", response("", """
                [null,{"name":"xyz"},{"name":"flx"},{"name":"vntl"},{"name":"hyna"},{"name":"km"},{"name":"abcd"},
                 {"name":"cash"},{"name":"para"},{"name":"io"},{"name":"mkts"}]
                """));
        Request everyMinute = request("hyperliquid", "metaAndAssetCtxs_{}");
        var keys = Objects.requireNonNull(everyMinute.keys());
        assertEquals(10, keys.apply(responses).size(), "as long as nothing is known of them");

        String dex = "[{\"universe\":[{\"name\":\"%s:A\",\"isDelisted\":true},{\"name\":\"%s:B\"%s}]},[{},{}]]";
        for (String name : List.of("flx", "vntl", "hyna", "km", "abcd", "cash")) {
            responses.add("dex_{}", response(name, dex.formatted(name, name, ",\"isDelisted\":true")));
        }
        for (String name : List.of("xyz", "para", "io", "mkts")) {
            responses.add("dex_{}", response(name, dex.formatted(name, name, "")));
        }
        assertEquals(List.of("xyz", "para", "io", "mkts"), keys.apply(responses));
        int minute = request("hyperliquid", "metaAndAssetCtxs").weight()
                + keys.apply(responses).size() * everyMinute.weight();
        assertEquals(100, minute, "weight of a minute's rates");
        assertEquals(Duration.ofHours(1), request("hyperliquid", "dex_{}").every());
    }

    /** 125 contracts one by one and 1,000 pages of history have one budget of 600 a minute. */
    @Test
    void perSymbolRequestsLeaveAllowanceForHistory() {
        // ApeX: 125 contracts, a fifth of 600 requests a minute of which three quarters are the values'
        assertTrue(125.0 / minutes("apex", "ticker_{}") <= 600 / 5 * 0.75);
        // Crypto.com: 396 contracts, 125 to 146 ms a call, three quarters of a minute for values; a mark that
        // is requested for every second minute is never older than 180 s
        double requests = 396.0 / minutes("cryptocom", "get-valuations_mark_price_{}")
                + 396.0 / minutes("cryptocom", "get-valuations_funding_rate_{}");
        assertTrue(requests * 0.146 <= 45, requests + " calls a minute");
        assertTrue(minutes("cryptocom", "get-valuations_mark_price_{}") <= 2);
    }

    private static long minutes(String venue, String request) {
        return Math.max(1, request(venue, request).every().toMinutes());
    }

    @Test
    void requestsNoSpanThatExchangesReject() {
        assertEquals(Duration.ofDays(7), histories("weex").getFirst().longest());
        // 30 days at most, and a request begins an hour before its span
        assertEquals(Duration.ofDays(29), histories("derive").getFirst().longest());
        assertTrue(!String.valueOf(histories("derive").getFirst().body()).contains("period"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            kucoin  | {"code":"200002","msg":"too many requests"}
            kucoin  | {"code":"429000","msg":"too many requests"}
            blofin  | {"code":"429","msg":"too many requests","data":null}
            mexc    | {"success":false,"code":510,"message":"Requests are too frequent, please try again later"}
            htx     | {"status":"error","err_code":1032,"err_msg":"too many requests","ts":1789999998111}
            htx     | {"status":"error","err-code":"1032","err-msg":"too many requests","ts":1789999998111}
            bitunix | {"code":10006,"data":null,"msg":"too many requests"}
            lbank   | {"data":null,"error_code":183,"msg":"too many","result":"false","success":false}
            """)
    void detectsThrottlingInsideSuccess(String id, String body) throws IOException {
        Venue venue = Objects.requireNonNull(Registry.find(id));
        VenueError error = venue.error(node(body));
        assertNotNull(error);
        assertTrue(error.throttled(), error.reason());
    }

    private static Response response(String key, String body) throws IOException {
        return new Response(key, node(body), 1_790_000_000_000L);
    }

    private static JsonValue node(String body) throws IOException {
        return JsonValue.parse(body.getBytes(StandardCharsets.UTF_8));
    }
}
