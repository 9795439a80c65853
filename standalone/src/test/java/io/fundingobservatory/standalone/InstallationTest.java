package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fundingobservatory.standalone.progress.JsonProgress;
import io.fundingobservatory.testbed.sim.Fault;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.Topics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything in one process: a real broker, the topology, simulated exchanges, real HTTP. One installation, with four exchanges that are
 * polled every two seconds, answers all questions that do not stop it; the whole of it, with all exchanges, a kill and a restart, is the
 * runnable jar's test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InstallationTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration HISTORY = Duration.ofMinutes(3);

    /** Small ones, whose 30 days are soon read: linear, inverse and quanto contracts that settle every 1, 4 or 8 hours. */
    private static final List<String> VENUES = List.of("bitmex", "deribit", "htx", "phemex");

    private static final Map<String, String> SETTINGS =
            Map.of("observatory.ingest.poll-interval", "2s", "observatory.ingest.venues", String.join(",", VENUES));

    @TempDir
    private static Path folder;

    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();
    private int http;
    private int kafka;
    private Installation installation;

    @BeforeAll
    void start() throws IOException, InterruptedException {
        http = Http.freePort();
        kafka = Http.freePort();
        var ports = new Installation.Ports(
                new Port(http, "--http-port"),
                new Port(Http.freePort(), "--management-port"),
                new Port(kafka, "--kafka-port"));
        var exchanges = new SourceOption.Simulated();
        SETTINGS.forEach(System::setProperty);
        try {
            installation = Installation.start(
                    exchanges,
                    DataDirectory.take(folder.resolve("data"), exchanges),
                    ports,
                    1,
                    new JsonProgress(new PrintStream(progress, true, StandardCharsets.UTF_8), InstantSource.system()));
        } finally {
            SETTINGS.keySet().forEach(System::clearProperty);
        }
    }

    @AfterAll
    void stop() {
        installation.close();
    }

    @Test
    void everyRecordIsWhatTheServedDescriptionSays() throws Exception {
        Http.await(http, "/api/v1/carry", HISTORY, json -> json.get("rows").size() > 0);
        JsonNode asyncapi = new ObjectMapper(new YAMLFactory())
                .readTree(Http.get(http, "/asyncapi.yaml").body());
        var counted = new TreeMap<String, Integer>();
        for (JsonNode channel : asyncapi.path("channels")) {
            String topic = channel.path("address").asText();
            JsonNode message = asyncapi.at(channel.path("messages")
                    .elements()
                    .next()
                    .path("$ref")
                    .asText()
                    .substring(1));
            counted.put(topic, Records.heldAgainst(message, kafka, http, topic));
        }
        System.out.println("Records held against /asyncapi.yaml: " + counted);
        // The first estimate meets its settlement when the first hour is over.
        Set<String> none = Set.of("dead-letters", Topics.VENUES_QUALITY.name());
        counted.forEach((topic, count) -> assertTrue(count > 0 || none.contains(topic), topic));
        assertEquals(0, counted.get("dead-letters"), "nothing was refused");
    }

    @Test
    void topShowsTheServiceAsItAnswers() throws Exception {
        Http.await(
                http,
                "/api/v1/carry?venues=all",
                HISTORY,
                json -> json.get("rows").size() > 3);
        Ran ran = Ran.observatory("top", "--url", "localhost:" + http, "BTC", "NOSUCHASSET", "--pairs", "3");
        assertEquals(0, ran.exit(), ran.err());
        List<String> lines = ran.out().lines().toList();
        assertTrue(lines.get(0).endsWith(" at http://localhost:" + http), ran.out());
        assertEquals("SIMULATED: no figure is real", lines.get(1));
        assertTrue(lines.contains("! no exchange in scope lists NOSUCHASSET"), ran.out());
        JsonNode latest = Http.json(http, "/api/v1/latest?assets=BTC&venues=all");
        List<String> shown =
                lines.stream().filter(line -> line.startsWith("BTC ")).toList();
        assertEquals(latest.get("rows").size(), shown.size(), ran.out());
        for (JsonNode row : latest.get("rows")) {
            String symbol = " " + row.get("venue").asText() + " ";
            assertTrue(shown.stream().anyMatch(line -> line.contains(symbol)), symbol + ran.out());
        }
        for (String venue : VENUES) {
            assertTrue(lines.stream().anyMatch(line -> line.matches(venue + " +observed +\\d+ .*")), venue + ran.out());
        }
    }

    @Test
    void theStartIsFollowedUntilEachExchangeIsReadBack() throws Exception {
        long until = System.nanoTime() + HISTORY.toNanos();
        while (!progress.toString(StandardCharsets.UTF_8).contains("30 days of settled rates are read after")) {
            assertTrue(System.nanoTime() < until, () -> progress.toString(StandardCharsets.UTF_8));
            LockSupport.parkNanos(100_000_000);
        }
        List<JsonNode> events = new ArrayList<>();
        for (String line : progress.toString(StandardCharsets.UTF_8).lines().toList()) {
            events.add(new ObjectMapper().readTree(line));
        }
        for (String venue : VENUES) {
            JsonNode last = events.stream()
                    .filter(event -> event.path("venue").asText().equals(venue))
                    .reduce((before, after) -> after)
                    .orElseThrow();
            assertEquals("complete", last.get("state").asText(), last::toString);
            assertTrue(last.get("contracts").asInt() > 20, last::toString);
            assertEquals(last.get("history_contracts"), last.get("history_contracts_read"), last::toString);
        }
    }

    @Test
    void pairsOverThirtyDaysCanBeRecomputedByAnybody() throws Exception {
        JsonNode carry = Http.await(
                http, "/api/v1/carry", HISTORY, json -> json.get("rows").size() > 3);
        for (JsonNode row : carry.get("rows")) {
            assertEquals(
                    0,
                    row.get("funding_difference_30d")
                            .decimalValue()
                            .compareTo(row.at("/short/funding_sum_30d")
                                    .decimalValue()
                                    .subtract(row.at("/long/funding_sum_30d").decimalValue())));
            assertEquals(row.at("/short/settlements"), row.at("/short/expected"));
            assertEquals(row.at("/long/settlements"), row.at("/long/expected"));
            assertTrueToTheModel(row.get("short"), carry);
            assertTrueToTheModel(row.get("long"), carry);
        }
        String asset = carry.at("/rows/0/asset").asText();
        assertEquals(0, Observatory.execute("receipt", asset, "--bootstrap-server", "127.0.0.1:" + kafka));
        assertEquals(1, Observatory.execute("receipt", "NOSUCHASSET", "--bootstrap-server", "127.0.0.1:" + kafka));
    }

    /** What the simulated exchange truly charged in the window, summed by the model itself. */
    private void assertTrueToTheModel(JsonNode leg, JsonNode carry) {
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
        Http.await(http, "/api/v1/latest?venues=all", PATIENCE, json -> true);
        installation.simulated().fault("htx", new Fault.HtmlInsteadOfJson());
        JsonNode venues = Http.await(
                http, "/api/v1/venues", PATIENCE, json -> venue(json, "htx").hasNonNull("reason"));
        // What was asked before the fault may still be on its way; after two more polls of another venue it has
        // arrived.
        JsonNode settled = awaitProgress("phemex", venues);
        JsonNode later = awaitProgress("phemex", settled);
        assertEquals(
                venue(settled, "htx").get("last_observed_ms"),
                venue(later, "htx").get("last_observed_ms"),
                "old rows are kept, none is made up");
        assertTrue(venue(later, "htx").get("in_current_observation").asBoolean());
        var others = new HashSet<String>();
        later.get("rows").forEach(row -> {
            if (row.hasNonNull("reason") && row.get("in_current_observation").asBoolean()) {
                others.add(row.get("venue").asText());
            }
        });
        assertEquals(Set.of("htx"), others);

        installation.simulated().heal("htx");
        Http.await(http, "/api/v1/venues", PATIENCE, json -> !venue(json, "htx").hasNonNull("reason"));
    }

    private JsonNode awaitProgress(String venue, JsonNode before) throws InterruptedException {
        long seen = venue(before, venue).get("last_observed_ms").asLong();
        return Http.await(
                http,
                "/api/v1/venues",
                PATIENCE,
                json -> venue(json, venue).get("last_observed_ms").asLong() > seen + 4_000);
    }

    private static JsonNode venue(JsonNode venues, String id) {
        for (JsonNode row : venues.get("rows")) {
            if (row.get("venue").asText().equals(id)) {
                return row;
            }
        }
        throw new AssertionError(id + " is not listed");
    }
}
