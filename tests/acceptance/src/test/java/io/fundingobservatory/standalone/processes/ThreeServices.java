package io.fundingobservatory.standalone.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.standalone.Http;
import io.fundingobservatory.testbed.FreePort;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Ingest, streams and gateway as processes that communicate only through Kafka, with eight simulated venues
 * polled every ten seconds.
 */
public final class ThreeServices {
    public static final Duration PATIENCE = Duration.ofMinutes(8);

    private static final int VENUES = 8;

    /** How a service of a role reaches the brokers: variables of its environment. */
    @FunctionalInterface
    public interface KafkaOf {
        Map<String, String> environment(String role) throws IOException;
    }

    private final ServiceProcesses processes;
    private final KafkaOf kafka;
    private final int http;
    private final Map<String, Integer> managementPorts;
    private final Map<String, Map<String, String>> settings;

    /**
     * @param folder where streams keeps its state
     */
    public ThreeServices(ServiceProcesses processes, Path folder, KafkaOf kafka) throws IOException {
        this.processes = processes;
        this.kafka = kafka;
        SimulatedExchanges exchanges =
                processes.keep(SimulatedExchanges.start(1, InstantSource.system(), Realism.SMALL));
        http = FreePort.next();
        managementPorts = Map.of("ingest", FreePort.next(), "streams", FreePort.next(), "gateway", FreePort.next());
        settings = Map.of(
                "ingest",
                Map.of(
                        "OBSERVATORY_INGEST_EXCHANGES", "simulated:" + exchanges.baseUrl(),
                        "OBSERVATORY_INGEST_POLL_INTERVAL", "10s",
                        "OBSERVATORY_INGEST_VENUES", "binance,bybit,okx,bitget,gate,kraken,hyperliquid,dydx"),
                "streams",
                Map.of(
                        "OBSERVATORY_STREAMS_STATE_DIR",
                        folder.resolve("streams").toString()),
                "gateway",
                Map.of(
                        "OBSERVATORY_GATEWAY_TRAFFIC_EXEMPT",
                        "127.0.0.1",
                        "MICRONAUT_SERVER_PORT",
                        Integer.toString(http)));
    }

    /** Each service's port of health and metrics, by its name. */
    public Map<String, Integer> managementPorts() {
        return managementPorts;
    }

    /** Starts all three, serves the first snapshot, and outlives a SIGKILL of the gateway and of streams. */
    public void serveAndComeBack(WhileServing meanwhile) throws Exception {
        start("ingest");
        Process streams = start("streams");
        Process gateway = start("gateway");
        JsonNode first = wholeList();
        assertEquals("simulated", first.at("/meta/source").asText());
        int rows = first.get("rows").size();
        assertTrue(rows > 20 * VENUES, rows + " rows");
        meanwhile.run();

        // A killed gateway serves the full list again, from Kafka.
        gateway.destroyForcibly().waitFor();
        start("gateway");
        JsonNode again = wholeList();
        assertTrue(again.get("rows").size() >= rows, again.get("rows").size() + " of " + rows + " rows");

        // A killed topology goes on where it was: later observations arrive, none older replaces a newer one.
        long newest = Http.newestObservation(again);
        streams.destroyForcibly().waitFor();
        start("streams");
        JsonNode later =
                Http.await(http, "/api/v1/latest", PATIENCE, json -> Http.newestObservation(json) > newest + 10_000);
        assertEquals(VENUES, later.at("/meta/coverage").asInt());
    }

    /** What is looked at when all three serve and none was killed yet. */
    @FunctionalInterface
    public interface WhileServing {
        void run() throws Exception;
    }

    private Process start(String name) throws IOException {
        Map<String, String> environment = new HashMap<>(kafka.environment(name));
        environment.putAll(settings.get(name));
        return processes.start(name, managementPorts.get(name), environment);
    }

    private JsonNode wholeList() throws InterruptedException {
        JsonNode list = Http.await(http, "/api/v1/latest", PATIENCE, json -> true);
        assertEquals(VENUES, list.at("/meta/coverage").asInt());
        return list;
    }
}
