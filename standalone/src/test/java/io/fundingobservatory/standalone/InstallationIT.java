package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.standalone.exchanges.SourceOption;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.server.Fault;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.math.BigDecimal;
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
import org.apache.kafka.common.TopicPartition;
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
    void simulatedExchangesAreServedWholeAndAsTheyStandOnTheTopic() throws Exception {
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

    /** On Linux the whole of 127.0.0.0/8 is this machine: a listener on all addresses answers at 127.0.0.2 as well. */
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
    void pairsOverThirtyDaysCanBeRecomputedByAnybody() throws Exception {
        Map<String, Object> settings = Installations.asking("binance,bybit,bluefin,gemini,paradex", "10s");
        try (Installation installation = start(new SourceOption.Simulated(), settings)) {
            JsonNode carry = Http.await(
                    httpPort,
                    "/api/v1/carry",
                    PATIENCE,
                    json -> json.get("rows").size() > 3);
            for (JsonNode row : carry.get("rows")) {
                assertEquals(
                        0,
                        row.get("funding_difference_30d")
                                .decimalValue()
                                .compareTo(row.at("/short/funding_sum_30d")
                                        .decimalValue()
                                        .subtract(
                                                row.at("/long/funding_sum_30d").decimalValue())));
                assertEquals(row.at("/short/settlements"), row.at("/short/expected"));
                assertEquals(row.at("/long/settlements"), row.at("/long/expected"));
                assertTrueToTheModel(installation, row.get("short"), carry);
                assertTrueToTheModel(installation, row.get("long"), carry);
            }
            AgentsSession.hold(httpPort);
            ExamplesSession.run(httpPort, "127.0.0.1:" + kafkaPort);
            String asset = carry.at("/rows/0/asset").asText();
            assertEquals(0, Observatory.execute("receipt", asset, "--bootstrap-server", "127.0.0.1:" + kafkaPort));
            assertEquals(
                    1, Observatory.execute("receipt", "NOSUCHASSET", "--bootstrap-server", "127.0.0.1:" + kafkaPort));
            assertTrue(installation.simulated() != null);
        }
    }

    /** What the simulated exchange truly charged in the window, summed by the model itself. */
    private static void assertTrueToTheModel(Installation installation, JsonNode leg, JsonNode carry) {
        String venue = leg.get("venue").asText();
        Wire wire = Wires.all().stream()
                .filter(w -> w.venue().equals(venue))
                .findFirst()
                .orElseThrow();
        long endMs = carry.get("window_end_ms").asLong();
        SimulatedContract contract = installation
                .simulated()
                .market()
                .at(venue, endMs)
                .find(wire, leg.get("symbol").asText());
        BigDecimal truth = contract.settledBetween(carry.get("window_start_ms").asLong() + 1, endMs).stream()
                .map(SimulatedContract.Settled::rate)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        assertEquals(0, truth.compareTo(leg.get("funding_sum_30d").decimalValue()), leg + " is truly " + truth);
    }

    @Test
    void oneBadExchangeChangesOnlyItself() throws Exception {
        Map<String, Object> settings = Installations.asking("bluefin,deribit,gemini,poloniex", "2s");
        try (Installation installation = start(new SourceOption.Simulated(), settings)) {
            Http.await(httpPort, allVenues(), PATIENCE, json -> true);
            installation.simulated().fault("bluefin", new Fault.HtmlInsteadOfJson());
            JsonNode venues = Http.await(
                    httpPort,
                    "/api/v1/venues",
                    PATIENCE,
                    json -> venue(json, "bluefin").hasNonNull("reason"));
            // What was asked before the fault may still be on its way; after two more polls of another venue it has
            // arrived.
            JsonNode settled = awaitProgress("deribit", venues);
            JsonNode later = awaitProgress("deribit", settled);
            assertEquals(
                    venue(settled, "bluefin").get("last_observed_ms"),
                    venue(later, "bluefin").get("last_observed_ms"),
                    "old rows are kept, none is made up");
            assertTrue(venue(later, "bluefin").get("in_current_observation").asBoolean());
            var others = new HashSet<String>();
            later.get("rows").forEach(row -> {
                if (row.hasNonNull("reason")
                        && row.get("in_current_observation").asBoolean()) {
                    others.add(row.get("venue").asText());
                }
            });
            assertEquals(Set.of("bluefin"), others);

            installation.simulated().heal("bluefin");
            Http.await(
                    httpPort,
                    "/api/v1/venues",
                    PATIENCE,
                    json -> !venue(json, "bluefin").hasNonNull("reason"));
        }
    }

    @Test
    void aRestartServesTheFullListWithoutANewPoll() throws Exception {
        int rows;
        try (Installation first = start(new SourceOption.Simulated(), Map.of())) {
            rows = Http.await(httpPort, allVenues(), PATIENCE, json -> true)
                    .get("rows")
                    .size();
            assertTrue(first.simulated() != null);
        }
        try (Installation again = start(new SourceOption.Simulated(), Installations.asking("dydx", "60s"))) {
            JsonNode list = Http.await(httpPort, allVenues(), PATIENCE, json -> true);
            assertEquals(rows, list.get("rows").size());
            for (String venue : List.of("binance", "okx")) {
                assertEquals(0, again.simulated().requests(venue), venue + " was not asked again");
            }
        }
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

    private JsonNode awaitProgress(String venue, JsonNode before) throws InterruptedException {
        long seen = venue(before, venue).get("last_observed_ms").asLong();
        return Http.await(
                httpPort,
                "/api/v1/venues",
                PATIENCE,
                json -> venue(json, venue).get("last_observed_ms").asLong() > seen + 4_000);
    }

    private static String allVenues() {
        return "/api/v1/latest?venues="
                + String.join(
                        ",", Registry.all().stream().map(v -> v.spec().id()).toList());
    }

    private static JsonNode venue(JsonNode venues, String id) {
        for (JsonNode row : venues.get("rows")) {
            if (row.get("venue").asText().equals(id)) {
                return row;
            }
        }
        throw new AssertionError(id + " is not listed");
    }

    /** The rows of a list, character for character, without the mark of stale ones. */
    private static List<String> rows(String body) {
        int begin = body.indexOf("\"rows\":[") + "\"rows\":[".length();
        String list = body.substring(begin, body.indexOf("}]", begin) + 1);
        // The gateway marks rows that are older than 180 s; their record has no mark.
        return List.of(list.replace(",\"stale\":true}", "}").split("(?<=}),(?=\\{)"));
    }

    private void readAll(String topic, Map<String, Set<String>> values) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", "127.0.0.1:" + kafkaPort,
                "isolation.level", "read_committed",
                "auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(p -> new TopicPartition(topic, p.partition()))
                    .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(200))
                        .forEach(record -> values.computeIfAbsent(record.key(), key -> new HashSet<>())
                                .add(record.value()));
            }
        }
    }
}
