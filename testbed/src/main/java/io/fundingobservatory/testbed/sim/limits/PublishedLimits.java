package io.fundingobservatory.testbed.sim.limits;

import static io.fundingobservatory.testbed.sim.limits.LimitPool.Certainty.CAUTIOUS;

import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.limits.OverLimitPolicy.WaitIn;
import io.fundingobservatory.topics.ListedVenue;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Published limits of each venue for clients without a key, per IP address, as of November 2026. Where
 * documents contradict one another or measured behaviour, the stricter limit is listed in addition to the
 * published one.
 */
public final class PublishedLimits {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
    private static final String FIREWALL =
            "<!DOCTYPE html><html><head><title>Access denied</title></head><body>access too frequent</body></html>";

    private static final Map<String, List<LimitPool>> ALL = new LinkedHashMap<>();

    static {
        // Bans last from 2 minutes (for going on after 429) to 3 days.
        OverLimitPolicy binance = OverLimitPolicy.status(429).retryAfter().ban(20, 418, Duration.ofMinutes(2));
        venue(
                "binance",
                limit("weight of fapi", 2_400, MINUTE)
                        .on("fapi.binance.com")
                        .cost(PublishedLimits::binanceWeight)
                        .usageHeader("x-mbx-used-weight-1m")
                        .beyond(binance),
                limit("fundingRate and fundingInfo", 500, FIVE_MINUTES)
                        .on("fapi.binance.com")
                        .under("/fapi/v1/fundingRate", "/fapi/v1/fundingInfo")
                        .beyond(binance),
                limit("weight of dapi", 2_400, MINUTE)
                        .on("dapi.binance.com")
                        .cost(PublishedLimits::binanceWeight)
                        .usageHeader("x-mbx-used-weight-1m")
                        .beyond(binance));
        venue(
                "bybit",
                limit("requests", 600, seconds(5))
                        .beyond(OverLimitPolicy.status(403).body(FIREWALL).lockout(Duration.ofMinutes(10))));
        venue(
                "okx",
                limit("funding-rate, per instrument", 10, seconds(2))
                        .under("/api/v5/public/funding-rate")
                        .each(request -> request.path() + request.query().get("instId")),
                limit("mark-price", 10, seconds(2)).under("/api/v5/public/mark-price"),
                limit("index-tickers", 20, seconds(2)).under("/api/v5/market/index-tickers"),
                limit("instruments", 20, seconds(2)).under("/api/v5/public/instruments"));
        venue("bitget", limit("each address", 20, SECOND).eachPath(), limit("requests", 6_000, MINUTE));
        venue("gate", limit("each address", 200, seconds(10)).eachPath().usageHeader("x-gate-ratelimit-requests-used"));
        // In band with 200002, or as HTTP 429 with 429000.
        venue(
                "kucoin",
                limit("weight", 2_000, seconds(30))
                        .cost(request -> request.path().endsWith("/contracts/active") ? 3 : 5)
                        .beyond(OverLimitPolicy.inBand().wait("gw-ratelimit-reset", WaitIn.MILLISECONDS)));
        venue(
                "mexc",
                limit("each address", 20, seconds(2)).eachPath().beyond(OverLimitPolicy.inBand()),
                limit("detail", 10, seconds(2)).under("/api/v1/contract/detail").beyond(OverLimitPolicy.inBand()));
        venue("htx", limit("reference data", 240, seconds(3)).beyond(OverLimitPolicy.inBand()));
        OverLimitPolicy bingx = OverLimitPolicy.status(429).ban(10, 418, FIVE_MINUTES);
        venue(
                "bingx",
                limit("each address", 500, seconds(10)).eachPath().beyond(bingx),
                limit("each address, by the skill file", 1, SECOND)
                        .eachPath()
                        .certainty(CAUTIOUS)
                        .beyond(bingx));
        venue(
                "deribit",
                limit("get_instruments", 1, SECOND).under("/api/v2/public/get_instruments"),
                limit("requests", 20, SECOND).certainty(CAUTIOUS));
        venue("kraken", LimitPool.unknown());
        venue(
                "bitfinex",
                limit("status/deriv", 90, MINUTE)
                        .under("/v2/status/deriv")
                        .beyond(OverLimitPolicy.status(429)
                                .body("{\"error\":\"ERR_RATE_LIMIT\"}")
                                .lockout(MINUTE)));
        venue("cryptocom", limit("each method", 100, SECOND).eachPath());
        venue(
                "phemex",
                limit("requests", 5_000, FIVE_MINUTES)
                        .beyond(OverLimitPolicy.status(429).lockout(FIVE_MINUTES)),
                limit("each group", 300, MINUTE)
                        .under("/public", "/contract-biz", "/api-data")
                        .each(PublishedLimits::firstSegment)
                        .beyond(OverLimitPolicy.status(429).wait("x-ratelimit-retry-after-group", WaitIn.SECONDS)));
        venue("lbank", limit("requests", 20, SECOND).certainty(CAUTIOUS).beyond(OverLimitPolicy.inBand()));
        OverLimitPolicy xt = OverLimitPolicy.status(429).lockout(Duration.ofMinutes(10));
        venue(
                "xt",
                limit("requests a second", 10, SECOND).beyond(xt),
                limit("requests a minute", 1_000, MINUTE).beyond(xt),
                limit("funding-rate of one contract", 1, SECOND)
                        .at("/future/market/v1/public/q/funding-rate")
                        .beyond(xt));
        venue(
                "weex",
                limit("weight", 500, seconds(10))
                        .cost(PublishedLimits::weexWeight)
                        .beyond(OverLimitPolicy.status(429).lockout(seconds(10))));
        venue(
                "blofin",
                limit("requests a minute", 500, MINUTE).beyond(OverLimitPolicy.inBand()),
                limit("requests in 5 minutes", 1_500, FIVE_MINUTES)
                        .beyond(OverLimitPolicy.status(403).body(FIREWALL).lockout(FIVE_MINUTES)));
        venue(
                "toobit",
                limit("weight", 3_000, MINUTE).cost(request -> request.path().equals("/quote/v1/markPrice") ? 10 : 1),
                limit("markPrice", 5, SECOND).under("/quote/v1/markPrice"));
        venue("bitunix", limit("each address", 10, SECOND).eachPath().beyond(OverLimitPolicy.inBand()));
        // Retry-After is documented as seconds and as an instant; here it is the instant.
        OverLimitPolicy btse = OverLimitPolicy.status(429)
                .wait("Retry-After", WaitIn.UNIX_SECONDS)
                .lockout(SECOND, FIVE_MINUTES, Duration.ofMinutes(15));
        venue(
                "btse",
                limit("market v1", 50, seconds(2)).under("/public-api/market").beyond(btse),
                limit("futures v2.3", 15, SECOND).under("/futures/api").beyond(btse));
        venue("woox", limit("each address", 10, SECOND).eachPath());
        venue(
                "delta",
                limit("weight", 10_000, FIVE_MINUTES)
                        .cost(request -> 3)
                        .beyond(OverLimitPolicy.status(429).wait("X-RATE-LIMIT-RESET", WaitIn.MILLISECONDS)));
        venue("hitbtc", limit("requests", 30, SECOND));
        venue("variational", limit("requests", 10, seconds(10)));
        venue(
                "backpack",
                limit("requests", 2_000, MINUTE),
                limit("historical", 30, MINUTE).under("/api/v1/fundingRates"));
        venue(
                "deepcoin",
                limit("each address, a second", 10, SECOND).eachPath(),
                limit("each address, a minute", 600, MINUTE).eachPath(),
                limit("rates and their history, by older pages", 1, SECOND)
                        .under("/deepcoin/trade/fund-rate/")
                        .certainty(CAUTIOUS));
        venue(
                "whitebit",
                limit("requests", 2_000, seconds(10))
                        .beyond(OverLimitPolicy.status(429).body("Too Many Requests")));
        venue("poloniex", limit("requests", 300, SECOND));
        venue(
                "gemini",
                limit("requests", 120, MINUTE)
                        .beyond(OverLimitPolicy.status(429).body("{\"result\":\"error\",\"reason\":\"RateLimit\"}")));
        venue(
                "pionex",
                limit("weight", 10, SECOND)
                        .cost(request -> 5)
                        .beyond(OverLimitPolicy.status(429).lockout(MINUTE).longer(seconds(10))));
        venue(
                "hyperliquid",
                limit("weight", 1_200, MINUTE)
                        .cost(request -> 20)
                        .costOfResponse((request, body) -> "fundingHistory".equals(request.posted("type"))
                                ? occurrences(body, "\"time\"") / 20
                                : 0));
        venue("dydx", limit("requests", 100, seconds(10)));
        venue("paradex", limit("requests", 1_500, MINUTE));
        venue("apex", limit("requests", 600, MINUTE));
        // Measured 2026-09-16: a front server refuses with an empty 429 after about 40 requests a minute of any
        // weight.
        venue(
                "aster",
                limit("requests", 40, MINUTE)
                        .certainty(CAUTIOUS)
                        .beyond(OverLimitPolicy.status(429).body("")),
                limit("fundingRate", 40, MINUTE)
                        .at("/fapi/v1/fundingRate")
                        .beyond(OverLimitPolicy.status(429).body("")),
                limit("weight", 2_400, MINUTE)
                        .cost(PublishedLimits::asterWeight)
                        .usageHeader("x-mbx-used-weight-1m")
                        .beyond(OverLimitPolicy.status(429).ban(20, 418, Duration.ofMinutes(2))));
        LimitPool lighter = limit("requests", 60, MINUTE)
                .beyond(OverLimitPolicy.status(405)
                        .body(FIREWALL)
                        .lockout(MINUTE)
                        .longer(seconds(10)));
        venue("lighter", lighter);
        // Each host counts for itself. This one refused a few consecutive requests with code 23000.
        venue(
                "lighter_rh",
                lighter,
                limit("consecutive requests", 1, SECOND).certainty(CAUTIOUS).beyond(OverLimitPolicy.inBand()));
        venue("edgex", LimitPool.unknown());
        venue("extended", limit("requests", 1_000, MINUTE));
        // A header names 1500, no page its window: taken for a minute.
        venue("grvt", limit("requests", 1_500, MINUTE).certainty(CAUTIOUS));
        venue("hibachi", LimitPool.unknown());
        venue("orderly", limit("each address", 10, SECOND).eachPath());
        venue(
                "pacifica",
                limit("tenths of credits", 1_000, MINUTE)
                        .cost(request -> request.path().endsWith("/funding_rate/history") ? 90 : 10)
                        .usageHeader("ratelimit-used"));
        // Nothing is published for clients without a key; a key has one request a second.
        venue(
                "ondo",
                limit("requests", 1, SECOND)
                        .certainty(CAUTIOUS)
                        .beyond(OverLimitPolicy.status(429)
                                .body("{\"success\":false,\"error\":\"too many requests\","
                                        + "\"error_code\":\"too_many_requests\"}")));
        venue("standx", limit("requests", 50, SECOND));
        // The archive states the gateway's values for itself: taken for one pool.
        venue(
                "nado",
                limit("weight a minute", 2_400, MINUTE).cost(PublishedLimits::nadoWeight),
                limit("weight in 10 seconds", 400, seconds(10)).cost(PublishedLimits::nadoWeight));
        // "A few requests a second": five.
        venue("derive", limit("requests", 5, SECOND).certainty(CAUTIOUS).beyond(OverLimitPolicy.inBand()));
        // another instance of an exchange has its limits, unless its own are known
        ListedVenue.ALL.stream()
                .filter(venue -> !venue.wireId().equals(venue.id()))
                .forEach(venue -> ALL.putIfAbsent(venue.id(), of(venue.wireId())));
    }

    private PublishedLimits() {}

    /** The venues of the table. */
    public static Set<String> venues() {
        return Set.copyOf(ALL.keySet());
    }

    /** The pools of an exchange; one without a limit where none is known. */
    public static List<LimitPool> of(String venue) {
        return ALL.getOrDefault(venue, List.of(LimitPool.unknown()));
    }

    private static void venue(String venue, LimitPool... pools) {
        ALL.put(venue, List.of(pools));
    }

    private static LimitPool limit(String name, long units, Duration window) {
        return LimitPool.of(name, units, window);
    }

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    private static long binanceWeight(SimulatedRequest request) {
        return switch (request.path()) {
            case "/fapi/v1/premiumIndex", "/dapi/v1/premiumIndex" ->
                request.query().containsKey("symbol") ? 1 : 10;
            case "/fapi/v1/fundingInfo" -> 0;
            default -> 1;
        };
    }

    private static long asterWeight(SimulatedRequest request) {
        return switch (request.path()) {
            case "/fapi/v1/premiumIndex", "/fapi/v1/fundingInfo" -> 10;
            case "/fapi/v1/fundingRate" -> 0;
            default -> 1;
        };
    }

    private static long weexWeight(SimulatedRequest request) {
        return switch (request.path()) {
            case "/capi/v3/market/ticker/24hr" -> 40;
            case "/capi/v3/market/fundingRate" -> 5;
            default -> 1;
        };
    }

    /** Symbols 2; settled rates 2 and one for each 100 of the limit; the contracts, of which nothing is published, as those. */
    private static long nadoWeight(SimulatedRequest request) {
        return switch (request.path()) {
            case "/gateway/v1/query" -> 2;
            case "/archive/v1" -> 2 + Math.ceilDiv(request.postedNumber("limit", 100), 100);
            default -> 12;
        };
    }

    private static String firstSegment(SimulatedRequest request) {
        return request.path().split("/", 3)[1];
    }

    private static long occurrences(String body, String part) {
        long count = 0;
        for (int at = body.indexOf(part); at >= 0; at = body.indexOf(part, at + part.length())) {
            count++;
        }
        return count;
    }
}
