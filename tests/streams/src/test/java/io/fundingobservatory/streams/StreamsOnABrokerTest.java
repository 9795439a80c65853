package io.fundingobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.kit.SharedBroker;
import io.fundingobservatory.oracle.RatesOracle;
import io.fundingobservatory.oracle.RatesReader;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Quote;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service against a real broker: its output, read committed, is what a plain model derives from its
 * input.
 */
@ExtendWith(SharedBroker.class)
class StreamsOnABrokerTest {
    private static KafkaFixture kafka;

    @TempDir
    static Path state;

    private final CountedMetrics counts = new CountedMetrics();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @BeforeAll
    static void broker(KafkaFixture shared) {
        kafka = shared;
    }

    @Test
    void losesAndDoublesNothingThroughRestarts() throws Exception {
        var largeRecords =
                new AlterConfigOp(new ConfigEntry("max.message.bytes", "12000000"), AlterConfigOp.OpType.SET);
        var quotesRaw = new ConfigResource(ConfigResource.Type.TOPIC, Topics.QUOTES_RAW.name());
        kafka.admin()
                .incrementalAlterConfigs(Map.of(quotesRaw, List.of(largeRecords)))
                .all()
                .get();

        var source = new SeededQuotes(42);
        var random = new Random(42);
        var sent = new ArrayList<Quote>();
        // No quote is sent before it was observed: one that is ahead of its arrival counts as made then.
        long begun = System.currentTimeMillis() - 10_000;
        int poison = 0;
        StreamsService service = start();
        try (var producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "acks",
                        "all",
                        "max.request.size",
                        12_000_000,
                        "compression.type",
                        "zstd"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < 9_000; i++) {
                Quote quote = switch (sent.isEmpty() ? 9 : random.nextInt(10)) {
                    case 0, 1 -> sent.get(random.nextInt(sent.size())); // a duplicate, or long superseded
                    case 2 ->
                        SeededQuotes.readAt(sent.get(random.nextInt(sent.size())), begun + i - random.nextInt(3_000));
                    default -> source.next(begun + i);
                };
                sent.add(quote);
                producer.send(new ProducerRecord<>(
                        Topics.QUOTES_RAW.name(), quote.key().toString().getBytes(UTF_8), Quote.CODEC.encode(quote)));
                if (i % 1_000 == 500) {
                    producer.send(new ProducerRecord<>(Topics.QUOTES_RAW.name(), null, new byte[] {1, 2, 3}));
                    poison++;
                }
                if (i == 4_000) {
                    producer.send(new ProducerRecord<>(
                            Topics.QUOTES_RAW.name(),
                            "okx|X".getBytes(UTF_8),
                            new byte[9_000_000])); // some hundred bytes
                    producer.send(new ProducerRecord<>(Topics.QUOTES_RAW.name(), new byte[9_000_000], new byte[1]));
                    poison += 2;
                }
                if (i == 3_000 || i == 6_000) {
                    producer.flush();
                    service.close(); // in the midst of it, without a cleanup
                    service = start();
                }
            }
            producer.flush();
        }

        String brokers = kafka.bootstrapServers();
        String deadLetters = Topics.DEAD_LETTERS.name();
        var oracle = new RatesOracle((venue, symbol) -> SeededQuotes.assetOf(symbol));
        try (var reader = new RatesReader(brokers, oracle)) {
            await(() -> reader.advance() == 0, "all rows");
            await(() -> RatesReader.committed(brokers, deadLetters).size() >= oracle.refused(), "all dead letters");
            // What it has read and not written yet is written with its end.
            service.close();
            var letters = RatesReader.committed(brokers, deadLetters);
            reader.advance();
            oracle.end();
            oracle.latest(reader.newest(Topics.RATES_LATEST.name()));
            oracle.deadLetters(letters.size());
            assertEquals(Map.of("truncated", 1, "truncated-key", 1), truncated(letters));
        }
        for (RatesOracle.Broken what : RatesOracle.Broken.values()) {
            assertEquals(List.of(), oracle.violations(what));
        }
        assertTrue(oracle.rows() > 4_000 && oracle.refused() > poison, oracle.rows() + " rows, " + oracle.refused());
        long refused =
                counts.refusals().values().stream().mapToLong(count -> count).sum();
        assertTrue(refused >= oracle.refused());
        var row = RatesReader.committed(brokers, Topics.RATES_NORMALISED.name()).getFirst();
        assertEquals("rate/1", new String(row.headers().lastHeader("schema").value(), UTF_8));
    }

    private static Map<String, Integer> truncated(List<ConsumerRecord<byte[], byte[]>> letters) {
        var counts = new HashMap<String, Integer>();
        for (var letter : letters) {
            for (var header : letter.headers()) {
                if (header.key().startsWith("truncated")) {
                    assertEquals("9000000", new String(header.value(), UTF_8));
                    byte[] cut = header.key().equals("truncated") ? letter.value() : letter.key();
                    assertEquals(1 << 20, cut.length);
                    counts.merge(header.key(), 1, Integer::sum);
                }
            }
        }
        return counts;
    }

    /** A changelog is read whole after a kill: at most ten minutes of it and 16 MB of a partition may be uncompacted for long. */
    private static void assertReadAgainQuickly(Admin admin) throws Exception {
        List<ConfigResource> internal = admin.listTopics().names().get().stream()
                .filter(topic ->
                        topic.startsWith(Topics.STREAMS_GROUP + "-") || topic.startsWith(Topics.PAIRS_GROUP + "-"))
                .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                .toList();
        assertEquals(DamagedTopics.INTERNAL, internal.size(), internal::toString);
        admin.describeConfigs(internal).all().get().forEach((topic, config) -> {
            boolean repartition = topic.name().endsWith("-repartition");
            assertTrue(number(config, "segment.bytes") <= (repartition ? 50 << 20 : 16 << 20), topic::name);
            assertTrue(number(config, "segment.ms") <= 600_000 || repartition, topic::name);
            assertTrue(number(config, "max.compaction.lag.ms") <= 1_800_000 || repartition, topic::name);
            // What a tick writes is stamped with the process's own clock, which may be a month off.
            assertEquals(Long.MAX_VALUE, number(config, "message.timestamp.after.max.ms"), topic.name());
            assertEquals(Long.MAX_VALUE, number(config, "message.timestamp.before.max.ms"), topic.name());
        });
    }

    private static long number(Config config, String name) {
        return Long.parseLong(config.get(name).value());
    }

    @Test
    void secondProcessWithSameDirectoryFailsReadably() throws Exception {
        try (StreamsService first = start();
                var second = service(kafka.bootstrapServers())) {
            second.start();
            await(() -> second.state().startsWith("failed: "), "refused, but it is: " + second.state());
            await(first::isRunning, "the first one runs");
            assertReadAgainQuickly(kafka.admin());
        }
    }

    /** Without these names the dashboard is empty; a closed service publishes nothing. */
    @Test
    void publishesKafkaMetricsUntilClosed() {
        try (var _ = start()) {
            for (String name : List.of(
                    "kafka.stream.thread.commit.latency.max",
                    "kafka.producer.record.send.total",
                    "kafka.producer.record.error.total",
                    "kafka.producer.request.latency.max",
                    "kafka.consumer.coordinator.rebalance.total")) {
                // two threads of rates and one of pairs
                assertEquals(3, meters.find(name).meters().size(), name);
            }
        }
        // The thread that runs the client removes them after its end.
        await(() -> meters.getMeters().isEmpty(), "no metric after the end, but: " + meters.getMeters());
    }

    @Test
    void unwritableStoresEndServiceWithOneLine() throws Exception {
        Path file = Files.createFile(state.resolve("file"));
        var settings = new StreamsSettings("test-2", file.resolve("stores").toString(), 2, 1, 0, Duration.ofSeconds(2));
        try (var service = new StreamsService(settings, KafkaAccess.at(kafka.bootstrapServers()), counts, meters)) {
            service.start();
            String line = service.failure().toCompletableFuture().get(5, TimeUnit.MINUTES);
            assertTrue(line.startsWith("stores cannot be written") && line.contains(file.toString()), line);
        }
    }

    @Test
    void waitsForABrokerThatIsNotThere() {
        StreamsService service = service("127.0.0.1:1");
        Thread starting = Thread.ofPlatform().start(service::start);
        assertEquals("waiting for the brokers at 127.0.0.1:1", service.state());
        service.close();
        await(() -> !starting.isAlive(), "giving up after close");
        assertNotEquals("failed", service.state().split(":")[0]);
    }

    private StreamsService service(String brokers) {
        return new StreamsService(settings(), KafkaAccess.at(brokers), counts, meters);
    }

    private StreamsService start() {
        StreamsService service = service(kafka.bootstrapServers());
        service.start();
        await(service::isRunning, "running, but it is: " + service.state());
        return service;
    }

    private static StreamsSettings settings() {
        return new StreamsSettings("test-1", state.toString(), 2, 1, 0, Duration.ofSeconds(2));
    }

    private static void await(BooleanSupplier condition, String what) {
        Await.until(what, condition::getAsBoolean);
    }
}
