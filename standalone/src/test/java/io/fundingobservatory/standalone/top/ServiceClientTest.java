package io.fundingobservatory.standalone.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.standalone.top.AuthoredService.Response;
import io.fundingobservatory.testbed.ClosedPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a service says about when to come back is kept to, on a clock of the test's own. */
class ServiceClientTest {
    private static final String VENUES = "/api/v1/venues";
    private static final String PAIRS = "/api/v1/carry";

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L); // wraps within the test
    private AuthoredService service;
    private ServiceClient client;

    @BeforeEach
    void start() throws IOException {
        service = AuthoredService.whole();
        client = new ServiceClient(service.base(), Duration.ofSeconds(5), now::get);
    }

    @AfterEach
    void stop() {
        client.close();
        service.close();
    }

    private void pass(int seconds) {
        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    @Test
    void revalidatesStaleResponseWithTag() throws Exception {
        service.respond(
                VENUES,
                Response.ok(AuthoredService.VENUES)
                        .with("ETag", "\"one\"")
                        .with("Cache-Control", "public, max-age=30"));
        assertEquals(3, client.read(VENUES).body().list("rows").size());
        pass(29);
        client.read(VENUES);
        assertEquals(List.of(VENUES), service.requests(), "fresh for 30 s");
        pass(1);
        ServiceResponse unchanged = client.read(VENUES);
        assertEquals(List.of(VENUES, VENUES + " \"one\""), service.requests());
        assertEquals(3, unchanged.body().list("rows").size());
        assertNull(unchanged.problem());
        pass(29);
        client.read(VENUES);
        assertEquals(2, service.requests().size(), "304 makes it fresh again");
    }

    @Test
    void timeInCachesOnTheWayCounts() throws Exception {
        service.respond(
                VENUES,
                Response.ok(AuthoredService.VENUES)
                        .with("Cache-Control", "max-age=30")
                        .with("Age", "20"));
        client.read(VENUES);
        pass(10);
        client.read(VENUES);
        assertEquals(2, service.requests().size());
    }

    @Test
    void shortestIntervalHoldsWithoutMaxAge() throws Exception {
        client.read(VENUES);
        pass(4);
        client.read(VENUES);
        assertEquals(1, service.requests().size());
        pass(1);
        client.read(VENUES);
        assertEquals(2, service.requests().size());
    }

    @Test
    void sendsNothingUntilRetryAfterEnds() throws Exception {
        client.read(VENUES);
        pass(5);
        service.respond(
                VENUES,
                new Response(429, Map.of("Retry-After", "60"), "{\"status\":\"refused\",\"reason\":\"too much\"}"));
        ServiceResponse refused = client.read(VENUES);
        assertEquals("429 refused: too much; next request in 60 s", refused.problem());
        assertEquals(3, refused.body().list("rows").size(), "the response before it remains");
        pass(59);
        assertNotNull(client.read(VENUES).problem());
        assertNotNull(client.read(PAIRS).problem());
        assertEquals(List.of(VENUES, VENUES), service.requests());
        service.respond(VENUES, Response.ok(AuthoredService.VENUES));
        pass(1);
        assertNull(client.read(VENUES).problem());
        assertNull(client.read(PAIRS).problem());
    }

    @Test
    void startingServiceDelaysOnlyItsOwnEndpoint() throws Exception {
        service.respond(
                PAIRS,
                new Response(
                        503, Map.of("Retry-After", "7"), "{\"status\":\"starting\",\"reason\":\"no pair table yet\"}"));
        assertEquals(
                "503 starting: no pair table yet; next request in 7 s",
                client.read(PAIRS).problem());
        assertNull(client.read(VENUES).problem());
        pass(6);
        client.read(PAIRS);
        assertEquals(List.of(PAIRS, VENUES), service.requests());
        pass(1);
        client.read(PAIRS);
        assertEquals(List.of(PAIRS, VENUES, PAIRS), service.requests());
    }

    @Test
    void readsPackedResponses() throws Exception {
        service.respond(VENUES, Response.ok(AuthoredService.VENUES).with("Content-Encoding", "gzip"));
        assertEquals(3, client.read(VENUES).body().list("rows").size());
    }

    @Test
    void reportsForeignResponseInOneLine() throws Exception {
        service.respond(VENUES, new Response(200, Map.of(), "<html>welcome</html>"));
        service.respond(PAIRS, new Response(200, Map.of(), "{\"hello\":\"world\"}"));
        service.respond("/api/v1/latest", new Response(502, Map.of(), "<html>bad gateway</html>"));
        assertTrue(client.read(VENUES).problem().startsWith("the response is not of this service: "));
        assertEquals(
                "the response is not of this service: no meta and rows in it",
                client.read(PAIRS).problem());
        assertEquals("502; next request in 10 s", client.read("/api/v1/latest").problem());
    }

    @Test
    void reportsClosedPortInOneLine() throws Exception {
        try (var closed = new ClosedPort();
                var nowhere =
                        new ServiceClient(URI.create("http://" + closed.address()), Duration.ofSeconds(5), now::get)) {
            assertTrue(nowhere.read(VENUES).problem().startsWith("nothing responds there"));
        }
    }

    @Test
    void givesUpEndlessResponse() throws Exception {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var impatient = new ServiceClient(
                        URI.create("http://127.0.0.1:" + silent.getLocalPort()),
                        Duration.ofSeconds(5),
                        Duration.ofMillis(100),
                        now::get)) {
            var head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"
                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
            // A connection that nothing refers to is closed by the garbage collector, amid the response.
            var accepted = new CompletableFuture<Socket>();
            Thread.ofVirtual().start(() -> {
                try {
                    accepted.complete(silent.accept());
                    accepted.join().getOutputStream().write(head);
                } catch (IOException e) {
                    // the client went away first
                }
            });
            String problem = impatient.read(VENUES).problem();
            assertTrue(problem.startsWith("no "), problem);
            accepted.get(5, TimeUnit.MINUTES).close();
        }
    }
}
