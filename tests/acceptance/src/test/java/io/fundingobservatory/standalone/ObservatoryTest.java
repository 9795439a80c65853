package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.ingest.VenueAssignment;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.kit.SharedBroker;
import io.fundingobservatory.runtime.CompactedTopic;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.standalone.exchanges.SourceOption;
import io.fundingobservatory.testbed.ClosedPort;
import io.fundingobservatory.testbed.FreePort;
import io.fundingobservatory.testbed.broker.EmbeddedKafka;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The command line: what it prints, and one readable line with an exit code for everything that cannot be done. */
@ExtendWith(SharedBroker.class)
class ObservatoryTest {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private static Ran observatory(String... args) {
        return Ran.observatory(args);
    }

    private static void assertRefused(String part, String... args) {
        Ran ran = observatory(args);
        assertEquals(1, ran.exit());
        assertTrue(ran.err().contains(part), ran.err());
    }

    @Test
    void readShowsRowsOfRecordedResponses(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("fapi_premiumIndex.json"), """
                [{"symbol":"1000CATUSDT","markPrice":"0.0125","indexPrice":"0.0126","lastFundingRate":"-0.0001",
                  "nextFundingTime":1790006400000,"time":1789999998000},
                 {"symbol":"GONEUSDT","markPrice":"1","lastFundingRate":"0.1","nextFundingTime":0}]
                """);
        Files.writeString(folder.resolve("fapi_exchangeInfo.json"), """
                {"symbols":[
                  {"symbol":"1000CATUSDT","contractType":"PERPETUAL","status":"TRADING","baseAsset":"1000CAT","quoteAsset":"USDT"},
                  {"symbol":"GONEUSDT","contractType":"PERPETUAL","status":"SETTLING","baseAsset":"GONE","quoteAsset":"USDT"}]}
                """);
        Files.writeString(
                folder.resolve("fapi_fundingInfo.json"), "[{\"symbol\":\"1000CATUSDT\",\"fundingIntervalHours\":4}]");
        Files.writeString(folder.resolve("dapi_premiumIndex.json"), "<html>");

        Ran ran = observatory("read", "binance", folder.toString(), "--at", "1790000000000");

        assertEquals(0, ran.exit(), ran.err());
        JsonNode response = JSON.readTree(ran.out());
        assertEquals(1, response.get("rows").size());
        JsonNode row = response.get("rows").get(0);
        assertEquals("CAT", row.get("asset").asText());
        assertEquals(0, new BigDecimal("1000").compareTo(row.get("price_scale").decimalValue()));
        assertEquals(
                0,
                new BigDecimal("-0.0002").compareTo(row.get("funding_rate_8h").decimalValue()));
        assertEquals(1_790_000_000_000L, row.get("observed_at_ms").asLong());
        assertEquals(
                "[{\"symbol\":\"GONEUSDT\",\"reason\":\"not_trading\"}]",
                response.get("skipped").toString());
        assertTrue(ran.err().contains("dapi_premiumIndex counts as without a response"), ran.err());
    }

    @Test
    void probeRequestsOnceAndPrintsResult() {
        Ran ran = observatory("probe", "--exchanges", "simulated", "binance", "okx", "hyperliquid");
        assertEquals(0, ran.exit(), ran.err());
        List<String> lines = ran.out().lines().toList();
        assertEquals(5, lines.size(), ran.out());
        assertTrue(lines.getFirst().startsWith("exchange "), ran.out());
        assertTrue(lines.get(1).matches("binance +200x\\d+ +\\d{4,} +\\d{3} +\\d+ +\\d+ %.*"), ran.out());
        assertTrue(lines.getLast().startsWith("3 of 3 exchanges brought rows"), ran.out());
    }

    @Test
    void whatIsRecordedIsWhatReadTakes(@TempDir Path folder) throws IOException {
        Ran recorded =
                observatory("record", folder.toString(), "--exchanges", "simulated", "--json", "binance", "kraken");
        assertEquals(0, recorded.exit(), recorded.err());
        for (JsonNode venue : JSON.readTree(recorded.out()).get("venues")) {
            String id = venue.get("venue").asText();
            assertTrue(venue.get("requests").size() > 1, recorded.out());
            for (JsonNode request : venue.get("requests")) {
                assertEquals(200, request.get("status").asInt(), recorded.out());
                assertTrue(request.get("bytes").asInt() > 1, recorded.out());
            }
            Ran read = observatory("read", id, folder.resolve(id).toString());
            // rows that only the normalisation refuses are rows of the probe
            JsonNode response = JSON.readTree(read.out());
            int left = 0;
            for (JsonNode skipped : venue.get("skipped")) {
                left += skipped.asInt();
            }
            assertEquals(
                    venue.get("rows").asInt() + left,
                    response.get("rows").size() + response.get("skipped").size(),
                    id);
            assertTrue(venue.get("rows").asInt() > 50, id);
            Ran history =
                    observatory("read", "--history", id, folder.resolve(id).toString());
            assertTrue(JSON.readTree(history.out()).get("settlements").size() > 5, id + history.out() + history.err());
        }
    }

    @Test
    void readNamesUnknownVenues(@TempDir Path folder) {
        assertRefused("binance", "read", "nowhere", folder.toString());
        Ran noFolder = observatory("read", "binance", folder.resolve("none").toString());
        assertEquals(1, noFolder.exit());
        assertTrue(noFolder.err().startsWith("observatory: no such folder"), noFolder.err());
        assertEquals(1, noFolder.err().strip().lines().count());
    }

    @Test
    void topicsPrintsTheWholeCatalogue() {
        Ran ran = observatory("topics");
        assertEquals(0, ran.exit());
        Topics.typed().forEach(t -> assertTrue(ran.out().contains(t.name()), t.name()));
        Topics.plain().forEach(t -> assertTrue(ran.out().contains(t.name()), t.name()));
    }

    @Test
    void topicsReportsThatNoBrokerResponds(@TempDir Path folder) throws IOException {
        Path config = Files.writeString(
                folder.resolve("client.properties"), "default.api.timeout.ms = 1000\nrequest.timeout.ms = 500\n");
        try (var unreachable = new ClosedPort()) {
            assertRefused(
                    unreachable.address(),
                    "topics",
                    "--create",
                    "--bootstrap-server",
                    unreachable.address(),
                    "--command-config",
                    config.toString());
        }
    }

    @Test
    void backfillResetsProgressOfNamedExchangesOnly(KafkaFixture kafka) throws Exception {
        var access = KafkaAccess.at(kafka.bootstrapServers());
        try (var publisher =
                new Publisher(Publisher.producer(access), InstantSource.system(), IngestEvents.NONE, fatal -> {})) {
            publisher.publishProgress(new HistoryProgress("gate", "BTC_USDT", 1_790_000_000_000L, true));
            publisher.publishProgress(new HistoryProgress("okx", "BTC-USDT-SWAP", 1_790_000_000_000L, true));
        }
        String[] backfill = {"backfill", "gate", "--bootstrap-server", kafka.bootstrapServers()};
        var assigned = new CountDownLatch(1);
        try (var ingest = new VenueAssignment(
                VenueAssignment.member(access, "eu"), venues -> assigned.countDown(), venues -> {}, lost -> {})) {
            ingest.start();
            assertTrue(assigned.await(2, TimeUnit.MINUTES));
            Ran refused = observatory(backfill);
            assertEquals(1, refused.exit());
            assertTrue(refused.err().contains("group observatory-ingest-eu): stop it first"), refused.err());
            assertEquals(2, CompactedTopic.read(access, Topics.INGEST_PROGRESS).size());
        }
        Ran ran = observatory(backfill);
        assertEquals(0, ran.exit(), ran.err());
        assertTrue(ran.out().strip().endsWith("started: 1"), ran.out());
        assertEquals(
                Set.of("okx|BTC-USDT-SWAP"),
                CompactedTopic.read(access, Topics.INGEST_PROGRESS).keySet());
        assertRefused("127.0.0.1:1", "backfill", "all", "--bootstrap-server", "127.0.0.1:1");
        assertRefused("not a listed venue: nowhere", "backfill", "nowhere");
    }

    @Test
    void aPortInUseIsOneReadableLine(@TempDir Path data) throws IOException {
        try (var taken = new ServerSocket(0)) {
            Ran ran = observatory(
                    "run",
                    "--exchanges",
                    "simulated",
                    "--data",
                    data.toString(),
                    "--http-port",
                    Integer.toString(taken.getLocalPort()));
            assertEquals(1, ran.exit());
            assertTrue(
                    ran.err().contains("port " + taken.getLocalPort())
                            && ran.err().contains("--http-port"),
                    ran.err());
        }
    }

    @Test
    void simulationWithoutContractsIsOneReadableLine(@TempDir Path folder) {
        Path data = folder.resolve("data");
        for (List<String> command : List.of(
                List.of("simulate", "--contracts", "0"),
                List.of("run", "--exchanges", "simulated", "--data", data.toString(), "--contracts", "0"))) {
            Ran ran = observatory(command.toArray(String[]::new));
            assertEquals(1, ran.exit(), command::toString);
            assertEquals(
                    "observatory: --contracts is at least 1, not 0", ran.err().strip());
        }
        assertTrue(Files.notExists(data));
    }

    @Test
    void unwritableDataIsOneReadableLine(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a directory");
        var words = new ArrayList<>(List.of("run", "--exchanges", "simulated", "--data", file.toString()));
        for (String port : List.of("--http-port", "--management-port", "--kafka-port")) {
            words.addAll(List.of(port, Integer.toString(FreePort.next())));
        }
        assertRefused("--data", words.toArray(String[]::new));
    }

    @Test
    void unknownSourceOrOptionIsUsageError() {
        assertEquals(2, observatory("run", "--exchanges", "maybe").exit());
        assertEquals(
                2, observatory("run", "--exchanges", "replay:/does/not/exist").exit());
        assertEquals(2, observatory("--nonsense").exit());
        assertEquals(0, observatory("--version").exit());
        assertTrue(observatory("--help").out().contains("read"));
    }

    /** A broker that holds values of another source is the one failure of a service that a test can bring about at will. */
    @Test
    void failedServiceEndsProcessWithOneLine(@TempDir Path folder) throws Exception {
        try (DataDirectory data = DataDirectory.take(folder, new SourceOption.Simulated());
                EmbeddedKafka broker = EmbeddedKafka.start(data.kafka(), 0)) {
            var access = KafkaAccess.at(broker.bootstrapServers());
            try (Admin admin = Admin.create(access.client(Map.of()));
                    var producer = new KafkaProducer<>(
                            access.client(Map.of()), new StringSerializer(), new ByteArraySerializer())) {
                TopicCreation.ensure(admin, (short) 1);
                var status =
                        new VenueStatus("gate", Source.LIVE, null, false, null, null, null, null, null, null, Map.of());
                producer.send(new ProducerRecord<>(
                                Topics.VENUES_STATUS.name(),
                                "gate",
                                Topics.VENUES_STATUS.codec().encode(status)))
                        .get();
            }
        }
        Ran ran = observatory(Ran.wordsOfRun(folder, "--exchanges", "simulated"));
        assertEquals(1, ran.exit(), ran.err());
        String line = ran.err()
                .lines()
                .filter(l -> l.startsWith("observatory: "))
                .findFirst()
                .orElse(ran.err());
        assertTrue(
                line.startsWith("observatory: ingest has failed: the brokers at ")
                        && line.contains("hold LIVE data, and this process observes SIMULATED data"),
                line);
        DataDirectory.take(folder, new SourceOption.Simulated()).close();
    }
}
