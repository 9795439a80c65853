package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.site.UnitsWalk;
import io.fundingobservatory.gateway.fixture.LoggedLines;
import io.fundingobservatory.gateway.fixture.Responses;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Property;
import io.micronaut.management.health.monitor.HealthMonitorTask;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an operator sees: one line for each response, and meters whose labels no client can choose. */
@MicronautTest
@Property(name = "observatory.gateway.access-log", value = "true")
@Property(name = "observatory.gateway.traffic.trusted-proxies", value = "127.0.0.1")
@Property(name = "observatory.gateway.traffic.exempt", value = "192.0.2.0/24")
class OperationsTest {
    @RegisterExtension
    private final LoggedLines lines = LoggedLines.of("access");

    @Inject
    RunningGateway gateway;

    @Inject
    ApplicationContext context;

    private void send(String line, String client) throws IOException {
        try (Socket socket = gateway.connect()) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write((line + " HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: " + client
                                    + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            socket.getInputStream().readAllBytes();
        }
    }

    @Test
    void beforeAnythingIsKnownItIsStarting() {
        HttpResponse<byte[]> response = gateway.get("/api/v1/latest");
        assertEquals(503, response.statusCode());
        assertEquals("5", Responses.header(response, "Retry-After"));
        JsonNode body = Responses.json(response);
        assertEquals("starting", body.path("status").asText());
        UnitsWalk.check(body);
        assertEquals(503, gateway.managed("/health/readiness"));
        assertEquals(200, gateway.managed("/health/liveness"));
        assertEquals(200, gateway.get("/robots.txt").statusCode());
    }

    /**
     * A task of the framework evaluated every indicator again, once at the start and then each minute, also
     * while the start was failing.
     */
    @Test
    void healthIsServedOnManagementPortOnly() {
        assertFalse(context.containsBean(HealthMonitorTask.class));
    }

    @Test
    void accessLogHasOneLineWithoutPersonalData() throws Exception {
        for (String line : List.of(
                "GET /robots.txt",
                "HEAD /robots.txt",
                "GET /secret?secret=1",
                "GET /api/v1/latest?assets=SECRET",
                "GET /api/v1/rate_history?x=secret",
                "POST /secret%0d%0a",
                "SECRET /api/v1",
                "GET /\u001bsecret",
                "GET /robots.txt?secret")) {
            send(line, "203.0.113.77");
        }
        send("GET /robots.txt", "2001:db8:77:2:3:4:5:6");
        RunningGateway.await("every line", () -> linesOfThisTest().size() == 10);
        String rest = " bytes=N ms=N";
        assertEquals(
                List.of(
                        "client=203.0.113.0/24 method=GET path=/robots.txt status=200" + rest,
                        "client=203.0.113.0/24 method=HEAD path=/robots.txt status=200" + rest,
                        "client=203.0.113.0/24 method=GET path=unknown status=404" + rest,
                        "client=203.0.113.0/24 method=GET path=/api/v1/latest status=503" + rest,
                        "client=203.0.113.0/24 method=GET path=not_yet status=501" + rest,
                        "client=203.0.113.0/24 method=POST path=unknown status=405" + rest,
                        "client=203.0.113.0/24 method=OTHER path=/api/v1 status=405" + rest,
                        "client=203.0.113.0/24 method=GET path=unknown status=400" + rest,
                        "client=203.0.113.0/24 method=GET path=unknown status=400" + rest,
                        "client=2001:db8:77::/48 method=GET path=/robots.txt status=200" + rest),
                linesOfThisTest());
    }

    /** Lines of other clients may come late. */
    private List<String> linesOfThisTest() {
        return lines.all().stream()
                .map(line -> line.replaceAll("(bytes|ms)=(\\d+|-)", "$1=N"))
                .filter(line -> line.startsWith("client=203.0.113.") || line.startsWith("client=2001:db8:77:"))
                .toList();
    }

    @Test
    void noClientMakesAMeterOfItsOwn() throws Exception {
        send("GET /first", "192.0.2.1");
        send("GET /first?a=1", "192.0.2.1");
        // The first look at the meters is counted in the second.
        meters();
        long before = meters().lines()
                .filter(line -> line.startsWith("observatory_") || line.startsWith("http_server"))
                .count();
        for (int i = 0; i < 100; i++) {
            send("GET /unknown" + i + "?a=" + i, "192.0.2." + i);
        }
        String meters = meters();
        assertEquals(
                before,
                meters.lines()
                        .filter(line -> line.startsWith("observatory_") || line.startsWith("http_server"))
                        .count(),
                meters);
        assertFalse(meters.contains("unknown1") || meters.contains("192.0.2"), meters);
        for (String meter : List.of(
                "http_server_requests_seconds_count{exception=\"none\",method=\"GET\",status=\"404\",uri=\"UNMATCHED_URI\"",
                "http_server_requests_seconds_bucket{exception=\"none\",method=\"GET\",status=\"404\",uri=\"UNMATCHED_URI\",le=\"0.05\"",
                "observatory_build_info{commit=\"",
                "\",java=\"" + Runtime.version() + "\",release=\"1.0.0\"} 1",
                "observatory_gateway_row_age_seconds_bucket{le=\"30.0\"}",
                "observatory_gateway_refused_total{reason=\"sweep\"}",
                "observatory_gateway_refused_total{reason=\"slow_request\"}",
                "observatory_gateway_connections",
                "observatory_gateway_generations_total",
                "observatory_gateway_snapshot_age_seconds",
                "observatory_gateway_rows",
                "observatory_gateway_coverage")) {
            assertTrue(meters.contains(meter), meter + " in " + meters);
        }
    }

    private String meters() {
        return gateway.managedBody("/prometheus");
    }

    /** Alerts leave out what is counted under these paths. */
    @Test
    void countsChecksUnderPathsOfTheirOwn() {
        gateway.managed("/health/readiness");
        meters();
        String meters = meters();
        assertTrue(meters.contains("uri=\"/health/{selector}\""), meters);
        assertTrue(meters.contains("uri=\"/prometheus\""), meters);
    }

    @Test
    void refusesClientBehindProxyAlone() throws Exception {
        double before = gateway.refused("volume");
        // 120 points at once, 2 a second: even a slow machine sends requests faster than that.
        for (int i = 0; i < 1_000 && gateway.refused("volume") < before + 5; i++) {
            send("GET /nowhere", "198.51.100.7");
        }
        assertTrue(gateway.refused("volume") >= before + 5);
        double refused = gateway.refused("volume");
        send("GET /nowhere", "198.51.100.8");
        assertEquals(refused, gateway.refused("volume"), "another client");
    }
}
