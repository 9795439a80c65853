package io.fundingobservatory.streams.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.streams.core.Application;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Open transactions on a real broker: those that last too long are reported, and nothing is done about them. */
class BlockedPartitionsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    /** Brokers abort an expired transaction within 10 s more. */
    private static final Duration OVERDUE = Duration.ofSeconds(17);

    private static KafkaFixture kafka;
    private final AtomicLong now = new AtomicLong();

    @BeforeAll
    static void start() {
        kafka = KafkaFixture.start();
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    private BlockedPartitions partitions(String topic) throws Exception {
        kafka.admin()
                .createTopics(List.of(new NewTopic(topic, 2, (short) 1)))
                .all()
                .get();
        return new BlockedPartitions(
                kafka.admin(),
                List.of(topic),
                List.of(new Application("group-of-" + topic, List.of(), List.of())),
                TIMEOUT,
                now::get);
    }

    private static KafkaProducer<String, String> producer(String transactionalId) {
        var producer = new KafkaProducer<>(
                Map.<String, Object>of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "transactional.id",
                        transactionalId,
                        "transaction.timeout.ms",
                        600_000),
                new StringSerializer(),
                new StringSerializer());
        producer.initTransactions();
        return producer;
    }

    @Test
    void reportsWhatIsOpenLongerThanBrokersAllow() throws Exception {
        BlockedPartitions partitions = partitions("ongoing");
        try (var producer = producer("slow")) {
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("ongoing", 1, "k", "v")).get();
            partitions.compare();
            now.addAndGet(OVERDUE.toNanos() - 1);
            partitions.compare();
            assertEquals(List.of(), partitions.blocked(), "its broker may still abort it");
            now.addAndGet(1);
            partitions.compare();
            assertEquals(List.of("ongoing-1"), partitions.blocked());
            producer.commitTransaction();
            Await.until("its marker is written", () -> {
                partitions.compare();
                return partitions.blocked().isEmpty();
            });
        }
    }

    @Test
    void reportsOffsetsOfTheGroupAlone() throws Exception {
        BlockedPartitions partitions = partitions("offsets");
        try (var producer = producer("committing")) {
            producer.beginTransaction();
            for (String group : List.of("group-of-offsets", "group-of-others")) {
                producer.sendOffsetsToTransaction(
                        Map.of(new TopicPartition("offsets", 0), new OffsetAndMetadata(7)), group(group));
            }
            partitions.compare();
            now.addAndGet(OVERDUE.toNanos());
            partitions.compare();
            assertEquals(1, partitions.blocked().size(), partitions.blocked()::toString);
            producer.abortTransaction();
        }
    }

    private static ConsumerGroupMetadata group(String name) {
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", name),
                new StringDeserializer(),
                new StringDeserializer())) {
            return consumer.groupMetadata();
        }
    }

    @Test
    void reportsNothingWhileCommitsGoOn() throws Exception {
        BlockedPartitions partitions = partitions("busy");
        try (var producer = producer("busy")) {
            for (int i = 0; i < 3; i++) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("busy", 0, "k", "v")).get();
                partitions.compare();
                now.addAndGet(OVERDUE.toNanos() - 1);
                assertEquals(List.of(), partitions.blocked());
                producer.commitTransaction();
            }
        }
    }
}
