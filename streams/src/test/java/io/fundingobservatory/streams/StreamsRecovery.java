package io.fundingobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.testbed.KafkaFixture;
import io.fundingobservatory.topics.ContractType;
import io.fundingobservatory.topics.IntervalSource;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Quote;
import io.fundingobservatory.topics.RateKind;
import io.fundingobservatory.topics.RateUnit;
import io.fundingobservatory.topics.SettledRate;
import io.fundingobservatory.topics.Topics;
import java.io.File;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
 * Measures, and asserts nothing: the streams service as a process of its own, with a full ledger of 31 days and many polls in its
 * changelogs, killed with SIGKILL again and again under a steady flow of quotes. Printed are the time until a quote that was sent
 * after the kill is on {@code rates.latest}, read committed, and the process's resident memory.
 */
final class StreamsRecovery {
    private static final long HOUR = 3_600_000;
    private static final int CONTRACTS = Integer.getInteger("contracts", 20_000);
    private static final int POLLS = Integer.getInteger("polls", 20);
    private static final int KILLS = Integer.getInteger("kills", 5);
    private static final double LIMIT_S = 5;
    private static final long LIMIT_MB = 512;

    private final KafkaFixture kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Path directory;
    private final Random random = new Random(3);

    private StreamsRecovery(KafkaFixture kafka) throws Exception {
        this.kafka = kafka;
        this.directory = Files.createTempDirectory("streams-recovery");
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 5, "compression.type", "lz4"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    public static void main(String[] args) throws Exception {
        try (KafkaFixture kafka = KafkaFixture.start()) {
            new StreamsRecovery(kafka).run();
        }
        System.exit(0);
    }

    private void run() throws Exception {
        long settlements = settlements();
        for (int poll = 0; poll < POLLS; poll++) {
            poll(CONTRACTS);
        }
        producer.flush();
        Process streams = launch();
        long began = System.nanoTime();
        awaitCaughtUp();
        System.out.printf(
                Locale.ROOT,
                "%,d settlements and %,d quotes from nothing: %.1f s; resident %,d MB of %d MB%n",
                settlements,
                (long) POLLS * CONTRACTS,
                seconds(began),
                residentMb(streams),
                LIMIT_MB);
        var took = new double[KILLS];
        for (int kill = 0; kill < KILLS; kill++) {
            poll(CONTRACTS / 4);
            producer.flush();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500 + random.nextInt(1_500)));
            streams.destroyForcibly().waitFor();
            began = System.nanoTime();
            streams = launch();
            took[kill] = awaitRow(began);
            System.out.printf(
                    Locale.ROOT,
                    "kill %d: a new quote is on rates.latest after %.1f s (limit %.0f s: %.2f); resident %,d MB%n",
                    kill + 1,
                    took[kill],
                    LIMIT_S,
                    took[kill] / LIMIT_S,
                    residentMb(streams));
        }
        awaitCaughtUp();
        Arrays.sort(took);
        System.out.printf(
                Locale.ROOT,
                "worst of %d: %.1f s, limit %.0f s; resident %,d MB, limit %d MB%n",
                KILLS,
                took[KILLS - 1],
                LIMIT_S,
                residentMb(streams),
                LIMIT_MB);
        streams.destroyForcibly().waitFor();
    }

    private Process launch() throws Exception {
        var command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of("jvm.options").toAbsolutePath(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
        command.environment()
                .putAll(Map.of(
                        "MALLOC_ARENA_MAX",
                        "2",
                        "OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS",
                        kafka.bootstrapServers(),
                        "OBSERVATORY_MANAGEMENT_PORT",
                        "-1",
                        "OBSERVATORY_STREAMS_STATE_DIR",
                        directory.resolve("state").toString()));
        File log = directory.resolve("streams.log").toFile();
        return command.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
    }

    /** Quotes each contract in turn until the row of one that was read after the kill is there. */
    private double awaitRow(long began) {
        try (var consumer = new KafkaConsumer<>(
                Map.<String, Object>of(
                        "bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(partitions(Topics.RATES_LATEST.name()));
            consumer.seekToEnd(consumer.assignment());
            consumer.assignment().forEach(consumer::position);
            long after = System.currentTimeMillis();
            while (true) {
                poll(200);
                producer.flush();
                for (var record : consumer.poll(Duration.ofMillis(50))) {
                    if (record.value() != null && observedAt(record.value()) >= after) {
                        return seconds(began);
                    }
                }
            }
        }
    }

    private static long observedAt(byte[] row) {
        return Topics.RATES_LATEST
                .deserializer()
                .deserialize(Topics.RATES_LATEST.name(), row)
                .observedAtMs();
    }

    private static long residentMb(Process process) throws Exception {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElse(0)
                / 1024;
    }

    private void poll(int contracts) {
        for (int i = 0; i < contracts; i++) {
            send(quote(i));
        }
    }

    private void send(Quote quote) {
        var sent = producer.send(new ProducerRecord<>(
                Topics.QUOTES_RAW.name(), quote.key().toString().getBytes(UTF_8), Quote.CODEC.encode(quote)));
        if (sent.isCancelled()) {
            throw new IllegalStateException("not sent");
        }
    }

    private Quote quote(int i) {
        long now = System.currentTimeMillis();
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
                now / HOUR * HOUR + 9 * HOUR,
                BigDecimal.valueOf(1_000 + random.nextInt(20), 1),
                BigDecimal.valueOf(1_000 + random.nextInt(20), 1),
                now,
                now);
    }

    private static int interval(int i) {
        return i % 32 == 0 ? 1 : i % 2 == 0 ? 8 : 4;
    }

    private long settlements() {
        long now = System.currentTimeMillis();
        long sent = 0;
        for (int i = 0; i < CONTRACTS; i++) {
            Quote quote = quote(i);
            for (long at = now / HOUR * HOUR - 31 * 24 * HOUR + HOUR; at <= now; at += interval(i) * HOUR) {
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
                var result = producer.send(new ProducerRecord<>(
                        Topics.SETTLEMENTS_RAW.name(),
                        settled.key().toString().getBytes(UTF_8),
                        SettledRate.CODEC.encode(settled)));
                sent += result.isCancelled() ? 0 : 1;
            }
        }
        return sent;
    }

    private static List<TopicPartition> partitions(String topic) {
        return IntStream.range(0, Topics.QUOTES_RAW.partitions())
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    private void awaitCaughtUp() throws Exception {
        var asked = new HashMap<TopicPartition, OffsetSpec>();
        partitions(Topics.QUOTES_RAW.name()).forEach(partition -> asked.put(partition, OffsetSpec.latest()));
        partitions(Topics.SETTLEMENTS_RAW.name()).forEach(partition -> asked.put(partition, OffsetSpec.latest()));
        while (true) {
            var ends = kafka.admin().listOffsets(asked).all().get();
            var committed = kafka.admin()
                    .listConsumerGroupOffsets(StreamsConfiguration.APPLICATION_ID)
                    .partitionsToOffsetAndMetadata()
                    .get();
            if (ends.entrySet().stream()
                    .allMatch(end -> end.getValue().offset() == 0
                            || (committed.get(end.getKey()) != null
                                    && committed.get(end.getKey()).offset()
                                            >= end.getValue().offset()))) {
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }
}
