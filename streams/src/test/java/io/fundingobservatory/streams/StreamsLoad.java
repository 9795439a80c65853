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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Measures, and asserts nothing: quotes a second through the whole topology, exactly once, beside a bare loop that reads, parses,
 * maps and writes the same records; then 31 days of settlements of 20,000 contracts from Kafka into the ledger. The broker runs in
 * the same process, so both share the machine with it.
 */
final class StreamsLoad {
    private static final long HOUR = 3_600_000;
    private static final int CONTRACTS = 20_000;
    private static final int POLLS = 15;
    private static final int ROUNDS = 3;

    private final KafkaFixture kafka;
    private final long now = System.currentTimeMillis();

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
        for (int round = 0; round < ROUNDS; round++) {
            var from = ends(Topics.QUOTES_RAW.name());
            produceQuotes(round);
            double bare = quotes / bareLoop(from, quotes);
            StreamsService service = start(directory);
            long begun = System.nanoTime();
            await(Topics.QUOTES_RAW.name());
            double whole = quotes / seconds(begun);
            service.close();
            ratios[round] = whole / bare;
            System.out.printf(
                    Locale.ROOT,
                    "round %d: topology, exactly once, %,.0f quotes/s (goal 60,000: %.2f); bare loop %,.0f quotes/s; ratio %.2f%n",
                    round + 1,
                    whole,
                    whole / 60_000,
                    bare,
                    ratios[round]);
        }
        Arrays.sort(ratios);
        System.out.printf(
                Locale.ROOT,
                "median ratio %.2f, goal 0.45: %.2f of it%n",
                ratios[ROUNDS / 2],
                ratios[ROUNDS / 2] / 0.45);
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

    private double bareLoop(Map<TopicPartition, Long> from, int quotes) {
        long begun = System.nanoTime();
        int done = 0;
        try (var consumer = new KafkaConsumer<>(
                        Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer());
                var producer = producer()) {
            consumer.assign(partitions(Topics.QUOTES_RAW.name()));
            from.forEach(consumer::seek);
            while (done < quotes) {
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
            }
        }
        return seconds(begun);
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "acks",
                        "all",
                        "compression.type",
                        "lz4",
                        "linger.ms",
                        20,
                        "batch.size",
                        131_072,
                        "buffer.memory",
                        134_217_728),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // closing waits for all, and a lost record would never be awaited
    private static void send(KafkaProducer<byte[], byte[]> producer, String topic, String key, byte[] value) {
        producer.send(new ProducerRecord<>(topic, key.getBytes(UTF_8), value));
    }

    private static List<TopicPartition> partitions(String topic) {
        return IntStream.range(0, Topics.QUOTES_RAW.partitions())
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
