package io.fundingobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.core.Normalised;
import io.fundingobservatory.streams.core.Normaliser;
import io.fundingobservatory.testbed.KafkaFixture;
import io.fundingobservatory.topics.ContractType;
import io.fundingobservatory.topics.IntervalSource;
import io.fundingobservatory.topics.KafkaAccess;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Quote;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.RateKind;
import io.fundingobservatory.topics.RateUnit;
import io.fundingobservatory.topics.SettledRate;
import io.fundingobservatory.topics.Topics;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Measures, and asserts nothing: quotes a second through the whole topology, exactly once, beside a loop that reads, parses, maps and
 * writes the same records in transactions of the same length with batches of the same size; then 31 days of settlements of 20,000
 * contracts from Kafka into the ledger, and what each topic takes on disk. The broker runs in the same process, so all share the
 * machine with it.
 */
final class StreamsLoad {
    private static final long HOUR = 3_600_000;
    private static final int CONTRACTS = 20_000;
    private static final int POLLS = 15;
    private static final int ROUNDS = Integer.getInteger("rounds", 3);
    private static final double GOAL_RATIO = 0.60;
    private static final double GOAL_QUOTES = 100_000;

    /** As the topology's own. */
    private static final Map<String, Object> PRODUCER = Map.of(
            "acks",
            "all",
            "compression.type",
            StreamsConfiguration.COMPRESSION,
            "compression.zstd.level",
            StreamsConfiguration.COMPRESSION_LEVEL,
            "linger.ms",
            20,
            "batch.size",
            StreamsConfiguration.BATCH_BYTES,
            "buffer.memory",
            StreamsConfiguration.SEND_BUFFER_BYTES,
            "max.in.flight.requests.per.connection",
            1,
            "retry.backoff.ms",
            10);

    private final KafkaFixture kafka;
    private static final Map<String, Integer> PARTITIONS = Map.of(
            Topics.VENUES_STATUS.name(),
            1,
            Topics.VENUES_QUALITY.name(),
            1,
            Topics.DEAD_LETTERS.name(),
            1,
            Topics.VENUES_ASSIGNMENT.name(),
            Topics.VENUES_ASSIGNMENT.partitions());
    private final long now = System.currentTimeMillis();

    /** What something takes, by the clock and of this process's CPU: where others share the machine only the second tells. */
    private record Cost(long nanos, long cpuNanos) {
        Cost until() {
            return new Cost(System.nanoTime() - nanos, StreamsLoad.cpuNanos() - cpuNanos);
        }

        double seconds() {
            return nanos / 1e9;
        }
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private StreamsLoad(KafkaFixture kafka) {
        this.kafka = kafka;
    }

    public static void main(String[] args) throws Exception {
        try (KafkaFixture kafka = KafkaFixture.start()) {
            new StreamsLoad(kafka).run();
        }
        System.exit(0);
    }

    private void run() throws Exception {
        var directory = Files.createTempDirectory("streams-load");
        int quotes = CONTRACTS * POLLS;
        var ratios = new double[ROUNDS];
        var ofCpu = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            var from = ends(Topics.QUOTES_RAW.name());
            produceQuotes(round);
            Cost loop = round % 2 == 0 ? transactionalLoop(from, quotes, round) : null;
            StreamsService service = start(directory);
            var began = new Cost(System.nanoTime(), cpuNanos());
            await(Topics.QUOTES_RAW.name());
            Cost whole = began.until();
            service.close();
            // In turn the first and the second, so that neither always meets the warmer page cache.
            loop = loop == null ? transactionalLoop(from, quotes, round) : loop;
            ratios[round] = loop.seconds() / whole.seconds();
            ofCpu[round] = (double) loop.cpuNanos / whole.cpuNanos;
            System.out.printf(
                    Locale.ROOT,
                    "round %d: topology, exactly once, %,.0f quotes/s (goal %,.0f: %.2f), %.1f us of CPU a quote; transactional"
                            + " loop %,.0f quotes/s, %.1f us; ratio %.2f, of CPU %.2f; broker and compilers included%n",
                    round + 1,
                    quotes / whole.seconds(),
                    GOAL_QUOTES,
                    quotes / whole.seconds() / GOAL_QUOTES,
                    whole.cpuNanos / 1e3 / quotes,
                    quotes / loop.seconds(),
                    loop.cpuNanos / 1e3 / quotes,
                    ratios[round],
                    ofCpu[round]);
        }
        Arrays.sort(ratios);
        Arrays.sort(ofCpu);
        System.out.printf(
                Locale.ROOT,
                "median ratio %.2f, goal %.2f: %.2f of it; median ratio of CPU %.2f%n",
                ratios[ROUNDS / 2],
                GOAL_RATIO,
                ratios[ROUNDS / 2] / GOAL_RATIO,
                ofCpu[ROUNDS / 2]);
        long settlements = produceSettlements();
        StreamsService service = start(directory);
        long begun = System.nanoTime();
        await(Topics.SETTLEMENTS_RAW.name());
        double took = seconds(begun);
        System.out.printf(
                Locale.ROOT,
                "%,d settlements from Kafka into the ledger: %.1f s, %.2f of the limit of 60 s%n",
                settlements,
                took,
                took / 60);
        service.close();
        printDisk();
    }

    /** Bytes in the log and records ever written, by topic: what a record takes, before and after compaction. */
    private void printDisk() throws Exception {
        var bytes = new TreeMap<String, Long>();
        var described = kafka.admin()
                .describeLogDirs(kafka.admin().describeCluster().nodes().get().stream()
                        .map(Node::id)
                        .toList())
                .allDescriptions()
                .get();
        described
                .values()
                .forEach(dirs -> dirs.values()
                        .forEach(dir -> dir.replicaInfos()
                                .forEach((partition, replica) ->
                                        bytes.merge(partition.topic(), replica.size(), Long::sum))));
        for (var topic : bytes.entrySet()) {
            if (!topic.getKey().startsWith("__")) {
                long records = ends(topic.getKey()).values().stream()
                        .mapToLong(Long::longValue)
                        .sum();
                System.out.printf(
                        Locale.ROOT,
                        "%-50s %,12d bytes %,12d offsets %6.0f bytes an offset%n",
                        topic.getKey(),
                        topic.getValue(),
                        records,
                        records == 0 ? 0.0 : (double) topic.getValue() / records);
            }
        }
    }

    private StreamsService start(Path directory) {
        var service = new StreamsService(
                new StreamsSettings("load-1", directory.toString(), 2, 0),
                KafkaAccess.at(kafka.bootstrapServers()),
                InstantSource.system(),
                new RefusalsCounted(new AtomicLong()));
        service.start();
        while (!service.isRunning()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        return service;
    }

    private void produceQuotes(int round) {
        var random = new Random(round);
        try (var producer = producer()) {
            for (int poll = 0; poll < POLLS; poll++) {
                for (int i = 0; i < CONTRACTS; i++) {
                    Quote quote = quote(i, now + round * POLLS + poll, random);
                    send(producer, Topics.QUOTES_RAW.name(), quote.key().toString(), Quote.CODEC.encode(quote));
                }
            }
        }
    }

    private static Quote quote(int i, long observedAtMs, Random random) {
        return new Quote(
                ListedVenue.ALL.get(i % 48).id(),
                "A" + i / 30 + "-" + i % 30,
                "A" + i / 30,
                "USDT",
                ContractType.LINEAR,
                BigDecimal.valueOf(random.nextInt(40_001) - 20_000, 8),
                RateUnit.FRACTION,
                BigDecimal.valueOf(interval(i)),
                RateKind.ESTIMATE,
                BigDecimal.valueOf(interval(i)),
                IntervalSource.ROW,
                observedAtMs / HOUR * HOUR + 9 * HOUR,
                BigDecimal.valueOf(1_000 + random.nextInt(20), 1),
                BigDecimal.valueOf(1_000 + random.nextInt(20), 1),
                observedAtMs,
                observedAtMs);
    }

    private static int interval(int i) {
        return i % 32 == 0 ? 1 : i % 2 == 0 ? 8 : 4;
    }

    private long produceSettlements() {
        var random = new Random(2);
        long sent = 0;
        try (var producer = producer()) {
            for (int i = 0; i < CONTRACTS; i++) {
                Quote quote = quote(i, now, random);
                long step = interval(i) * HOUR;
                for (long at = now / HOUR * HOUR - 31 * 24 * HOUR + HOUR; at <= now; at += step) {
                    var settled = new SettledRate(
                            quote.venue(),
                            quote.symbol(),
                            at,
                            BigDecimal.valueOf(random.nextInt(40_001) - 20_000, 8),
                            RateUnit.FRACTION,
                            null,
                            quote.intervalH(),
                            null,
                            now);
                    send(
                            producer,
                            Topics.SETTLEMENTS_RAW.name(),
                            settled.key().toString(),
                            SettledRate.CODEC.encode(settled));
                    sent++;
                }
            }
        }
        return sent;
    }

    private Cost transactionalLoop(Map<TopicPartition, Long> from, int quotes, int round) {
        var config = new HashMap<String, Object>(PRODUCER);
        config.put("bootstrap.servers", kafka.bootstrapServers());
        config.put("transactional.id", "loop-" + round);
        var began = new Cost(System.nanoTime(), cpuNanos());
        int done = 0;
        try (var consumer = new KafkaConsumer<>(
                        Map.<String, Object>of(
                                "bootstrap.servers",
                                kafka.bootstrapServers(),
                                "group.id",
                                "loop",
                                "enable.auto.commit",
                                false,
                                "isolation.level",
                                "read_committed"),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer());
                var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            consumer.assign(partitions(Topics.QUOTES_RAW.name()));
            from.forEach(consumer::seek);
            long commitAt = 0;
            boolean open = false;
            while (done < quotes) {
                if (!open) {
                    producer.beginTransaction();
                    commitAt = System.nanoTime() + StreamsConfiguration.COMMIT_EVERY.toNanos();
                    open = true;
                }
                for (var record : consumer.poll(Duration.ofMillis(100))) {
                    Quote quote = Topics.QUOTES_RAW.deserializer().deserialize(record.topic(), record.value());
                    if (Normaliser.normalise(quote, record.timestamp()) instanceof Normalised.Accepted(Rate rate)) {
                        send(
                                producer,
                                Topics.RATES_NORMALISED.name(),
                                rate.key().toString(),
                                Rate.CODEC.encode(rate));
                    }
                    done++;
                }
                if (System.nanoTime() >= commitAt || done >= quotes) {
                    var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
                    for (TopicPartition partition : consumer.assignment()) {
                        offsets.put(partition, new OffsetAndMetadata(consumer.position(partition)));
                    }
                    producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
                    producer.commitTransaction();
                    open = false;
                }
            }
            if (open) {
                producer.abortTransaction();
            }
        }
        return began.until();
    }

    private KafkaProducer<byte[], byte[]> producer() {
        var config = new HashMap<String, Object>(PRODUCER);
        config.put("bootstrap.servers", kafka.bootstrapServers());
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // closing waits for all, and a lost record would never be awaited
    private static void send(KafkaProducer<byte[], byte[]> producer, String topic, String key, byte[] value) {
        producer.send(new ProducerRecord<>(topic, key.getBytes(UTF_8), value));
    }

    private static List<TopicPartition> partitions(String topic) {
        return IntStream.range(0, PARTITIONS.getOrDefault(topic, Topics.QUOTES_RAW.partitions()))
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    private Map<TopicPartition, Long> ends(String topic) throws Exception {
        var asked = new HashMap<TopicPartition, OffsetSpec>();
        partitions(topic).forEach(partition -> asked.put(partition, OffsetSpec.latest()));
        var ends = new HashMap<TopicPartition, Long>();
        kafka.admin().listOffsets(asked).all().get().forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }

    /** Until the topology has committed the end of a topic. */
    private void await(String topic) throws Exception {
        var ends = ends(topic);
        while (true) {
            var committed = kafka.admin()
                    .listConsumerGroupOffsets(StreamsConfiguration.APPLICATION_ID)
                    .partitionsToOffsetAndMetadata()
                    .get();
            if (ends.entrySet().stream()
                    .allMatch(end -> end.getValue() == 0
                            || (committed.get(end.getKey()) != null
                                    && committed.get(end.getKey()).offset() >= end.getValue()))) {
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private static double seconds(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }
}
