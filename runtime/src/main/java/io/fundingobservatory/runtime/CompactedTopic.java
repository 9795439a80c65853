package io.fundingobservatory.runtime;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.json.MalformedRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** What a compacted topic holds, so that a restart or a takeover carries on from there. */
public final class CompactedTopic {
    /** Without progress or a response for so long the brokers are taken for away. */
    private static final Duration SILENT = Duration.ofSeconds(5);

    private CompactedTopic() {}

    /**
     * Reads the topic to its end.
     *
     * @throws KafkaException when it cannot be read, or no further for a few seconds; what was read by then must not be taken for all
     */
    public static <V> Map<String, V> read(KafkaAccess kafka, Topic<V> topic) {
        var values = new HashMap<String, V>();
        List<TopicPartition> partitions = IntStream.range(0, topic.partitions())
                .mapToObj(i -> new TopicPartition(topic.name(), i))
                .toList();
        Map<String, Object> config = kafka.client(Map.of(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                (int) SILENT.toMillis(),
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                (int) SILENT.toMillis()));
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            new TopicReader<>(consumer, consumer.endOffsets(partitions), SILENT)
                    .toEnd(record -> take(topic, record, values));
        }
        return values;
    }

    private static <V> void take(Topic<V> topic, ConsumerRecord<String, byte[]> record, Map<String, V> values) {
        if (record.key() == null) {
            return;
        }
        if (record.value() == null) {
            values.remove(record.key());
            return;
        }
        try {
            values.put(record.key(), topic.codec().decode(record.value()));
        } catch (MalformedRecord e) {
            values.remove(record.key());
        }
    }
}
