package io.fundingobservatory.testbed.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.topics.Topics;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaTest {
    private static final String LETTERS = "dead-letters";

    @TempDir
    Path dir;

    @Test
    void recordsSurviveARestart() throws Exception {
        String big = "x".repeat(5 * 1024 * 1024);
        try (var broker = EmbeddedKafka.start(dir, 0);
                var admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            assertEquals(
                    Topics.typed().size() + Topics.plain().size(),
                    TopicCreation.ensure(admin, (short) 1).created().size());
            Short transactions = admin.describeFeatures()
                    .featureMetadata()
                    .get()
                    .finalizedFeatures()
                    .get("transaction.version")
                    .maxVersionLevel();
            assertEquals((short) 2, transactions);
            send(broker, List.of("first", big), "writer-1");
        }
        try (var broker = EmbeddedKafka.start(dir, 0);
                var admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            assertEquals(List.of(), TopicCreation.ensure(admin, (short) 1).created(), "everything is still there");
            send(broker, List.of("third"), "writer-1");
            assertEquals(List.of("first", big, "third"), values(broker));
        }
    }

    @Test
    void aPortInUseIsOneReadableLine() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String line = failure(dir, taken.getLocalPort());
            assertTrue(line.startsWith("port in use: 127.0.0.1:" + taken.getLocalPort()), line);
        }
    }

    @Test
    void aDirectoryInUseIsOneReadableLine() {
        try (var broker = EmbeddedKafka.start(dir, 0)) {
            assertTrue(broker.bootstrapServers().startsWith("127.0.0.1:"));
            String line = failure(dir, 0);
            assertTrue(line.startsWith("directory in use: another broker runs in " + dir), line);
        }
    }

    @Test
    void unwritableDirectoryIsOneReadableLine() throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "not a directory");
        String line = failure(file.resolve("kafka"), 0);
        assertTrue(line.contains(file.toString()) && line.contains("choose another directory"), line);
    }

    private static String failure(Path dir, int port) {
        String line = assertThrows(
                        BrokerStartFailure.class,
                        () -> EmbeddedKafka.start(dir, port).close())
                .getMessage();
        assertEquals(1, line.lines().count(), line);
        return line;
    }

    private static void send(EmbeddedKafka broker, List<String> values, String transactionalId) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "max.request.size",
                8 * 1024 * 1024,
                "transactional.id",
                transactionalId);
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            values.forEach(value -> producer.send(new ProducerRecord<>(LETTERS, "key", value)));
            producer.commitTransaction();
        }
    }

    private static List<String> values(EmbeddedKafka broker) {
        Map<String, Object> config =
                Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", "read_committed");
        var values = new ArrayList<String>();
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            TopicReader.fromBeginning(consumer, LETTERS).toEnd(record -> values.add(record.value()));
        }
        return values;
    }
}
