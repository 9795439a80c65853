package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.testbed.EmbeddedKafka;
import io.fundingobservatory.testbed.sim.SimulatedExchanges;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The three services as three processes that know each other only through Kafka; killed one by one, and back. */
class ThreeServicesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    @RegisterExtension
    private final ServiceProcesses services = new ServiceProcesses();

    @Test
    void servesTheWholeListAndComesBackAfterKills() throws Exception {
        EmbeddedKafka kafka = services.keep(EmbeddedKafka.start(folder.resolve("kafka"), 0));
        SimulatedExchanges exchanges = services.keep(SimulatedExchanges.start(0, 1, InstantSource.system()));
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

        services.start("ingest", Http.freePort(), ingestSettings);
        Process streams = services.start("streams", Http.freePort(), streamsSettings);
        Process gateway = services.start("gateway", Http.freePort(), gatewaySettings);

        JsonNode first = Http.await(http, "/api/v1/latest", PATIENCE, json -> true);
        assertEquals(8, first.at("/meta/coverage").asInt());
        assertEquals("simulated", first.at("/meta/source").asText());
        int rows = first.get("rows").size();
        assertTrue(rows > 1_000, rows + " rows");

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
}
