package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.fixture.FixedSnapshots;
import io.fundingobservatory.gateway.fixture.Responses;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.topics.ListedVenue;
import io.micronaut.context.ApplicationContext;
import io.micronaut.management.health.monitor.HealthMonitorTask;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What an operator sees: meters whose labels no client can choose. */
class OperationsTest {
    private final RunningGateway gateway = RunningGateway.serving(2);

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

    /**
     * A task of the framework evaluated every indicator again, once at the start and then each minute, also
     * while the start was failing.
     */
    @Test
    void healthIsServedOnManagementPortOnly() {
        assertFalse(gateway.bean(ApplicationContext.class).containsBean(HealthMonitorTask.class));
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

    /** Brokers and exchanges are away for a quarter of an hour: the last list is served, and the process that serves it is ready. */
    @Test
    void oldSnapshotIsReadyAndReportsAge() {
        gateway.bean(FixedSnapshots.class).asOf(System.currentTimeMillis() - TimeUnit.MINUTES.toMillis(15));
        assertEquals(200, gateway.managed("/health/readiness"));
        assertEquals(200, gateway.managed("/health"));
        JsonNode details = Responses.tree(
                        gateway.managedBody("/health/readiness").getBytes(StandardCharsets.UTF_8))
                .at("/details/gateway-snapshot/details");
        assertTrue(details.path("age_ms").asLong() >= 900_000, details.toString());
        assertEquals(2 * ListedVenue.ALL.size(), details.path("rows").asInt());
        assertEquals(ListedVenue.ALL.size(), details.path("coverage").asInt());
        assertEquals(200, gateway.get("/api/v1/latest").statusCode());
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
}
