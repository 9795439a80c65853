package io.fundingobservatory.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.fixture.FixedSnapshots;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpRequest;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.web.router.Router;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What gets a response before the router, and what it costs. */
@MicronautTest
@Property(name = FixedSnapshots.ROWS, value = "3")
@Property(name = "observatory.gateway.traffic.exempt", value = "127.0.0.1")
class PublicRequestFilterTest {
    @Inject
    RunningGateway gateway;

    @Inject
    Router router;

    /** One filter with a pattern, and the router makes and sorts a list of filters for each request. */
    @Test
    void theRouterKeepsItsListsOfFilters() {
        HttpRequest<?> request = HttpRequest.GET("/api/v1/venues");
        assertSame(router.findFilters(request), router.findFilters(request));
        assertSame(router.findPreMatchingFilters(request), router.findPreMatchingFilters(request));
    }

    @Test
    void healthIsStillToldByItsStatus() {
        assertEquals(200, gateway.managed("/health/liveness"));
    }

    /** The framework's own metric counts what gets a response before its filter of metrics. */
    @Test
    void earlyResponsesAreTimedLikeOthers() {
        long lists = gateway.responses("/api/v1/latest");
        long unchanged = gateway.responses("REDIRECTION");
        assertEquals(200, gateway.get("/api/v1/latest").statusCode());
        assertEquals(304, gateway.get("/api/v1/latest", "If-None-Match", "*").statusCode());
        assertEquals(200, gateway.get("/api/v1/latest?assets=C1").statusCode());
        assertEquals(lists + 2, gateway.responses("/api/v1/latest"));
        assertEquals(unchanged + 1, gateway.responses("REDIRECTION"));
    }

    /** RFC 9110 §5.6.7: three forms are to be read, one is written. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Sat, 06 Nov 2060 08:49:37 GMT | 304",
                "Saturday, 06-Nov-60 08:49:37 GMT | 304",
                "Sat Nov  6 08:49:37 2060 | 304",
                "Sun, 06 Nov 1994 08:49:37 GMT | 200",
                "Sunday, 06-Nov-94 08:49:37 GMT | 200",
                "Sun Nov  6 08:49:37 1994 | 200",
                "soon | 200",
            })
    void datesOfEveryFormAreRead(String date, int status) {
        assertEquals(
                status, gateway.get("/robots.txt", "If-Modified-Since", date).statusCode());
    }

    /** 200 requests at once on one connection over the limit: the first is refused, the next is read a second later. */
    @Test
    void readsRefusedClientAgainAfterSecond() throws IOException, InterruptedException {
        String request = "GET /api/v1/latest?venues=all HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n";
        double before = gateway.refused("volume");
        try (Socket client = gateway.connectFrom("127.0.0.2")) {
            client.getOutputStream().write(request.repeat(200).getBytes(StandardCharsets.US_ASCII));
            drain(client);
            RunningGateway.await("the limit is reached", () -> gateway.refused("volume") > before);
            long begun = System.nanoTime();
            RunningGateway.await("three more refusals", () -> gateway.refused("volume") >= before + 4);
            long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            assertTrue(tookMs >= 2_000, tookMs + " ms for three refusals");
            assertEquals(200, gateway.get("/api/v1/latest").statusCode(), "another client");
        }
    }

    private static void drain(Socket client) {
        Thread.ofVirtual().start(() -> {
            try (InputStream in = client.getInputStream()) {
                var buffer = new byte[1 << 16];
                while (in.read(buffer) >= 0) {
                    Thread.onSpinWait();
                }
            } catch (IOException e) {
                // The test is over.
            }
        });
    }
}
