package io.fundingobservatory.testbed.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaFixtureTest {
    private static final String TOPIC = Topics.SETTLEMENTS.name();

    @Test
    void hasCatalogueAlsoAfterItIsCleared() throws Exception {
        try (var kafka = KafkaFixture.start()) {
            assertCatalogue(kafka);
            String forced = System.getProperty(KafkaFixture.CHOICE, System.getenv(KafkaFixture.CHOICE));
            if (forced != null) {
                assertEquals(forced, kafka.kind());
            }
            use(kafka);
            kafka.clear();
            assertCatalogue(kafka);
            assertTrue(kafka.admin().listGroups().all().get().isEmpty());
            use(kafka);
        }
    }

    private static void assertCatalogue(KafkaFixture kafka) throws ExecutionException, InterruptedException {
        var names = kafka.admin().listTopics().names().get();
        Topics.typed().forEach(topic -> assertTrue(names.contains(topic.name()), topic.name()));
    }

    /** The first record of its topic, a topic outside the catalogue, and a static member that outlives its client. */
    private static void use(KafkaFixture kafka) throws ExecutionException, InterruptedException {
        kafka.admin()
                .createTopics(List.of(new NewTopic("other", 1, (short) 1)))
                .all()
                .get();
        var partition = new TopicPartition(TOPIC, 0);
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "group.id",
                "group",
                "group.instance.id",
                "member",
                "auto.offset.reset",
                "earliest");
        try (var producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
                var consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            producer.send(new ProducerRecord<>(TOPIC, 0, new byte[1], new byte[1]))
                    .get();
            assertEquals(
                    1,
                    kafka.admin()
                            .listOffsets(Map.of(partition, OffsetSpec.latest()))
                            .partitionResult(partition)
                            .get()
                            .offset());
            consumer.subscribe(List.of(TOPIC));
            long read = 0;
            while (read == 0) {
                read = consumer.poll(Duration.ofSeconds(1)).count();
            }
        }
    }
}
