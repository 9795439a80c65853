package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.standalone.exchanges.SourceOption;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.server.Fault;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.records.AssetClass;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** One installation with five simulated venues, read as its users read it; at the end one venue goes bad. */
@Execution(ExecutionMode.SAME_THREAD)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FiveVenuesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    @TempDir
    private static Path folder;

    private static Installation installation;
    private static SimulatedExchanges simulated;
    private static JsonNode carry;
    private static int http;
    private static int kafka;

    @BeforeAll
    static void start() throws Exception {
        Installation.Ports ports = Http.freePorts();
        http = ports.http().number();
        kafka = ports.kafka().number();
        installation = Installations.start(
                new SourceOption.Simulated(),
                folder.resolve("data"),
                ports,
                Installations.polling("binance,bybit,bluefin,gemini,paradex", "5s"));
        simulated = Objects.requireNonNull(installation.simulated());
        carry = Http.await(
                http, "/api/v1/carry", PATIENCE, json -> json.get("rows").size() > 3);
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    @Order(1)
    void pairsOverThirtyDaysCanBeRecomputedByAnybody() throws Exception {
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
        String brokers = "127.0.0.1:" + kafka;
        assertEquals(0, Observatory.execute("receipt", asset, "--bootstrap-server", brokers));
        assertEquals(1, Observatory.execute("receipt", "NOSUCHASSET", "--bootstrap-server", brokers));
    }

    /** What the simulated exchange truly charged in the window, summed by the model itself. */
    private static void assertTrueToTheModel(JsonNode leg, JsonNode carry) {
        String venue = leg.get("venue").asText();
        Wire wire = wire(venue);
        long endMs = carry.get("window_end_ms").asLong();
        SimulatedContract contract =
                simulated.market().at(venue, endMs).find(wire, leg.get("symbol").asText());
        BigDecimal truth = contract.settledBetween(carry.get("window_start_ms").asLong() + 1, endMs).stream()
                .map(SimulatedContract.Settled::rate)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        assertEquals(0, truth.compareTo(leg.get("funding_sum_30d").decimalValue()), leg + " is truly " + truth);
    }

    private static Wire wire(String venue) {
        return Wires.all().stream()
                .filter(w -> w.venue().equals(venue))
                .findFirst()
                .orElseThrow();
    }

    /** Binance states that its contracts are of coins, Bluefin and Gemini state nothing. */
    @Test
    @Order(2)
    void classesAreThoseThatVenuesState() throws Exception {
        JsonNode coins = Http.json(http, "/api/v1/latest?asset_class=crypto&venues=binance,bluefin,gemini");
        var venues = new HashSet<String>();
        for (JsonNode row : coins.get("rows")) {
            String venue = row.get("venue").asText();
            venues.add(venue);
            SimulatedContract contract = simulated
                    .market()
                    .at(venue, row.get("observed_at_ms").asLong())
                    .find(wire(venue), row.get("symbol").asText());
            assertEquals(AssetClass.CRYPTO, wire(venue).assetClass(contract), row::toString);
            assertEquals("crypto", row.get("asset_class").asText());
        }
        assertEquals(Set.of("binance"), venues);
        var unclassed = new HashSet<String>();
        coins.at("/meta/missing/symbols").forEach(left -> {
            if (left.get("reason").asText().equals("asset_class_not_published")) {
                unclassed.add(left.get("venue").asText());
            }
        });
        assertEquals(Set.of("bluefin", "gemini"), unclassed);
    }

    @Test
    @Order(2)
    void agentsQuestionsHaveDocumentedResponses() throws Exception {
        AgentsSession.check(http);
    }

    @Test
    @Order(3)
    void examplesRun() throws Exception {
        ExamplesSession.run(http, "127.0.0.1:" + kafka);
    }

    @Test
    @Order(4)
    void recordsMatchTheServedDescription() throws Exception {
        TopicsAsDescribed.check(http, kafka);
    }

    @Test
    @Order(5)
    void oneBadVenueChangesOnlyItself() throws Exception {
        simulated.fault("bluefin", new Fault.HtmlInsteadOfJson());
        JsonNode venues = Http.await(
                http, "/api/v1/venues", PATIENCE, json -> venue(json, "bluefin").hasNonNull("reason"));
        // What was requested before the fault may still be under way; after two more polls of another venue it has
        // arrived.
        JsonNode settled = awaitProgress("gemini", venues);
        JsonNode later = awaitProgress("gemini", settled);
        assertEquals(
                venue(settled, "bluefin").get("last_observed_ms"),
                venue(later, "bluefin").get("last_observed_ms"),
                "old rows are kept, none is made up");
        assertTrue(venue(later, "bluefin").get("in_current_observation").asBoolean());
        var others = new HashSet<String>();
        later.get("rows").forEach(row -> {
            if (row.hasNonNull("reason") && row.get("in_current_observation").asBoolean()) {
                others.add(row.get("venue").asText());
            }
        });
        assertEquals(Set.of("bluefin"), others);

        simulated.heal("bluefin");
        Http.await(
                http,
                "/api/v1/venues",
                PATIENCE,
                json -> !venue(json, "bluefin").hasNonNull("reason"));
    }

    private static JsonNode awaitProgress(String venue, JsonNode before) throws InterruptedException {
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
