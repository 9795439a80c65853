package io.fundingobservatory.standalone.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.process.JavaProcess;
import io.fundingobservatory.process.Services;
import io.fundingobservatory.standalone.Http;
import io.fundingobservatory.standalone.deployment.Metrics;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.FreePort;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The three services as processes that communicate only through Kafka, each with the rights of its role, with eight simulated
 * venues polled every five seconds. The broker's certificate changes, and the gateway and streams are killed and come back. The
 * metrics that they publish match the pages.
 */
@Tag("nightly")
class ThreeServicesUnderRolesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(8);
    private static final List<String> VENUES =
            List.of("binance", "bybit", "okx", "bitget", "gate", "kraken", "hyperliquid", "dydx");
    private static final Path LOGS = Path.of("target");

    private final int http = FreePort.next();

    @TempDir
    private Path folder;

    @Test
    void theyServeAsDescribedWithNoOtherRights() throws Exception {
        try (var kafka = SecuredInstallation.start(folder.resolve("kafka"));
                var exchanges = SimulatedExchanges.start(1, InstantSource.system(), Realism.SMALL);
                var ingest =
                        start(kafka, Services.ingest("ingest", kafka.bootstrapServers(), exchanges.baseUrl(), VENUES));
                var streams =
                        start(kafka, Services.streams("streams", kafka.bootstrapServers(), folder.resolve("streams")));
                var gateway = start(kafka, Services.gateway("gateway", kafka.bootstrapServers(), http))) {
            JsonNode first = wholeList();
            assertEquals("simulated", first.at("/meta/source").asText());
            int rows = first.get("rows").size();
            assertTrue(rows > 20 * VENUES.size(), rows + " rows");
            List<JavaProcess> services = List.of(ingest, streams, gateway);
            for (JavaProcess service : services) {
                assertEquals(200, management(service, "/health/liveness").statusCode());
            }
            awaitMetricsAsDescribed(services);
            readAsATeamReads(kafka);
            kafka.changeCertificate();

            // A killed gateway serves the full list again, from Kafka.
            gateway.kill();
            gateway.restart();
            JsonNode again = wholeList();
            assertTrue(again.get("rows").size() >= rows, again.get("rows").size() + " of " + rows + " rows");

            // A killed topology goes on where it was: later observations arrive, none older replaces a newer one.
            long newest = newestObservation(again);
            streams.kill();
            streams.restart();
            JsonNode later =
                    Http.await(http, "/api/v1/latest", PATIENCE, json -> newestObservation(json) > newest + 10_000);
            assertEquals(VENUES.size(), later.at("/meta/coverage").asInt());
        }
    }

    /** With what a service of that role has to know of the brokers. */
    private static JavaProcess start(SecuredInstallation kafka, JavaProcess.Spec service) {
        JavaProcess.Spec spec = service.named("under-roles-" + service.name());
        for (var setting : kafka.environment(service.name()).entrySet()) {
            spec = spec.with(setting.getKey(), setting.getValue());
        }
        return JavaProcess.start(spec, LOGS);
    }

    private static java.net.http.HttpResponse<String> management(JavaProcess service, String path)
            throws IOException, InterruptedException {
        return Http.get(Integer.parseInt(service.spec().environment().get(Services.MANAGEMENT_PORT)), path);
    }

    private JsonNode wholeList() throws InterruptedException {
        JsonNode list = Http.await(http, "/api/v1/latest", PATIENCE, json -> true);
        assertEquals(VENUES.size(), list.at("/meta/coverage").asInt());
        return list;
    }

    /** When the newest row of a list was read, epoch ms UTC. */
    private static long newestObservation(JsonNode list) {
        long newest = 0;
        for (JsonNode row : list.get("rows")) {
            newest = Math.max(newest, row.get("observed_at_ms").asLong());
        }
        return newest;
    }

    /** The examples of docs/kafka.md, as a user with the role of a team. */
    private void readAsATeamReads(SecuredInstallation kafka) throws Exception {
        kafka.authority(folder.resolve("ca.crt"));
        var page = new KafkaPage(folder, kafka.bootstrapServers(), "team", SecuredInstallation.password("team"));
        Pattern row = Pattern.compile("(" + String.join("|", VENUES) + ")\\|\\S+ .+");
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
    private static void awaitMetricsAsDescribed(List<JavaProcess> services) throws Exception {
        var problems = new HashSet<String>();
        Await.within(PATIENCE, () -> {
            var scraped = new HashMap<String, String>();
            for (JavaProcess service : services) {
                scraped.put(
                        service.name().replaceFirst(".*-", ""),
                        management(service, "/prometheus").body());
            }
            problems.clear();
            return !problems.addAll(Metrics.problems(scraped));
        });
        assertEquals(Set.of(), problems);
    }
}
