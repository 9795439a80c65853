package io.fundingobservatory.testbed.sim.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.ListedVenue;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits by pool, as the exchanges publish them; the values are those of their documents. */
class LimitMeterTest {
    private static final long NOW = 1_790_000_000_000L;

    @Test
    void everyExchangeIsInTheTable() {
        Set<String> simulated = new HashSet<>();
        Wires.all().forEach(wire -> simulated.add(wire.venue()));
        assertEquals(simulated, PublishedLimits.venues());
        assertEquals(ListedVenue.ALL.stream().map(ListedVenue::id).collect(Collectors.toSet()), simulated);
    }

    /**
     * Of a venue and address: how many requests pass at once, the status of the next one, and statuses at instants in ms after
     * those. The status 0 is a request that passes. Each request prolongs the ban of Lighter's firewall.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            bybit    | api.bybit.com /v5/market/tickers            | 600 | 403 | 599000 403, 600001 0
            mexc     | api.mexc.com /api/v1/contract/detail        |  10 | 200 | 2001 0
            backpack | api.backpack.exchange /api/v1/fundingRates  |  30 | 429 | 59999 429, 60001 0
            lighter  | mainnet.zklighter.elliot.ai /api/v1/fundings | 60 | 405 | 59000 405, 69000 405, 80001 0
            """)
    void refusesTheNextAndEndsByItself(String venue, String address, int pass, int refused, String later) {
        var meter = new LimitMeter(venue);
        String[] hostAndPath = address.split(" ");
        SimulatedRequest request = get(hostAndPath[0], hostAndPath[1]);
        for (int i = 0; i < pass; i++) {
            assertNull(meter.admit(request, NOW));
        }
        assertEquals(refused, meter.admit(request, NOW).status());
        for (String one : later.split(", ")) {
            String[] instantAndStatus = one.split(" ");
            OverLimitResponse response = meter.admit(request, NOW + Long.parseLong(instantAndStatus[0]));
            assertEquals(
                    Integer.parseInt(instantAndStatus[1]), response == null ? 0 : response.status(), () -> "at " + one);
        }
    }

    @Test
    void binanceCountsFundingRateBesideTheWeight() {
        var meter = new LimitMeter("binance");
        SimulatedRequest history = get("fapi.binance.com", "/fapi/v1/fundingRate", Map.of("symbol", "BTCUSDT"));
        for (int i = 0; i < 499; i++) {
            assertNull(meter.admit(history, NOW + i * 300), "request " + i);
        }
        assertNull(meter.admit(get("fapi.binance.com", "/fapi/v1/fundingInfo"), NOW + 150_000), "one more of the pool");
        OverLimitResponse refused = meter.admit(history, NOW + 151_000);
        assertNotNull(refused, "the 501st in 5 minutes");
        assertEquals(429, refused.status());
        assertEquals("149", refused.headers().get("Retry-After"));
        SimulatedRequest rates = get("fapi.binance.com", "/fapi/v1/premiumIndex");
        assertNull(meter.admit(rates, NOW + 151_000), "the weight has room");
        assertNull(meter.admit(history, NOW + 300_001), "five minutes after the first");
        PoolUse funding = use(meter, "fundingRate and fundingInfo");
        assertEquals(501, funding.requests());
        assertEquals(1, funding.refused());
        assertEquals(1.0, funding.highestPart());
    }

    @Test
    void bansClientThatContinuesAfter429() {
        var meter = new LimitMeter("binance");
        SimulatedRequest history = get("fapi.binance.com", "/fapi/v1/fundingRate");
        for (int i = 0; i < 500; i++) {
            assertNull(meter.admit(history, NOW));
        }
        for (int i = 0; i < 20; i++) {
            assertEquals(429, meter.admit(history, NOW + i).status());
        }
        OverLimitResponse banned = meter.admit(get("dapi.binance.com", "/dapi/v1/premiumIndex"), NOW + 1_000);
        assertNotNull(banned, "the whole exchange is shut");
        assertEquals(418, banned.status());
        assertNull(meter.admit(get("dapi.binance.com", "/dapi/v1/premiumIndex"), NOW + 121_000));
    }

    @Test
    void reportsUsedWeight() {
        var meter = new LimitMeter("binance");
        SimulatedRequest rates = get("fapi.binance.com", "/fapi/v1/premiumIndex");
        assertNull(meter.admit(rates, NOW));
        assertNull(meter.admit(rates, NOW + 30_000));
        assertEquals(Map.of("x-mbx-used-weight-1m", "20"), meter.usage(rates, NOW + 30_000));
        assertEquals(Map.of("x-mbx-used-weight-1m", "10"), meter.usage(rates, NOW + 60_000));
    }

    @Test
    void okxCountsEachInstrumentApart() {
        var meter = new LimitMeter("okx");
        for (int i = 0; i < 200; i++) {
            SimulatedRequest one =
                    get("www.okx.com", "/api/v5/public/funding-rate-history", Map.of("instId", "COIN" + i % 20));
            assertNull(meter.admit(one, NOW), "ten of each of twenty");
        }
        SimulatedRequest eleventh =
                get("www.okx.com", "/api/v5/public/funding-rate-history", Map.of("instId", "COIN3"));
        assertEquals(429, meter.admit(eleventh, NOW + 1_999).status());
        assertNull(meter.admit(eleventh, NOW + 2_000));
    }

    @Test
    void hyperliquidCountsRowsOfResponse() {
        var meter = new LimitMeter("hyperliquid");
        SimulatedRequest history =
                new SimulatedRequest("POST", "api.hyperliquid.xyz", "/info", Map.of(), "{\"type\":\"fundingHistory\"}");
        assertNull(meter.admit(history, NOW));
        meter.responded(history, "{\"time\":1}".repeat(500), NOW);
        assertEquals(45, use(meter, "weight").units());
        SimulatedRequest rates = new SimulatedRequest(
                "POST", "api.hyperliquid.xyz", "/info", Map.of(), "{\"type\":\"metaAndAssetCtxs\"}");
        for (int i = 0; i < 57; i++) {
            assertNull(meter.admit(rates, NOW), "request " + i);
        }
        assertEquals(429, meter.admit(rates, NOW).status(), "45 and 57 times 20 leave less than 20 of 1200");
    }

    @Test
    void btseNamesInstantAndBansLongerEachTime() {
        var meter = new LimitMeter("btse");
        SimulatedRequest request = get("api.btse.com", "/futures/api/v2.3/price");
        for (int i = 0; i < 15; i++) {
            assertNull(meter.admit(request, NOW));
        }
        assertEquals(
                Long.toString(NOW / 1_000 + 1),
                meter.admit(request, NOW).headers().get("Retry-After"));
        for (int i = 0; i < 15; i++) {
            assertNull(meter.admit(request, NOW + 1_000));
        }
        assertEquals(429, meter.admit(request, NOW + 1_000).status());
        assertEquals(429, meter.admit(request, NOW + 300_000).status(), "five minutes the second time");
        assertNull(meter.admit(request, NOW + 301_000));
    }

    private static PoolUse use(LimitMeter meter, String pool) {
        return meter.use().stream()
                .filter(use -> use.pool().name().equals(pool))
                .findFirst()
                .orElseThrow();
    }

    private static SimulatedRequest get(String host, String path) {
        return get(host, path, Map.of());
    }

    private static SimulatedRequest get(String host, String path, Map<String, String> query) {
        return new SimulatedRequest("GET", host, path, query, "");
    }
}
