package io.fundingobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;

/**
 * Measures, and asserts nothing. First it measures 31 days of settlements of all contracts from Kafka into the
 * ledger. Then it measures an hour of backlog with that ledger, and what each topic takes on disk. The broker runs
 * in the same process.
 *
 * <p>{@code -Dcontracts} (20,000) is the size.
 */
final class LedgerLoad {
    private static final long HOUR_MS = 3_600_000;
    private static final int CONTRACTS = Integer.getInteger("contracts", 20_000);
    /** 280 quotes a second are an hour of them. */
    private static final int BACKLOG_POLLS = 50;

    private static final double LEDGER_LIMIT_S = 60;
    private static final double BACKLOG_LIMIT_S = 45;
    private static final int MARK = 1;

    private final KafkaFixture kafka;
    private final MarketLoad load;
    private final Path directory;

    private LedgerLoad(KafkaFixture kafka, MarketLoad load) throws Exception {
        this.kafka = kafka;
        this.load = load;
        this.directory = Files.createTempDirectory("ledger-load");
    }

    public static void main(String[] args) throws Exception {
        try (KafkaFixture kafka = KafkaFixture.start();
                var load =
                        new MarketLoad(kafka.bootstrapServers(), Map.of("linger.ms", 5, "compression.type", "zstd"))) {
            var ledger = new LedgerLoad(kafka, load);
            ledger.ledger();
            ledger.backlog();
            ledger.printDisk();
        }
        System.exit(0);
    }

    private void ledger() throws Exception {
        load.poll(CONTRACTS, System.currentTimeMillis());
        long settlements = load.settlements(CONTRACTS);
        StreamsService service = StreamsLoad.start(kafka, directory);
        long since = System.nanoTime();
        load.awaitCaughtUp();
        double took = (System.nanoTime() - since) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%,d settlements from Kafka into the ledger: %.1f s, limit %.0f s: %.2f of it%n",
                settlements,
                took,
                LEDGER_LIMIT_S,
                took / LEDGER_LIMIT_S);
        service.close();
    }

    /**
     * An hour of quotes and settlements that came while the service was away, until every row and every table of the
     * present window is there. One correction for each asset comes last.
     */
    private void backlog() throws Exception {
        long began = System.currentTimeMillis() - HOUR_MS;
        BrokerStamps.byTheTest(kafka);
        for (int poll = 0; poll < BACKLOG_POLLS; poll++) {
            load.poll(CONTRACTS, began + poll * HOUR_MS / BACKLOG_POLLS);
        }
        BrokerStamps.byTheBroker(kafka);
        var left = new HashSet<String>();
        for (int contract = 0; contract < CONTRACTS; contract++) {
            load.settleLast(contract, System.currentTimeMillis());
            if (left.add(MarketLoad.asset(contract))) {
                load.correct(contract, MARK, System.currentTimeMillis());
            }
        }
        load.flush();
        try (var tables = MarketLoad.atTheEnd(kafka.bootstrapServers(), Topics.CARRY_PAIRS)) {
            long since = System.nanoTime();
            StreamsService service = StreamsLoad.start(kafka, directory);
            load.awaitCaughtUp();
            double rows = (System.nanoTime() - since) / 1e9;
            while (!left.isEmpty()) {
                for (var table : tables.poll(Duration.ofMillis(50))) {
                    if (table.value() != null && MarketLoad.isMarked(table.value(), MARK)) {
                        left.remove(new String(table.key(), UTF_8));
                    }
                }
            }
            double pairs = (System.nanoTime() - since) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "an hour of backlog, %,d quotes: both applications have read it after %.1f s, and every table is made after"
                            + " %.1f s, limit %.0f s: %.2f of it%n",
                    BACKLOG_POLLS * CONTRACTS,
                    rows,
                    pairs,
                    BACKLOG_LIMIT_S,
                    pairs / BACKLOG_LIMIT_S);
            service.close();
        }
    }

    /** Bytes in the log and records ever written, by topic: what a record takes, before and after compaction. */
    private void printDisk() throws Exception {
        var bytes = new TreeMap<String, Long>();
        var partitions = new TreeMap<String, Integer>();
        kafka.admin()
                .describeLogDirs(kafka.admin().describeCluster().nodes().get().stream()
                        .map(Node::id)
                        .toList())
                .allDescriptions()
                .get()
                .values()
                .forEach(dirs -> dirs.values()
                        .forEach(dir -> dir.replicaInfos().forEach((partition, replica) -> {
                            bytes.merge(partition.topic(), replica.size(), Long::sum);
                            partitions.merge(partition.topic(), 1, Integer::sum);
                        })));
        for (var topic : bytes.entrySet()) {
            if (!topic.getKey().startsWith("__")) {
                long offsets = load
                        .ends(IntStream.range(0, partitions.get(topic.getKey()))
                                .mapToObj(partition -> new TopicPartition(topic.getKey(), partition)))
                        .values()
                        .stream()
                        .mapToLong(Long::longValue)
                        .sum();
                System.out.printf(
                        Locale.ROOT,
                        "%-50s %,12d bytes %,12d offsets %6.0f bytes an offset%n",
                        topic.getKey(),
                        topic.getValue(),
                        offsets,
                        offsets == 0 ? 0.0 : (double) topic.getValue() / offsets);
            }
        }
    }
}
