package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.standalone.exchanges.SourceOption;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything in one process: a real broker, the topology, simulated or replayed exchanges, real HTTP. */
class InstallationIT {
    /** Two polls: one of KuCoin that falls into the 20 s after a settlement has no row, as its old estimates are left out. */
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    @TempDir
    private Path folder;

    private int httpPort;
    private int kafkaPort;
    private Installation.Ports ports;

    @BeforeEach
    void ports() throws IOException {
        ports = Http.freePorts();
        httpPort = ports.http().number();
        kafkaPort = ports.kafka().number();
    }

    private Installation start(SourceOption exchanges, Map<String, Object> settings) throws InterruptedException {
        return Installations.start(exchanges, folder.resolve("data"), ports, settings);
    }

    @Test
    void servesSimulatedExchangesWholeAsOnTheTopic() throws Exception {
        try (Installation installation = start(new SourceOption.Simulated(), Map.of())) {
            JsonNode first = Http.await(
                    httpPort,
                    allVenues(),
                    PATIENCE,
                    json -> json.at("/meta/coverage").asInt() == Registry.all().size());
            assertEquals("simulated", first.at("/meta/source").asText());
            assertManagementIsLocal();
            assertEquals(first.get("rows").size(), first.at("/meta/row_count").asInt());

            Map<String, Set<String>> onTopic = new HashMap<>();
            readAll(Topics.RATES_NORMALISED.name(), onTopic);
            String body = Http.get(httpPort, allVenues()).body();
            var notOnTopic = new TreeSet<String>();
            for (String row : rows(body)) {
                JsonNode json = new ObjectMapper().readTree(row);
                String key =
                        json.get("venue").asText() + "|" + json.get("symbol").asText();
                if (!onTopic.getOrDefault(key, Set.of()).contains(row)) {
                    notOnTopic.add(key);
                }
            }
            if (!notOnTopic.isEmpty()) {
                // Observed between the two readings: it must be there now.
                readAll(Topics.RATES_NORMALISED.name(), onTopic);
                rows(body)
                        .forEach(row -> onTopic.values().stream()
                                .filter(values -> values.contains(row))
                                .findAny()
                                .orElseThrow(() -> new AssertionError("not on the topic, byte for byte: " + row)));
            }
            AgentsSession.fit(httpPort);
            assertTrue(installation.simulated() != null);
        }
    }

    /** On Linux the whole of 127.0.0.0/8 is this machine: a listener on all addresses responds at 127.0.0.2 as well. */
    private void assertManagementIsLocal() throws Exception {
        int management = ports.management().number();
        assertEquals(200, Http.get(management, "/health/liveness").statusCode());
        assertEquals(404, Http.get(management, "/api/v1").statusCode());
        try (var socket = new Socket("127.0.0.2", httpPort)) {
            assertTrue(socket.isConnected());
        }
        assertThrows(ConnectException.class, () -> new Socket("127.0.0.2", management).close());
    }

    @Test
    void recordedBodiesAreServedAsRecorded() throws Exception {
        Path venue = Files.createDirectories(folder.resolve("recorded/dydx"));
        Files.writeString(venue.resolve("perpetualMarkets.json"), """
                {"markets":{"BTC-USD":{"ticker":"BTC-USD","status":"ACTIVE","oraclePrice":"64000.5","nextFundingRate":"0.0000125"},
                            "OLD-USD":{"ticker":"OLD-USD","status":"FINAL_SETTLEMENT","oraclePrice":"1","nextFundingRate":"0.5"}}}
                """);
        try (Installation installation = start(new SourceOption.Replay(folder.resolve("recorded")), Map.of())) {
            JsonNode list = Http.await(httpPort, "/api/v1/latest", PATIENCE, json -> true);
            assertEquals("replay", list.at("/meta/source").asText());
            assertEquals(1, list.get("rows").size());
            assertEquals(
                    "0.0001", list.at("/rows/0/funding_rate_8h").decimalValue().toPlainString());
            assertEquals("BTC", list.at("/rows/0/asset").asText());
            assertFalse(list.at("/meta/missing/venues").isEmpty());
            assertTrue(installation.simulated() == null);
        }
    }

    private static String allVenues() {
        return "/api/v1/latest?venues="
                + String.join(
                        ",", Registry.all().stream().map(v -> v.spec().id()).toList());
    }

    /** The rows of a list, character for character, without the mark of stale ones. */
    private static List<String> rows(String body) {
        int begin = body.indexOf("\"rows\":[") + "\"rows\":[".length();
        String list = body.substring(begin, body.indexOf("}]", begin) + 1);
        // The gateway marks rows that are older than 180 s; their record has no mark.
        return List.of(list.replace(",\"stale\":true}", "}").split("(?<=}),(?=\\{)"));
    }

    private void readAll(String topic, Map<String, Set<String>> values) {
        Map<String, Object> config =
                Map.of("bootstrap.servers", "127.0.0.1:" + kafkaPort, "isolation.level", "read_committed");
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            TopicReader.fromBeginning(consumer, topic)
                    .toEnd(record -> values.computeIfAbsent(record.key(), key -> new HashSet<>())
                            .add(record.value()));
        }
    }
}
