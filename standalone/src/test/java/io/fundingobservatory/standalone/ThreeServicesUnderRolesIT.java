package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.standalone.deployment.Metrics;
import io.fundingobservatory.testbed.sim.SimulatedExchanges;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The three services as three processes that know each other only through Kafka, each with the rights of its role alone; the broker's
 * certificate is changed under them, they are killed one by one, and come back. What they publish of themselves is as described.
 */
@Tag("nightly")
class ThreeServicesUnderRolesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    @RegisterExtension
    private final ServiceProcesses services = new ServiceProcesses();

    @Test
    void theyServeWithNoOtherRightsAndAreAsDescribed() throws Exception {
        SecuredInstallation kafka = services.keep(SecuredInstallation.start(folder.resolve("kafka")));
        SimulatedExchanges exchanges = services.keep(SimulatedExchanges.start(0, 1, InstantSource.system()));
        int http = Http.freePort();
        Map<String, String> ingestSettings = as(
                "ingest",
                kafka,
                Map.of(
                        "OBSERVATORY_INGEST_EXCHANGES", "simulated:" + exchanges.baseUrl(),
                        "OBSERVATORY_INGEST_POLL_INTERVAL", "10s",
                        "OBSERVATORY_INGEST_VENUES", "binance,bybit,okx,bitget,gate,kraken,hyperliquid,dydx"));
        Map<String, String> streamsSettings = as(
                "streams",
                kafka,
                Map.of(
                        "OBSERVATORY_STREAMS_STATE_DIR",
                        folder.resolve("streams").toString()));
        Map<String, String> gatewaySettings = as(
                "gateway",
                kafka,
                Map.of(
                        "OBSERVATORY_GATEWAY_TRAFFIC_EXEMPT",
                        "127.0.0.1",
                        "MICRONAUT_SERVER_PORT",
                        Integer.toString(http)));

        Map<String, Integer> ports =
                Map.of("ingest", Http.freePort(), "streams", Http.freePort(), "gateway", Http.freePort());
        services.start("ingest", ports.get("ingest"), ingestSettings);
        Process streams = services.start("streams", ports.get("streams"), streamsSettings);
        Process gateway = services.start("gateway", ports.get("gateway"), gatewaySettings);

        JsonNode first = Http.await(http, "/api/v1/latest", PATIENCE, json -> true);
        assertEquals(8, first.at("/meta/coverage").asInt());
        assertEquals("simulated", first.at("/meta/source").asText());
        int rows = first.get("rows").size();
        assertTrue(rows > 1_000, rows + " rows");

        for (int port : ports.values()) {
            assertEquals(200, Http.get(port, "/health/liveness").statusCode());
        }
        awaitMetricsAsDescribed(ports);
        readAsATeamReads(kafka);
        kafka.changeCertificate();

        // A killed gateway serves the full list again, from Kafka.
        gateway.destroyForcibly().waitFor();
        services.start("gateway", Http.freePort(), gatewaySettings);
        JsonNode again = Http.await(http, "/api/v1/latest", PATIENCE, json -> true);
        assertEquals(8, again.at("/meta/coverage").asInt());

        // A killed topology goes on where it was: later observations arrive, none older replaces a newer one.
        long newest = Http.newestObservation(again);
        streams.destroyForcibly().waitFor();
        services.start("streams", Http.freePort(), streamsSettings);
        JsonNode later =
                Http.await(http, "/api/v1/latest", PATIENCE, json -> Http.newestObservation(json) > newest + 10_000);
        assertEquals(8, later.at("/meta/coverage").asInt());
    }

    /** The examples of docs/kafka.md, as a user with the role of a team. */
    private void readAsATeamReads(SecuredInstallation kafka) throws Exception {
        kafka.authority(folder.resolve("ca.crt"));
        var page = new KafkaPage(folder, kafka.bootstrapServers(), "team", SecuredInstallation.password("team"));
        Pattern row = Pattern.compile("(binance|bybit|okx|bitget|gate|kraken|hyperliquid|dydx)\\|\\S+ .+");
        page.java(5).forEach(line -> assertTrue(row.matcher(line).matches(), line));
        if (KafkaPage.has("kcat", "-V")) {
            page.kcat(5).forEach(line -> assertTrue(line.contains("\"funding_rate_8h\":"), line));
        } else {
            System.out.println("kcat is not installed: its example was not run");
        }
        if (KafkaPage.has("python3", "-c", "import confluent_kafka")) {
            page.python(5).forEach(line -> assertTrue(row.matcher(line).matches(), line));
        } else {
            System.out.println("python3 has no confluent_kafka: its example was not run");
        }
    }

    /** Some of them begin with the first settled history that is read. */
    private static void awaitMetricsAsDescribed(Map<String, Integer> ports) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Set<String> problems;
        do {
            var scraped = new HashMap<String, String>();
            for (var service : ports.entrySet()) {
                scraped.put(
                        service.getKey(),
                        Http.get(service.getValue(), "/prometheus").body());
            }
            problems = Metrics.problems(scraped);
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
        } while (!problems.isEmpty() && System.nanoTime() < deadline);
        assertEquals(Set.of(), problems);
    }

    /** The environment of a service that is that user of the brokers, and further variables. */
    private static Map<String, String> as(String role, SecuredInstallation kafka, Map<String, String> more)
            throws IOException {
        Map<String, String> environment = kafka.environment(role);
        environment.putAll(more);
        return environment;
    }
}
