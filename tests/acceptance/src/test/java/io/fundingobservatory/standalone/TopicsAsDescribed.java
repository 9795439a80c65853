package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.fundingobservatory.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Compares the records on the topics of a running installation with the descriptions that it serves. */
final class TopicsAsDescribed {
    private static final int MOST = 1_000;
    private static final int PLACES = 4;
    private static final int RECORDS = 50;

    private TopicsAsDescribed() {}

    /** Of each topic at most a thousand records, evenly spread. */
    static void check(int http, int kafka) throws Exception {
        JsonNode asyncapi = new ObjectMapper(new YAMLFactory())
                .readTree(Http.get(http, "/asyncapi.yaml").body());
        var counted = new TreeMap<String, Integer>();
        for (JsonNode channel : asyncapi.path("channels")) {
            String topic = channel.path("address").asText();
            JsonNode message = asyncapi.at(channel.path("messages")
                    .elements()
                    .next()
                    .path("$ref")
                    .asText()
                    .substring(1));
            counted.put(topic, conforming(some(read(kafka, topic)), message, http, topic));
        }
        System.out.println("Records compared with /asyncapi.yaml: " + counted);
        // The first estimate meets its settlement when the first hour is over.
        Set<String> none = Set.of("dead-letters", Topics.VENUES_QUALITY.name());
        counted.forEach((topic, count) -> assertTrue(count > 0 || none.contains(topic), topic));
        assertEquals(0, counted.get("dead-letters"), "nothing was rejected");
    }

    private static <R> List<R> some(List<R> records) {
        int step = Math.ceilDiv(Math.max(1, records.size()), MOST);
        return IntStream.iterate(0, i -> i < records.size(), i -> i + step)
                .mapToObj(records::get)
                .toList();
    }

    private static int conforming(
            List<ConsumerRecord<String, String>> records, JsonNode message, int http, String topic) throws Exception {
        if (records.isEmpty()) {
            return 0;
        }
        Schema value = schema(Http.json(http, message.at("/payload/$ref").asText()));
        Schema headers = schema(message.path("headers"));
        Schema key = schema(message.at("/bindings/kafka/key"));
        var json = new ObjectMapper();
        for (ConsumerRecord<String, String> record : records) {
            String where = topic + " " + record.key() + " " + record.value();
            JsonNode read = json.readTree(record.value());
            assertEquals(List.of(), value.validate(read), where);
            assertEquals(List.of(), key.validate(json.valueToTree(record.key())), where);
            ObjectNode found = json.createObjectNode();
            record.headers()
                    .forEach(header -> found.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
            assertEquals(List.of(), headers.validate(found), where + " " + found);
            assertTrue(found.has("schema"), where);
        }
        ObjectNode other = (ObjectNode) json.readTree(records.getFirst().value());
        other.remove(other.fieldNames().next());
        assertFalse(value.validate(other).isEmpty(), topic + ": a record without its first field is found");
        return records.size();
    }

    private static Schema schema(JsonNode document) {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(document);
    }

    /** Of each partition some records from its beginning, its end and between; all of a partition with few. */
    private static List<ConsumerRecord<String, String>> read(int kafka, String topic) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + kafka,
                "isolation.level",
                "read_committed",
                "max.poll.records",
                RECORDS,
                "max.partition.fetch.bytes",
                1 << 16);
        var records = new ArrayList<ConsumerRecord<String, String>>();
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            for (var info : consumer.partitionsFor(topic)) {
                var partition = new TopicPartition(topic, info.partition());
                consumer.assign(List.of(partition));
                long begin = consumer.beginningOffsets(List.of(partition)).get(partition);
                long end = consumer.endOffsets(List.of(partition)).get(partition);
                long step = Math.max(RECORDS, Math.ceilDiv(end - begin, PLACES));
                for (long at = begin; at < end; at += step) {
                    consumer.seek(partition, at);
                    var found = consumer.poll(Duration.ofSeconds(1));
                    while (found.isEmpty() && consumer.position(partition) < end) {
                        found = consumer.poll(Duration.ofSeconds(1));
                    }
                    // A compacted topic says with an empty value that a record is gone.
                    found.forEach(record -> {
                        if (record.value() != null) {
                            records.add(record);
                        }
                    });
                }
            }
        }
        return records;
    }
}
