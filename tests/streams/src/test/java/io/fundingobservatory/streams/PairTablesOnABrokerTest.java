package io.fundingobservatory.streams;

import static io.fundingobservatory.streams.DamagedTopics.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.streams.pairs.PairsStores;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Basis;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables of 30 days against a real broker: complete, equal to a plain sum, and the same bytes whatever is lost and read again. */
class PairTablesOnABrokerTest {
    private static final int PAIRS_OF_AN_ASSET = 15;
    private static final int EXCHANGES = 6;

    private KafkaFixture kafka;
    private SettledMarket market;

    @TempDir
    Path directory;

    private DamagedTopics streams;

    @BeforeEach
    void open() throws Exception {
        kafka = KafkaFixture.start();
        market = new SettledMarket(kafka.bootstrapServers());
        streams = new DamagedTopics(kafka, directory.resolve("streams"));
    }

    @AfterEach
    void close() {
        market.close();
        kafka.close();
    }

    @Test
    void publishesSameTablesWhateverIsLost() throws Exception {
        int assets = SettledMarket.ASSETS.size();
        BrokerStamps.byTheTest(kafka);
        market.publishLedger();
        StreamsService service = streams.start();
        market.list();
        await(() -> SettledMarket.complete(streams.tables()) == assets * PAIRS_OF_AN_ASSET, "every pair is complete");
        Map<String, byte[]> first = streams.tables();
        market.check(first);
        service.close();
        int settlements = streams.count(Topics.SETTLEMENTS.name());
        int events = streams.count(Topics.RATES_NORMALISED.name());
        Map<String, Map<String, String>> changelogs = streams.changelogSettings();

        // The stores are lost: they come back from their changelogs, and hold all that is needed for the next value.
        streams.loseStores();
        service = streams.start();
        same(first, streams.tables());
        BigDecimal before = SettledMarket.pair(first, "BTC").fundingDifference();
        market.correct();
        await(
                () -> !SettledMarket.pair(streams.tables(), "BTC")
                        .fundingDifference()
                        .equals(before),
                "a corrected settlement");
        Map<String, byte[]> corrected = streams.tables();
        market.check(corrected);
        assertArrayEquals(first.get("ETH"), corrected.get("ETH"), "another asset is not touched");
        service.close();
        settlements++;

        // The offsets are lost: everything is read again into stores that know it.
        streams.removeMembers();
        streams.loseOffsets();
        service = startAndSendAgain();
        await(streams::caughtUp, "everything read again");
        same(corrected, streams.tables());
        service.close();
        assertEquals(settlements, streams.count(Topics.SETTLEMENTS.name()), "no settlement twice");
        assertEquals(events, streams.count(Topics.RATES_NORMALISED.name()), "no observation twice");

        // The changelogs are lost, or of another format; offsets and local files are there, and of no use. Before the
        // next poll nobody knows which contracts there are.
        streams.removeMembers();
        streams.loseInternalTopics();
        service = streams.start();
        market.quoteAgain();
        await(streams::caughtUp, "everything read again");
        await(() -> sameAs(corrected, streams.tables()), "the same tables from the ledger's topics");
        service.close();
        assertEquals(settlements, streams.count(Topics.SETTLEMENTS.name()), "no settlement twice");
        assertEquals(
                events + assets * EXCHANGES, streams.count(Topics.RATES_NORMALISED.name()), "no observation twice");

        assertEquals(changelogs, streams.changelogSettings(), "as Kafka Streams creates them");
        changelogs
                .values()
                .forEach(settings -> assertEquals(
                        "compact",
                        settings.get("cleanup.policy"),
                        "what is restored carries old times, and retention would delete it"));

        // A changelog is there without its beginning.
        streams.removeMembers();
        streams.truncate(PairsStores.LEDGER);
        streams.loseStores();
        service = streams.start();
        market.quoteAgain();
        await(streams::caughtUp, "everything read again");
        await(() -> sameAs(corrected, streams.tables()), "the same tables from the ledger's topics");
        service.close();
        assertEquals(settlements, streams.count(Topics.SETTLEMENTS.name()), "no settlement twice");

        // All that is the applications' own is lost, and only the other topics are left.
        streams.removeMembers();
        streams.loseOffsets();
        streams.loseInternalTopics();
        streams.loseStores();
        streams.takeAway(Topics.CONTRACT_EVENTS);
        int published = streams.count(Topics.CARRY_PAIRS.name());
        service = startAndSendAgain();
        await(
                () -> streams.count(Topics.CARRY_PAIRS.name()) >= published + assets,
                "tables made again from the topics alone");
        await(streams::caughtUp, "everything read again");
        await(() -> sameAs(corrected, streams.tables()), "the same tables");
        service.close();
        assertEquals(settlements, streams.count(Topics.SETTLEMENTS.name()), "no settlement twice");
    }

    /** The ledger's load is held up at a record of another writer. */
    @Test
    void ratesRunWhileLedgerIsLoaded() throws Exception {
        int assets = SettledMarket.ASSETS.size();
        market.publishLedger();
        StreamsService service = streams.start();
        market.list();
        await(() -> SettledMarket.complete(streams.tables()) == assets * PAIRS_OF_AN_ASSET, "every pair is complete");
        service.close();

        streams.removeMembers();
        streams.loseTopicsOfPairs();
        BrokerStamps.byTheBroker(kafka);
        market.send(List.of(
                new ProducerRecord<>(Topics.SETTLEMENTS.name(), "okx|X".getBytes(UTF_8), new byte[] {1, 2, 3})));
        int settlements = streams.count(Topics.SETTLEMENTS.name());
        int rows = streams.count(Topics.RATES_LATEST.name());
        var goesOn = new CountDownLatch(1);
        service = streams.service(new HeldAtRejection(goesOn));
        Thread starting = Thread.ofPlatform().start(service::start);
        await(service::ratesRun, "rates run");
        market.quoteAgain();
        await(() -> streams.count(Topics.RATES_LATEST.name()) > rows, "rows are written");
        assertFalse(service.pairsRun());
        assertEquals("rates RUNNING, pairs is being prepared", service.state());

        goesOn.countDown();
        starting.join();
        await(service::isRunning, "both run");
        await(streams::caughtUp, "everything read");
        service.close();
        assertEquals(settlements, streams.count(Topics.SETTLEMENTS.name()), "no settlement twice");
    }

    /** Metrics that hold up who rejects a record. */
    private record HeldAtRejection(CountDownLatch goesOn) implements StreamsMetrics {
        @Override
        public void count(Count what) {}

        @Override
        public void rejected(String stage, String reason) {
            try {
                assertTrue(goesOn.await(5, TimeUnit.MINUTES));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void settled(Basis basis) {}

        @Override
        public void restored(String store, long records) {}
    }

    /**
     * A start from the first raw record on. Brokers stamp the events of contracts until the service runs, and their time would move the
     * window: so the raw records come back after that.
     */
    private StreamsService startAndSendAgain() throws Exception {
        List<ProducerRecord<byte[], byte[]>> quotes = streams.takeAway(Topics.QUOTES_RAW);
        List<ProducerRecord<byte[], byte[]>> settled = streams.takeAway(Topics.SETTLEMENTS_RAW);
        StreamsService service = streams.start();
        market.send(settled);
        market.send(quotes);
        return service;
    }

    private static void same(Map<String, byte[]> expected, Map<String, byte[]> actual) {
        assertEquals(expected.keySet(), actual.keySet());
        expected.forEach((asset, table) -> assertArrayEquals(table, actual.get(asset), asset));
    }

    private static boolean sameAs(Map<String, byte[]> expected, Map<String, byte[]> actual) {
        return expected.keySet().equals(actual.keySet())
                && expected.entrySet().stream()
                        .allMatch(table -> Arrays.equals(table.getValue(), actual.get(table.getKey())));
    }
}
