package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.testbed.FreePort;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryPair;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * During a backfill the tables of large assets are published many times, and the topic holds all versions
 * until it is compacted. A gateway that starts then, with the options that it is shipped with, has to read
 * them in its memory.
 */
@Tag("nightly")
@Execution(ExecutionMode.CONCURRENT)
class ManyPairTablesTest {
    /** As many as bitcoin has; 0.4 MB as JSON. */
    private static final int PAIRS = 2_000;

    /** Together 158 MB, which is more than the heap, and less than 1 MB as zstd: one fetch, and by default one poll. */
    private static final int VERSIONS = 400;

    @TempDir
    private Path folder;

    @Test
    void readsRepeatedTablesWithinShippedMemory() throws Exception {
        try (KafkaFixture kafka = KafkaFixture.start()) {
            TopicCreation.ensure(kafka.admin(), (short) 1);
            publish(kafka);
            int port = FreePort.next();
            Path log = folder.resolve("log");
            Process gateway = start(kafka, port, log);
            try {
                assertTrue(
                        Await.within(Duration.ofMinutes(10), () -> {
                            assertTrue(gateway.isAlive(), () -> read(log));
                            return carry(port) == 200;
                        }),
                        () -> read(log));
                assertTrue(gateway.isAlive(), () -> read(log));
            } finally {
                gateway.destroyForcibly().waitFor();
            }
        }
    }

    private static void publish(KafkaFixture kafka) throws Exception {
        long now = System.currentTimeMillis();
        long end = Math.floorDiv(now, 3_600_000L) * 3_600_000L;
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "compression.type",
                        "zstd",
                        "linger.ms",
                        20,
                        "batch.size",
                        4 << 20,
                        "buffer.memory",
                        64L << 20,
                        "max.request.size",
                        8 << 20),
                new StringSerializer(),
                new ByteArraySerializer())) {
            for (ListedVenue venue : ListedVenue.ALL) {
                var status = venue.id().equals("okx")
                        ? Samples.read("okx", now, 1, Map.of())
                        : Samples.withoutReader(venue.id());
                producer.send(record(Topics.VENUES_STATUS, venue.id(), status));
            }
            var rate = Samples.rate("okx", "BTC-USDT-SWAP", "BTC", now);
            producer.send(record(Topics.RATES_LATEST, rate.key().toString(), rate));
            var pairs = new ArrayList<CarryPair>();
            for (int i = 0; i < PAIRS; i++) {
                pairs.add(Samples.pair(
                        Samples.leg("binance", "COIN" + i % 50, "0.001", 0, end),
                        Samples.leg("okx", "COIN-" + i / 50, "0.0035", 0, end),
                        30,
                        null));
            }
            byte[] table = Topics.CARRY_PAIRS.codec().encode(Samples.table("BTC", end, pairs, List.of()));
            var sent = new ArrayList<Future<RecordMetadata>>();
            for (int version = 0; version < VERSIONS; version++) {
                sent.add(producer.send(new ProducerRecord<>(Topics.CARRY_PAIRS.name(), "BTC", table)));
            }
            long bytes = 0;
            for (var each : sent) {
                bytes += each.get().serializedValueSize();
            }
            assertTrue(bytes > 150_000_000, bytes + " bytes of tables");
        }
    }

    private static <V> ProducerRecord<String, byte[]> record(Topic<V> topic, String key, V value) {
        return new ProducerRecord<>(topic.name(), key, topic.codec().encode(value));
    }

    private Process start(KafkaFixture kafka, int port, Path log) throws IOException {
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + Checkout.ROOT.resolve("gateway/jvm.options"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment()
                .putAll(Map.of(
                        "MALLOC_ARENA_MAX", "2",
                        "MICRONAUT_SERVER_PORT", Integer.toString(port),
                        "OBSERVATORY_MANAGEMENT_PORT", Integer.toString(FreePort.next()),
                        "OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(),
                        "OBSERVATORY_GATEWAY_TRAFFIC_EXEMPT", "127.0.0.1"));
        return builder.start();
    }

    private static int carry(int port) throws InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/carry?venues=all"))
                .timeout(Duration.ofMinutes(1))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return 0; // not there yet
        }
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
