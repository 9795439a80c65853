package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** What stands on the topics of a running installation. */
final class Records {
    private Records() {}

    /** Holds each record of a topic, its key and its headers against a served description; how many there were. */
    static int heldAgainst(JsonNode message, int kafka, int http, String topic) throws Exception {
        JsonSchema value = schema(Http.json(http, message.at("/payload/$ref").asText()));
        JsonSchema headers = schema(message.path("headers"));
        JsonSchema key = schema(message.at("/bindings/kafka/key"));
        var json = new ObjectMapper();
        var count = new AtomicInteger();
        each(kafka, topic, record -> {
            Supplier<String> where = () -> topic + " " + record.key() + " " + record.value() + " " + record.headers();
            JsonNode read = read(json, record.value());
            assertEquals(Set.of(), value.validate(read), where);
            assertEquals(Set.of(), key.validate(json.valueToTree(record.key())), where);
            ObjectNode said = json.createObjectNode();
            record.headers()
                    .forEach(header -> said.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
            assertEquals(Set.of(), headers.validate(said), where);
            assertTrue(said.has("schema"), where);
            if (count.getAndIncrement() == 0) {
                ObjectNode without = (ObjectNode) read.deepCopy();
                without.remove(without.fieldNames().next());
                assertFalse(
                        value.validate(without).isEmpty(),
                        () -> "without its first field it is refused: " + where.get());
            }
        });
        return count.get();
    }

    private static JsonNode read(ObjectMapper json, String value) {
        try {
            return json.readTree(value);
        } catch (IOException e) {
            throw new UncheckedIOException(value, e);
        }
    }

    private static JsonSchema schema(JsonNode document) {
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(document);
    }

    /**
     * Hands over what a topic holds, read committed, to the end that it had when this began; what was deleted from a compacted one is
     * left out. The settled rates of 30 days are too many to keep.
     */
    static void each(int kafka, String topic, Consumer<ConsumerRecord<String, String>> to) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", "127.0.0.1:" + kafka,
                "isolation.level", "read_committed",
                "auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> {
                    // A compacted topic says with an empty value that a record is gone.
                    if (record.value() != null) {
                        to.accept(record);
                    }
                });
            }
        }
    }
}
