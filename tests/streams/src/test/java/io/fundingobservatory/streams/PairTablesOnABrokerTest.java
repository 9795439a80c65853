package io.fundingobservatory.streams;

import static io.fundingobservatory.streams.DamagedTopics.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.kit.SharedBroker;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.standalone.brokers.StreamsReset;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The tables of 30 days against a real broker: complete, equal to a plain sum, and the same bytes whatever is lost and read again. */
@ExtendWith(SharedBroker.class)
class PairTablesOnABrokerTest {
    private static final int PAIRS_OF_AN_ASSET = 10;

    private KafkaFixture kafka;
    private SettledMarket market;

    @TempDir
    Path directory;

    private DamagedTopics streams;

    @BeforeEach
    void open(KafkaFixture shared) {
        kafka = shared;
        market = new SettledMarket(kafka.bootstrapServers());
        streams = new DamagedTopics(kafka, directory.resolve("streams"));
    }

    @AfterEach
    void close() {
        market.close();
    }

    @Test
    void publishesSameTablesWhateverIsLost() throws Exception {
        int assets = SettledMarket.ASSETS.size();
        BrokerStamps.byTheTest(kafka);
        StreamsService service = streams.start();
        market.list();
        await(() -> SettledMarket.complete(streams.tables()) == assets * PAIRS_OF_AN_ASSET, "every pair is complete");
        Map<String, byte[]> first = streams.tables();
        market.check(first);
        service.close();
        int first30Days = streams.count(Topics.SETTLEMENTS.name());
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
        int settlements = first30Days + 1;

        // The offsets are lost: everything is read again into stores that know it.
        streams.removeMembers();
        streams.loseOffsets();
        service = startAndSendAgain();
        await(streams::caughtUp, "everything read again");
        same(corrected, streams.tables());
        service.close();
        assertEquals(settlements, streams.count(Topics.SETTLEMENTS.name()), "no settlement twice");
        assertEquals(events, streams.count(Topics.RATES_NORMALISED.name()), "no observation twice");

        // The state of pairs is lost, or of another format: nothing is created in its place, and rates go on.
        streams.removeMembers();
        streams.loseTopicsOfPairs();
        service = streams.service();
        BrokerStamps.byTheBroker(kafka);
        service.start();
        StreamsService stopped = service;
        await(() -> stopped.state().contains("pairs is stopped: state is lost"), "the line, but: " + service.state());
        assertTrue(service.state().contains("`observatory reset pairs`"), service::state);
        await(service::ratesRun, "rates run");
        BrokerStamps.byTheTest(kafka);
        int rows = streams.count(Topics.RATES_LATEST.name());
        market.quoteAgain();
        await(() -> streams.count(Topics.RATES_LATEST.name()) > rows, "rows are written");
        assertFalse(service.pairsRun());
        same(corrected, streams.tables());
        service.close();
        assertEquals(settlements, streams.count(Topics.SETTLEMENTS.name()), "no settlement");

        // After a reset settlements repeat and do not differ, and the tables are the same.
        var lines = new ArrayList<String>();
        try (var reset = new StreamsReset(KafkaAccess.at(kafka.bootstrapServers()), lines::add)) {
            reset.removeMembers();
            reset.pairs();
        }
        service = streams.start();
        await(streams::caughtUp, "everything read again");
        await(
                () -> streams.count(Topics.SETTLEMENTS.name()) > settlements && sameAs(corrected, streams.tables()),
                "the same tables from the raw topics");
        service.close();
        assertEquals(Set.of(), streams.differingSettlements());
        assertEquals(changelogs, streams.changelogSettings(), "as Kafka Streams creates them");
        changelogs
                .values()
                .forEach(settings -> assertEquals(
                        "compact",
                        settings.get("cleanup.policy"),
                        "what is restored carries old times, and retention would delete it"));
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
