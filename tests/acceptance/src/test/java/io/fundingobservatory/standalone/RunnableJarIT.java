package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.process.JavaProcess;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.testbed.FreePort;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.AssetClass;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The packaged jar with all simulated venues, as an operator starts it and as users read it. At the end: SIGKILL, the same list again,
 * an orderly stop.
 */
@Execution(ExecutionMode.SAME_THREAD)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RunnableJarIT {
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final String ALL = "/api/v1/latest?venues=all";

    /** On a slow machine a client may outlive the broker at a stop; the line is then true. */
    private static final String AWAY = "could not be established";

    /** Warnings of libraries that would come at every start or stop. */
    private static final List<String> NOISE = List.of(
            "sun.misc.Unsafe",
            AWAY,
            "Performing controller activation",
            "TOPIC_ALREADY_EXISTS",
            "Not updating last stable offset",
            "has already been closed",
            "trying again",
            "The client is closed");

    /** Few of each kind: 30 days of each are read while the tests run. Nightly all, by the property of {@link Realism#SMALL}. */
    private static final int CONTRACTS = Integer.getInteger("observatory.simulated.contracts", 3);

    /** What the venues of the process truly charge: the same seed makes the same market. */
    private static final SimulatedMarket MARKET = new SimulatedMarket(1, Wires.all(), CONTRACTS);

    @TempDir
    private static Path folder;

    private static final int HTTP = FreePort.next();
    private static final int MANAGEMENT = FreePort.next();
    private static final int KAFKA = FreePort.next();
    private static final String BROKERS = "127.0.0.1:" + KAFKA;
    private static JavaProcess process;

    @BeforeAll
    static void start() {
        process = run("runnable-jar-first", "-Dobservatory.ingest.poll-interval=60s");
    }

    @AfterAll
    static void stop() {
        process.kill();
    }

    /** Nothing waits for limits of simulated exchanges, nor for further settlements: tests of their own hold both. */
    private static JavaProcess run(String name, String setting) {
        Path jar = Checkout.ROOT.resolve("standalone/target/observatory.jar");
        var words = new ArrayList<>(List.of(
                "@" + Checkout.ROOT.resolve("standalone/run.options"),
                "-Xmx768m",
                "-XX:TieredStopAtLevel=1",
                "-Dobservatory.gateway.traffic.exempt=127.0.0.1",
                "-Dobservatory.ingest.limits=none",
                "-Dobservatory.streams.tables-wait=2s",
                setting,
                "-jar",
                jar.toString()));
        words.addAll(List.of("--exchanges", "simulated", "--contracts", "" + CONTRACTS));
        words.addAll(List.of("--data", folder.resolve("data").toString(), "--http-port", "" + HTTP));
        words.addAll(List.of("--management-port", "" + MANAGEMENT, "--kafka-port", "" + KAFKA));
        return JavaProcess.start(new JavaProcess.Spec(name, words, Map.of(), 0), Path.of("target"));
    }

    @Test
    @Order(1)
    void servesEveryVenueAsOnTheTopic() throws Exception {
        JsonNode first = list(
                ALL, json -> json.at("/meta/coverage").asInt() == Wires.all().size());
        assertEquals("simulated", first.at("/meta/source").asText());
        assertEquals(first.get("rows").size(), first.at("/meta/row_count").asInt());
        Set<String> rows = rows(Http.get(HTTP, ALL).body());
        rows.removeAll(onTopic(Topics.RATES_NORMALISED.name()));
        if (!rows.isEmpty()) {
            // Observed between the two readings: it must be there now.
            rows.removeAll(onTopic(Topics.RATES_NORMALISED.name()));
        }
        assertEquals(Set.of(), rows, "not on the topic, byte for byte");
    }

    /** The rows of a list, character for character, without what records have not: the mark of stale rows, and classes of other venues. */
    private static Set<String> rows(String body) {
        int begin = body.indexOf("\"rows\":[") + "\"rows\":[".length();
        String list = body.substring(begin, body.indexOf("}]", begin) + 1).replace(",\"stale\":true", "");
        String byAsset = ",\"asset_class_by_asset\":true}";
        return Arrays.stream(list.split("(?<=}),(?=\\{)"))
                .map(row -> row.endsWith(byAsset)
                        ? row.replace(byAsset, "}").replaceFirst("\"asset_class\":\"[a-z]+\"", "\"asset_class\":null")
                        : row)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> onTopic(String topic) {
        var values = new HashSet<String>();
        Map<String, Object> config = Map.of("bootstrap.servers", BROKERS, "isolation.level", "read_committed");
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            TopicReader.fromBeginning(consumer, topic).toEnd(record -> values.add(record.value()));
        }
        return values;
    }

    /** On Linux the whole of 127.0.0.0/8 is this machine: a listener on all addresses responds at 127.0.0.2 as well. */
    @Test
    @Order(2)
    void managementListensOnThisMachineAlone() throws Exception {
        assertEquals(200, Http.get(MANAGEMENT, "/health/liveness").statusCode());
        assertEquals(404, Http.get(MANAGEMENT, "/api/v1").statusCode());
        try (var socket = new Socket("127.0.0.2", HTTP)) {
            assertTrue(socket.isConnected());
        }
        assertThrows(ConnectException.class, () -> new Socket("127.0.0.2", MANAGEMENT).close());
    }

    @Test
    @Order(2)
    void anybodyCanRecomputeThirtyDayPairs() throws Exception {
        JsonNode carry =
                list("/api/v1/carry?venues=all", json -> json.get("rows").size() > 3);
        int judged = 0;
        for (JsonNode row : carry.get("rows")) {
            assertEquals(
                    0,
                    row.get("funding_difference_30d")
                            .decimalValue()
                            .compareTo(row.at("/short/funding_sum_30d")
                                    .decimalValue()
                                    .subtract(row.at("/long/funding_sum_30d").decimalValue())));
            for (JsonNode leg : List.of(row.get("short"), row.get("long"))) {
                // The model knows whole periods: of those that a venue accrues by the hour, the window may hold a part.
                if (leg.get("basis").asText().equals("settled")) {
                    assertIsWhatWasCharged(leg, carry);
                    judged++;
                }
            }
        }
        assertTrue(judged > 3, judged + " legs");
        String asset = carry.at("/rows/0/asset").asText();
        // A table that changes while it is computed again differs once.
        Await.until(
                "receipts of " + asset,
                () -> Observatory.execute("receipt", asset, "--bootstrap-server", BROKERS) == 0);
        assertEquals(1, Observatory.execute("receipt", "NOSUCHASSET", "--bootstrap-server", BROKERS));
    }

    private static void assertIsWhatWasCharged(JsonNode leg, JsonNode carry) {
        assertEquals(leg.get("settlements"), leg.get("expected"));
        long endMs = carry.get("window_end_ms").asLong();
        BigDecimal truth =
                contract(leg, endMs).settledBetween(carry.get("window_start_ms").asLong() + 1, endMs).stream()
                        .map(SimulatedContract.Settled::rate)
                        .reduce(BigDecimal.ZERO, BigDecimal::add);
        assertEquals(0, truth.compareTo(leg.get("funding_sum_30d").decimalValue()), leg + " is truly " + truth);
    }

    private static SimulatedContract contract(JsonNode row, long atMs) {
        String venue = row.get("venue").asText();
        Wire wire = Wires.all().stream()
                .filter(each -> each.venue().equals(venue))
                .findFirst()
                .orElseThrow();
        return MARKET.at(venue, atMs).find(wire, row.get("symbol").asText());
    }

    /** Binance states that its contracts are of coins; WOO X and Gemini state nothing, and have the class of their assets. */
    @Test
    @Order(2)
    void classesAreThoseThatVenuesState() throws Exception {
        JsonNode coins = Http.json(HTTP, "/api/v1/latest?asset_class=crypto&venues=binance,woox,gemini");
        var venues = new HashSet<String>();
        for (JsonNode row : coins.get("rows")) {
            venues.add(row.get("venue").asText());
            // Of the market, of whichever venue states it.
            assertEquals(
                    AssetClass.CRYPTO,
                    contract(row, row.get("observed_at_ms").asLong()).assetClass(),
                    row::toString);
            assertEquals("crypto", row.get("asset_class").asText());
            assertEquals(!row.get("venue").asText().equals("binance"), row.has("asset_class_by_asset"), row::toString);
        }
        assertEquals(Set.of("binance", "woox", "gemini"), venues);
    }

    @Test
    @Order(3)
    void agentsQuestionsHaveDocumentedResponses() throws Exception {
        AgentsSession.check(HTTP);
    }

    @Test
    @Order(3)
    void examplesRun() throws Exception {
        ExamplesSession.run(HTTP, BROKERS);
    }

    @Test
    @Order(3)
    void recordsMatchTheServedDescription() throws Exception {
        TopicsAsDescribed.check(HTTP, KAFKA);
    }

    @Test
    @Order(4)
    void survivesKillAndStopsInOrder() throws Exception {
        int rows = Http.json(HTTP, ALL).get("rows").size();
        process.kill();
        assertQuiet(NOISE);

        // Only one small venue is polled after the restart. All other rows were in Kafka.
        process = run("runnable-jar-second", "-Dobservatory.ingest.venues=dydx");
        JsonNode again = list(ALL, json -> true);
        assertTrue(again.get("rows").size() >= rows, again.get("rows").size() + " of " + rows + " rows");
        assertQuiet(NOISE);

        assertEquals(143, process.terminate(Duration.ofMinutes(5)));
        assertTrue(
                process.hasLogged(" venues at http://localhost:" + HTTP + ALL + "; SIMULATED"),
                () -> process.logged("").toString());
        assertQuiet(NOISE.stream().filter(line -> !line.equals(AWAY)).toList());
    }

    /** The first list that is as wanted. A process that has ended fails the test at once, with its log. */
    private static JsonNode list(String path, Predicate<JsonNode> wanted) throws InterruptedException {
        return Http.await(
                HTTP,
                path,
                PATIENCE,
                wanted,
                () -> assertTrue(process.isAlive(), () -> process.logged("").toString()));
    }

    private static void assertQuiet(List<String> noise) {
        assertEquals(
                List.of(),
                process.logged("").stream()
                        .filter(line -> noise.stream().anyMatch(line::contains))
                        .toList());
    }
}
