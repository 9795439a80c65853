package io.fundingobservatory.ingest.client;

import static io.fundingobservatory.ingest.client.MisbehavingServer.head;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.FetchResult.Banned;
import io.fundingobservatory.ingest.client.FetchResult.Failed;
import io.fundingobservatory.ingest.client.FetchResult.Received;
import io.fundingobservatory.ingest.client.FetchResult.Throttled;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.TestVenue;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.testbed.ClosedPort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever an exchange does, the outcome is a value with its reason, in time, and bounded in memory. */
class VenueHttpClientTest {
    private static final Instant NOW = Instant.parse("2026-09-21T13:33:20Z");
    /** For what comes by itself: no stall of the machine is as long. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    /** For what never comes. */
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final Venue venue = new TestVenue(TestVenue.sheet()
            .limit(TestVenue.HOST, 100, 1)
            .request(Request.get("rates", "https://api.example.com/v1/rates?all=1"))
            .build());
    private MisbehavingServer server;
    private VenueHttpClient exchanges;

    @BeforeEach
    void start() throws IOException {
        server = new MisbehavingServer();
        exchanges = client(server.base(), PATIENCE);
    }

    @AfterEach
    void stop() throws IOException {
        exchanges.close();
        server.close();
    }

    private static VenueHttpClient client(String base, Duration deadline) {
        return VenueHttpClient.inPlaceOfThem(UnmanagedHttp.within(PATIENCE, deadline), base, InstantSource.fixed(NOW));
    }

    private FetchResult fetch() throws InterruptedException {
        return fetch(exchanges);
    }

    private FetchResult fetch(VenueHttpClient exchanges) throws InterruptedException {
        return exchanges.fetch(venue, VenueRequest.of(venue.spec().requests().getFirst(), "", ""));
    }

    private String failure() throws InterruptedException {
        return failure(exchanges);
    }

    private String failure(VenueHttpClient exchanges) throws InterruptedException {
        return switch (fetch(exchanges)) {
            case Failed(String reason, boolean retryable) -> reason;
            case FetchResult.Unreadable(String reason) -> reason;
            case FetchResult.NoResponse(String reason) -> reason;
            case FetchResult other -> throw new AssertionError(other);
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endedRequestIsNotFailure(boolean isClosed) throws Exception {
        server.response(out -> new CountDownLatch(1).await());
        var outcome = new CompletableFuture<Object>();
        Thread fetching = Thread.ofVirtual().start(() -> {
            try {
                outcome.complete(fetch());
            } catch (InterruptedException e) {
                outcome.complete(e);
            }
        });
        assertTrue(server.isRequestedWithin(PATIENCE));
        if (isClosed) {
            exchanges.close();
        } else {
            fetching.interrupt();
        }
        assertInstanceOf(InterruptedException.class, outcome.get(PATIENCE.toSeconds() / 2, TimeUnit.SECONDS));
    }

    @Test
    void requestAfterCloseIsNotFailure() {
        exchanges.close();
        assertThrows(InterruptedException.class, this::fetch);
    }

    @Test
    void readsWholeResponseWithItsInstant() throws Exception {
        server.response("200 OK\r\nContent-Type: application/json", "[{\"a\":1.50}]");

        var received = assertInstanceOf(Received.class, fetch());

        assertEquals("1.50", received.body().at(0).text("a"));
        assertEquals(NOW.toEpochMilli(), received.readAtMs());
        String head = server.requested().getFirst();
        assertTrue(head.startsWith("GET /gate/api.example.com/v1/rates?all=1 HTTP/1.1"), head);
        assertTrue(head.toLowerCase().contains("accept-encoding: gzip"), head);
        assertTrue(head.toLowerCase().contains("user-agent: funding-observatory/"), head);
    }

    @Test
    void inflatesCompressedResponse() throws Exception {
        server.response("200 OK\r\nContent-Encoding: gzip", gzip("{\"a\":2}".getBytes(StandardCharsets.UTF_8)));
        assertEquals("2", assertInstanceOf(Received.class, fetch()).body().text("a"));
    }

    @Test
    void aPostSendsItsBody() throws Exception {
        server.response("200 OK", "{}");
        Request post = Request.post("info", "https://api.example.com/info", "{\"type\":\"x\"}");
        assertInstanceOf(Received.class, exchanges.fetch(venue, VenueRequest.of(post, "", "")));
        String requested = server.requested().getFirst();
        assertTrue(requested.startsWith("POST /gate/api.example.com/info HTTP/1.1"), requested);
        assertTrue(requested.endsWith("\r\n\r\n{\"type\":\"x\"}"), requested);
    }

    /** Head and body of a response: its outcome, its reason, and the seconds that are waited for. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
            200 OK + Content-Type: text/html; charset=utf-8 | [{"a":1}]       | Received
            200 OK + Content-Type: text/plain               | [{"a":1}]       | Received
            200 OK + Content-Type: application/octet-stream | [{"a":1}]       | Received
            200 OK + Content-Type: x                        | [{"a":1}]       | Received
            429 Too Many Requests + Retry-After: 17         | {}              | Throttled HTTP 429, 17
            429 Too Many Requests + Retry-After: Mon, 21 Sep 2026 13:34:20 GMT | {} | Throttled HTTP 429, 60
            429 Too Many Requests                           | {}              | Throttled HTTP 429
            200 OK                                          | {"code":-1003}  | Throttled refused: code -1003
            200 OK                                          | {"code":-1121}  | Failed refused: code -1121
            400 Bad Request                                 | {"code":-1003}  | Throttled HTTP 400 refused: code -1003
            400 Bad Request                                 | {"code":-1121}  | Failed HTTP 400 refused: code -1121
            418 Teapot + Retry-After: 300                   | {}              | Banned HTTP 418, 300
            403 Forbidden + Content-Type: text/html         | <html>          | Banned HTTP 403
            451 Unavailable For Legal Reasons               | ''              | Banned HTTP 451
            520 ?                                           | {}              | Failed HTTP 520
            302 Found + Location: http://169.254.169.254/x  | ''              | Failed HTTP 302, a redirect, which is not followed
            200 OK + Content-Type: text/html; charset=utf-8 | <!doctype html> | Unreadable HTML instead of JSON
            200 OK + Content-Type: application/json         | ' <html>'       | Unreadable response is not JSON
            200 OK                                          | ''              | Unreadable empty response
            200 OK                                          | [{"a":1},{"b"   | Unreadable unreadable response: Unexpected end-of-input
            200 OK                                          | [1] [2]         | Unreadable unreadable response: more than one document
            200 OK + Content-Encoding: br                   | []              | Unreadable response in an encoding that was not requested
            """)
    void judgesResponseByStatusHeadersAndBody(String head, String body, String expected) throws Exception {
        server.response(head.replace(" + ", "\r\n"), body);
        FetchResult result = fetch();
        Duration wait = switch (result) {
            case Throttled throttled -> throttled.retryAfter();
            case Banned banned -> banned.retryAfter();
            default -> null;
        };
        String outcome = (result.getClass().getSimpleName() + ' ' + result.reason()).strip()
                + (wait == null ? "" : ", " + wait.toSeconds());
        assertEquals(expected, outcome.replaceFirst("(Unexpected end-of-input).*", "$1"));
        assertEquals(1, server.requested().size());
    }

    @Test
    void truncatedBodyFails() throws Exception {
        server.response(out -> {
            head(out, "200 OK\r\nContent-Length: 100");
            out.write("[1]".getBytes(StandardCharsets.US_ASCII));
        });
        assertTrue(failure().startsWith("no response from 127.0.0.1"), this::lastReason);
    }

    private String lastReason() {
        try {
            return fetch().toString();
        } catch (InterruptedException e) {
            return "interrupted";
        }
    }

    @Test
    void slowBodyEndsAtDeadline() throws Exception {
        server.response(out -> {
            head(out, "200 OK\r\nContent-Type: application/json");
            while (true) {
                out.write(' ');
                out.flush();
                TimeUnit.MILLISECONDS.sleep(100); // the exchange that is simulated
            }
        });
        assertEquals("no whole response within 2 s", hastyFailure());
        assertTrue(server.isBrokenOffWithin(PATIENCE), "the connection is given up");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n["})
    void stalledResponseEndsAtTheDeadline(String begun) throws Exception {
        server.response(out -> {
            out.write(begun.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            new CountDownLatch(1).await();
        });
        assertEquals("no whole response within 2 s", hastyFailure());
    }

    private String hastyFailure() throws InterruptedException {
        try (var hasty = client(server.base(), DEADLINE)) {
            return failure(hasty);
        }
    }

    @Test
    void anEndlessBodyIsCutAtItsLimit() throws Exception {
        server.response(out -> {
            head(out, "200 OK\r\nContent-Type: application/json");
            byte[] chunk = new byte[64 * 1024];
            java.util.Arrays.fill(chunk, (byte) ' ');
            while (true) {
                out.write(chunk);
            }
        });
        try (var exchanges = client(server.base(), PATIENCE)) {
            assertEquals("response larger than 4 MB", failure(exchanges));
        }
        assertTrue(server.isBrokenOffWithin(PATIENCE), "the connection is given up");
    }

    @Test
    void aBombIsDefused() throws Exception {
        byte[] spaces = new byte[30 * 1024 * 1024];
        java.util.Arrays.fill(spaces, (byte) ' ');
        byte[] bomb = gzip(spaces);
        assertTrue(bomb.length < 40_000, "a small bomb");
        server.response("200 OK\r\nContent-Encoding: gzip", bomb);
        assertTrue(failure().startsWith("unreadable response: inflates to more than"));
    }

    @Test
    void requestsOnlyTheVenuesOwnHosts() throws Exception {
        Request elsewhere = Request.get("x", "https://evil.example.org/");
        var failed = assertInstanceOf(Failed.class, exchanges.fetch(venue, VenueRequest.of(elsewhere, "", "")));
        assertFalse(failed.retryable());
        assertTrue(server.requested().isEmpty());
        Request plain = Request.get("x", "http://api.example.com/v1/rates");
        assertInstanceOf(Failed.class, exchanges.fetch(venue, VenueRequest.of(plain, "", "")));
    }

    @Test
    void refusedConnectionIsAReason() throws Exception {
        try (var closed = new ClosedPort();
                var exchanges = client("http://" + closed.address(), PATIENCE)) {
            assertEquals("no connection to 127.0.0.1", failure(exchanges));
        }
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        }
        return out.toByteArray();
    }
}
