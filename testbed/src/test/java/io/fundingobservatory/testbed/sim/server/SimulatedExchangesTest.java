package io.fundingobservatory.testbed.sim.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.limits.PoolUse;
import io.fundingobservatory.testbed.sim.venues.Wires;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SimulatedExchangesTest {
    private static final String VENUE = "binance";
    private static final String URL = "https://fapi.binance.com/fapi/v1/premiumIndex";
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-20T10:37:42Z"));

    private static SimulatedExchanges exchanges;
    private static HttpClient client;

    @BeforeAll
    static void start() {
        exchanges = SimulatedExchanges.start(0, 1, CLOCK);
        client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    @AfterAll
    static void stop() {
        client.close();
        exchanges.close();
    }

    @AfterEach
    void heal() {
        exchanges.heal(VENUE);
    }

    @Test
    void respondsAsRealHostWould() throws Exception {
        HttpResponse<String> response = get(URL);
        assertEquals(200, response.statusCode());
        assertTrue(response.headers().firstValue("Content-Type").orElseThrow().startsWith("application/json"));
        assertTrue(response.body().startsWith("[{\"symbol\":\"BTCUSDT\",\"markPrice\":\""), response.body());
        assertTrue(response.body().endsWith("}]"), response.body());
        assertEquals(404, get("https://fapi.binance.com/fapi/v1/unheardOf").statusCode());
        assertEquals(404, get("https://other.example/fapi/v1/premiumIndex").statusCode());
    }

    @Test
    void nadoRejectsRequestWithoutCompression() throws Exception {
        URI symbols = exchanges.locate("nado", "https://api.prod.nado.xyz/gateway/v1/query?type=symbols");
        HttpResponse<String> refused = send(symbols, BodyHandlers.ofString());
        assertEquals(403, refused.statusCode());
        assertTrue(refused.body().contains("\"block\":true"), refused.body());
        for (var status : Map.of("identity", 403, "gzip", 200).entrySet()) {
            assertEquals(
                    status.getValue(),
                    send(symbols, BodyHandlers.discarding(), "Accept-Encoding", status.getKey())
                            .statusCode());
        }
    }

    @Test
    void compressesForThoseWhoAccept() throws Exception {
        HttpResponse<byte[]> response =
                send(exchanges.locate(VENUE, URL), BodyHandlers.ofByteArray(), "Accept-Encoding", "gzip");
        assertEquals("gzip", response.headers().firstValue("Content-Encoding").orElseThrow());
        assertEquals(get(URL).body(), new String(inflated(response.body(), Integer.MAX_VALUE), StandardCharsets.UTF_8));
    }

    @Test
    void faultyVenueReturnsPageUntilHealed() throws Exception {
        long before = exchanges.requests(VENUE);
        exchanges.fault(VENUE, Fault.HTML_INSTEAD_OF_JSON);
        HttpResponse<String> response = get(URL);
        assertEquals(200, response.statusCode());
        assertEquals("text/html", response.headers().firstValue("Content-Type").orElseThrow());
        assertTrue(response.body().startsWith("<"), response.body());
        exchanges.heal(VENUE);
        assertTrue(get(URL).body().startsWith("["));
        assertEquals(before + 2, exchanges.requests(VENUE), "faulty ones count");
    }

    @Test
    void noResponse() throws Exception {
        exchanges.fault(VENUE, Fault.NO_RESPONSE);
        var request = HttpRequest.newBuilder(exchanges.locate(VENUE, URL))
                .timeout(Duration.ofMillis(300))
                .build();
        assertThrows(HttpTimeoutException.class, () -> client.send(request, BodyHandlers.ofString()));
        assertEquals(
                200,
                send("bybit", "https://api.bybit.com/v5/market/tickers?category=linear")
                        .statusCode(),
                "other exchanges are not touched");
    }

    @Test
    void lenientVenuesOnlyCountUseOfLimits() throws Exception {
        try (var lenient = SimulatedExchanges.start(0, 1, CLOCK)) {
            URI markets = lenient.locate("dydx", "https://indexer.dydx.trade/v4/perpetualMarkets");
            for (int i = 0; i < 105; i++) {
                assertEquals(200, send(markets, BodyHandlers.discarding()).statusCode());
            }
            PoolUse use = lenient.use("dydx").getFirst();
            assertEquals(100, use.requests());
            assertEquals(5, use.refused(), "beyond 100 in 10 s");
            assertEquals(1.0, use.highestPart());
        }
    }

    @Test
    void strictVenuesRejectDelayedListingsAndLackHistory() throws Exception {
        try (var strict = SimulatedExchanges.start(0, 1, CLOCK, Wires.all(), Realism.STRICT)) {
            String active = "https://fapi.binance.com/fapi/v1/premiumIndex";
            long begun = System.nanoTime();
            assertEquals(
                    200,
                    send(strict.locate("binance", active), BodyHandlers.discarding())
                            .statusCode());
            assertTrue(System.nanoTime() - begun >= Duration.ofMillis(40).toNanos(), "50 ms and more, less a fifth");

            SimulatedExchange binance = new SimulatedExchange(wire("binance"), strict.market(), Realism.STRICT);
            SimulatedRequest call =
                    new SimulatedRequest("GET", "fapi.binance.com", "/fapi/v1/premiumIndex", Map.of(), "");
            long now = CLOCK.millis();
            for (int i = 0; i < 240; i++) { // of weight 10
                assertEquals(200, binance.respond(call, now).status());
            }
            SimulatedResponse refused = binance.respond(call, now + 20_000);
            assertEquals(429, refused.status());
            assertEquals("40", refused.headers().get("Retry-After"));

            SimulatedExchange bybit = new SimulatedExchange(wire("bybit"), strict.market(), Realism.STRICT);
            long known = 0;
            long unknown = 0;
            for (SimulatedContract contract : bybit.moment(now).where(SimulatedContract::isLive)) {
                var query = Map.of("category", "linear", "symbol", bybit.wire().symbol(contract));
                SimulatedResponse history = bybit.respond(
                        new SimulatedRequest("GET", "api.bybit.com", "/v5/market/funding/history", query, ""),
                        now + (known + unknown) * 100);
                if (history.body().contains("\"retCode\":0")) {
                    known++;
                } else {
                    unknown++;
                    assertEquals(bybit.wire().errorBody(), history.body());
                    assertEquals(200, history.status());
                }
            }
            assertTrue(unknown >= 3 && unknown < known / 10, unknown + " refused of " + (known + unknown));
        }
    }

    @Test
    void delaysSpreadAsDistancesDo() {
        SimulatedRequest call = new SimulatedRequest("GET", "host", "/path", Map.of(), "");
        var distances = new TreeSet<Long>();
        for (Wire wire : Wires.all()) {
            long sum = 0;
            for (int n = 0; n < 400; n++) {
                long ms = Delays.ofMs(wire.venue(), call, n);
                assertTrue(ms >= 40 && ms < 3_600, wire.venue() + " " + ms);
                sum += ms;
            }
            distances.add(sum / 400);
        }
        assertTrue(distances.first() < 120 && distances.last() > 320, distances::toString);
    }

    @Test
    void requiresUserAgentWhereRealVenueDoes() throws Exception {
        assertEquals(403, statusWithoutUserAgent("extended", "/api.starknet.extended.exchange/api/v1/info/markets"));
        assertEquals(200, statusWithoutUserAgent("binance", "/fapi.binance.com/fapi/v1/premiumIndex"));
    }

    private static int statusWithoutUserAgent(String venue, String path) throws IOException {
        URI base = URI.create(exchanges.baseUrl());
        try (var socket = new Socket(base.getHost(), base.getPort())) {
            String request = "GET /" + venue + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
            return Integer.parseInt(new String(status, StandardCharsets.US_ASCII).substring("HTTP/1.1 ".length()));
        }
    }

    private static Wire wire(String venue) {
        return Wires.all().stream()
                .filter(wire -> wire.venue().equals(venue))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anUnknownExchangeIsABug() throws Exception {
        assertThrows(IllegalArgumentException.class, () -> exchanges.fault("nobody", Fault.NO_RESPONSE));
        HttpResponse<String> response = send("nobody", URL);
        assertEquals(404, response.statusCode());
        assertFalse(response.body().isEmpty());
    }

    private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return send(VENUE, url);
    }

    private static HttpResponse<String> send(String venue, String url) throws IOException, InterruptedException {
        return send(exchanges.locate(venue, url), BodyHandlers.ofString());
    }

    private static <B> HttpResponse<B> send(URI uri, HttpResponse.BodyHandler<B> body, String... headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(uri);
        return client.send(
                headers.length == 0 ? request.build() : request.headers(headers).build(), body);
    }

    private static byte[] inflated(byte[] packed, long most) throws IOException {
        try (var inflated = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return inflated.readNBytes((int) most);
        }
    }
}
