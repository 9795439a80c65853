package io.fundingobservatory.ingest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.venues.Registry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What single exchanges declare of their responses holds for them and for no other. */
class VenueRulesOverHttpTest {
    private static MisbehavingServer server;
    private static VenueHttpClient exchanges;

    @BeforeAll
    static void start() throws IOException {
        server = new MisbehavingServer();
        exchanges = UnmanagedHttp.inPlaceOfThem(
                server.base(), InstantSource.fixed(Instant.parse("2026-09-21T13:33:20Z")), HttpTransport.DEADLINE);
    }

    @AfterAll
    static void stop() throws IOException {
        exchanges.close();
        server.close();
    }

    /** Head and body; whether no request of its kind goes out for a while. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
            429 Too Many Requests + Retry-After: 150           | {}              | true
            418 Teapot                                         | {}              | true
            403 Forbidden + Content-Type: text/html            | <html>          | true
            451 Unavailable For Legal Reasons                  | ''              | true
            520 ? + Content-Type: text/html                    | <html>          | false
            302 Found + Location: http://169.254.169.254/x     | ''              | false
            200 OK + Content-Type: text/html                   | <!doctype html> | false
            200 OK                                             | ''              | false
            200 OK                                             | [{"a":1},{"b"   | false
            """)
    void faultOfNoVenueIsTakenForResponse(String head, String body, boolean pauses) throws Exception {
        for (Venue venue : Registry.all()) {
            String id = venue.spec().id();
            FetchResult result = fetch(id, head.replace(" + ", "\r\n"), body);
            assertEquals(
                    pauses,
                    result instanceof FetchResult.Throttled || result instanceof FetchResult.Banned,
                    () -> id + result);
            assertFalse(result instanceof FetchResult.Received, id);
        }
    }

    /** Lighter's firewall returns 405 to a client that sends requests too often, and requesting on prolongs it. */
    @Test
    void lighters405IsThrottling() throws Exception {
        String head = "405 Method Not Allowed\r\nContent-Type: text/html";
        assertInstanceOf(FetchResult.Throttled.class, fetch("lighter", head, "<html>Not Allowed</html>"));
        assertInstanceOf(FetchResult.Failed.class, fetch("gate", head, "<html>Not Allowed</html>"));
    }

    /** Bitget names its errors with a 400, and one of them is a contract that has not settled yet. */
    @Test
    void bitgetsEmptyHistoryMayComeAs400() throws Exception {
        String head = "400 Bad Request\r\nContent-Type: application/json";
        String empty = "{\"code\":\"40054\",\"msg\":\"The data fetched by BTCUSDT is empty\",\"data\":null}";
        assertInstanceOf(FetchResult.Received.class, fetch("bitget", head, empty));
        assertInstanceOf(FetchResult.Failed.class, fetch("bitget", head, empty.replace("40054", "40034")));
        assertInstanceOf(FetchResult.Failed.class, fetch("bitget", head, empty.replace("40054", "00000")));
        assertInstanceOf(FetchResult.Failed.class, fetch("gate", head, empty));
    }

    /**
     * The length of a ban is in the venue's documentation, in a header of its own, or in both; the longer one
     * counts.
     */
    @ParameterizedTest(name = "{0}: {1} {2}: {3} s")
    @CsvSource({
        "bybit, 403 Forbidden, , 600",
        "bingx, 418 Teapot, , 300",
        "bingx, 429 Too Many Requests, , ",
        "xt, 429 Too Many Requests, , 600",
        "phemex, 429 Too Many Requests, , 300",
        "phemex, 429 Too Many Requests, x-ratelimit-retry-after-CONTRACT: 420, 420",
        "phemex, 429 Too Many Requests, X-RateLimit-Retry-After-OTHER: 20, 300",
        "delta, 429 Too Many Requests, X-RATE-LIMIT-RESET: 90000, 90",
        "delta, 429 Too Many Requests, X-RATE-LIMIT-RESET: 999999999, 86400",
        "btse, 429 Too Many Requests, Retry-After: 1789997900, 300",
        "gate, 429 Too Many Requests, X-RETRY-AFTER: 45, ",
        "gate, 403 Forbidden, , ",
    })
    void requestsNothingWithinPublishedBan(String id, String status, String header, Long seconds) throws Exception {
        String head = status + (header == null ? "" : "\r\n" + header);
        Duration wait = switch (fetch(id, head, "{}")) {
            case FetchResult.Throttled throttled -> throttled.retryAfter();
            case FetchResult.Banned banned -> banned.retryAfter();
            case FetchResult other -> throw new AssertionError(other);
        };
        assertEquals(seconds == null ? null : Duration.ofSeconds(seconds), wait);
    }

    /** Paradex' list of markets was 4 MB in September 2026, and a proxy may send it without gzip. */
    @Test
    void paradexsMarketsMayBeLarge() throws Exception {
        String market =
                "{\"symbol\":\"BTC-31DEC26-80000-C\",\"asset_kind\":\"OPTION\",\"notes\":\"" + "x".repeat(400) + "\"},";
        String body = "{\"results\":[" + market.repeat(11_000) + "{}]}";
        assertInstanceOf(FetchResult.Received.class, fetch("paradex", "200 OK", body));
        FetchResult cut = fetch("delta", "200 OK", body);
        assertEquals(
                "response larger than 4 MB",
                assertInstanceOf(FetchResult.Unreadable.class, cut).reason());
    }

    private static FetchResult fetch(String id, String head, String body) throws InterruptedException {
        Venue venue = Objects.requireNonNull(Registry.find(id));
        server.response(head, body);
        return exchanges.fetch(venue, VenueRequest.of(venue.spec().requests().getFirst(), "", ""));
    }
}
