package io.fundingobservatory.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What became of the records about one exchange, as a reader of the output topics sees it; each of them once. */
final class OddOutcomes {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> TOPICS =
            List.of(Topics.DEAD_LETTERS.name(), Topics.RATES_NORMALISED.name(), Topics.SETTLEMENTS.name());

    private final String prefix;

    /** By where the record stands that each was made of. */
    private final Map<String, ConsumerRecord<byte[], byte[]>> letters = new TreeMap<>();

    /** Rows and settlements, by what they are about. */
    private final Map<String, String> published = new TreeMap<>();

    private OddOutcomes(String venue) {
        this.prefix = venue + "|";
    }

    static String origin(RecordMetadata at) {
        return origin(at.topic(), Integer.toString(at.partition()), Long.toString(at.offset()));
    }

    private static String origin(String topic, String partition, String offset) {
        return topic + "-" + partition + "@" + offset;
    }

    /** Reads until each record that was sent has an outcome. */
    static OddOutcomes of(Map<String, OddRecords.Odd> sent, String brokers, String venue, Duration patience) {
        var outcomes = new OddOutcomes(venue);
        long until = System.nanoTime() + patience.toNanos();
        var without = new TreeSet<>(sent.keySet());
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(brokers)) {
            while (!without.isEmpty() && System.nanoTime() < until) {
                consumer.poll(Duration.ofMillis(200)).forEach(outcomes::add);
                without.removeIf(origin -> outcomes.letters.containsKey(origin)
                        || outcomes.shows(sent.get(origin).record()));
            }
        }
        assertEquals(List.of(), List.copyOf(without), "each is shown or is a dead letter");
        outcomes.assertAre(sent);
        return outcomes;
    }

    /** Reads all records of the topics now. */
    static OddOutcomes now(String brokers, String venue) {
        var outcomes = new OddOutcomes(venue);
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(brokers)) {
            new TopicReader<>(consumer).toEnd(outcomes::add);
        }
        return outcomes;
    }

    private static KafkaConsumer<byte[], byte[]> consumer(String brokers) {
        var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", brokers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(TOPICS.stream()
                .flatMap(topic -> consumer.partitionsFor(topic).stream())
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList());
        consumer.seekToBeginning(consumer.assignment());
        return consumer;
    }

    private void add(ConsumerRecord<byte[], byte[]> record) {
        if (record.topic().equals(Topics.DEAD_LETTERS.name())) {
            String origin = origin(
                    header(record, "source-topic"),
                    header(record, "source-partition"),
                    header(record, "source-offset"));
            assertNull(letters.put(origin, record), "two dead letters of " + origin);
        } else if (new String(record.key(), UTF_8).startsWith(prefix)) {
            String identity = identity(record.topic().equals(Topics.SETTLEMENTS.name()), record.key(), record.value());
            assertNull(published.put(identity, new String(record.value(), UTF_8)), "published twice: " + identity);
            assertEquals(1, record.headers().toArray().length, "no header but the schema");
        }
    }

    /** One outcome to a record and one record to an outcome, and a dead letter is the record as it came. */
    private void assertAre(Map<String, OddRecords.Odd> sent) {
        letters.forEach((origin, letter) -> {
            OddRecords.Odd odd = sent.get(origin);
            assertNotNull(odd, "a dead letter of " + origin);
            assertArrayEquals(odd.record().key(), letter.key(), origin);
            assertArrayEquals(odd.record().value(), letter.value(), origin);
        });
        assertEquals(sent.size(), letters.size() + published.size(), "one outcome each");
    }

    /** The reason of a dead letter, by where the record stands that it was made of; null where there is none. */
    String reason(String origin) {
        ConsumerRecord<byte[], byte[]> letter = letters.get(origin);
        return letter == null ? null : header(letter, "reason");
    }

    private boolean shows(ProducerRecord<byte[], byte[]> record) {
        String identity = identity(record);
        return identity != null && published.containsKey(identity);
    }

    /** What was published of a record. */
    String published(ProducerRecord<byte[], byte[]> record) {
        return published.get(identity(record));
    }

    Map<String, String> published() {
        return published;
    }

    private static String identity(ProducerRecord<byte[], byte[]> record) {
        boolean settled = record.topic().equals(Topics.SETTLEMENTS_RAW.name());
        return record.key() == null || record.value() == null ? null : identity(settled, record.key(), record.value());
    }

    /** A contract's reading, or its payment at an instant. */
    private static String identity(boolean settled, byte[] key, byte[] value) {
        String contract = new String(key, UTF_8);
        if (!settled) {
            return contract;
        }
        try {
            JsonNode json = JSON.readTree(value);
            JsonNode settledMs = json.has("settled_raw_ms") ? json.get("settled_raw_ms") : json.get("settled_ms");
            return contract + " at " + settledMs;
        } catch (IOException e) {
            return null; // no JSON
        }
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }

    /** Returns whether the topics have the same records. */
    void assertSame(OddOutcomes later) {
        assertEquals(letters.keySet(), later.letters.keySet(), "no dead letter twice, none more");
        assertEquals(published, later.published, "nothing published twice, nothing else");
    }
}
