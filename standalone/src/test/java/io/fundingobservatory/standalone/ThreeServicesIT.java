package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.testbed.EmbeddedKafka;
import io.fundingobservatory.testbed.sim.SimulatedExchanges;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The three services as three processes that know each other only through Kafka; killed one by one, and back. */
class ThreeServicesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @TempDir
    private Path folder;

    private final List<AutoCloseable> running = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : running.reversed()) {
            each.close();
        }
    }

    private <C extends AutoCloseable> C keep(C closeable) {
        running.add(closeable);
        return closeable;
    }

    private Process service(String name, int managementPort, Map<String, String> settings) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "--sun-misc-unsafe-memory-access=allow", "-jar"));
        Path jar = ROOT.resolve(name).resolve("target").resolve(name + ".jar");
        assertTrue(jar.toFile().isFile(), "mvn package makes " + jar);
        command.add(jar.toString());
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(new File("target/" + name + "-process.log"));
        builder.environment().putAll(settings);
        builder.environment().put("OBSERVATORY_MANAGEMENT_PORT", Integer.toString(managementPort));
        Process process = builder.start();
        keep(() -> {
            process.destroyForcibly();
            process.waitFor(10, TimeUnit.SECONDS);
        });
        return process;
    }

    @Test
    void servesTheWholeListAndComesBackAfterKills() throws Exception {
        EmbeddedKafka kafka = keep(EmbeddedKafka.start(folder.resolve("kafka"), 0));
        SimulatedExchanges exchanges = keep(SimulatedExchanges.start(0, 1, InstantSource.system()));
        int http = Http.freePort();
        String brokers = kafka.bootstrapServers();
        Map<String, String> ingestSettings = Map.of(
                "OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS",
                brokers,
                "OBSERVATORY_INGEST_EXCHANGES",
                "simulated:" + exchanges.baseUrl(),
                "OBSERVATORY_INGEST_POLL_INTERVAL",
                "10s",
                "OBSERVATORY_INGEST_VENUES",
                "binance,bybit,okx,bitget,gate,kraken,hyperliquid,dydx");
        Map<String, String> streamsSettings = Map.of(
                "OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS",
                brokers,
                "OBSERVATORY_STREAMS_STATE_DIR",
                folder.resolve("streams").toString());
        Map<String, String> gatewaySettings = Map.of(
                "OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS",
                brokers,
                "OBSERVATORY_GATEWAY_TRAFFIC_EXEMPT",
                "127.0.0.1",
                "MICRONAUT_SERVER_PORT",
                Integer.toString(http));

        service("ingest", Http.freePort(), ingestSettings);
        Process streams = service("streams", Http.freePort(), streamsSettings);
        Process gateway = service("gateway", Http.freePort(), gatewaySettings);

        JsonNode first = Http.await(http, "/api/v1/latest", PATIENCE, json -> true);
        assertEquals(8, first.at("/meta/coverage").asInt());
        assertEquals("simulated", first.at("/meta/source").asText());
        int rows = first.get("rows").size();
        assertTrue(rows > 1_000, rows + " rows");

        // A killed gateway serves the full list again, from Kafka.
        gateway.destroyForcibly().waitFor();
        service("gateway", Http.freePort(), gatewaySettings);
        JsonNode again = Http.await(http, "/api/v1/latest", PATIENCE, json -> true);
        assertEquals(8, again.at("/meta/coverage").asInt());

        // A killed topology goes on where it was: later observations arrive, none older replaces a newer one.
        long newest = newestObservation(again);
        streams.destroyForcibly().waitFor();
        service("streams", Http.freePort(), streamsSettings);
        JsonNode later =
                Http.await(http, "/api/v1/latest", PATIENCE, json -> newestObservation(json) > newest + 10_000);
        assertEquals(8, later.at("/meta/coverage").asInt());
    }

    private static long newestObservation(JsonNode list) {
        long newest = 0;
        for (JsonNode row : list.get("rows")) {
            newest = Math.max(newest, row.get("observed_at_ms").asLong());
        }
        return newest;
    }
}
