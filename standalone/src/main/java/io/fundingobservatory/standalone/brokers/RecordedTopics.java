package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.json.MalformedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads committed records of topics from one position to another. It joins no group and writes nothing. */
final class RecordedTopics implements AutoCloseable {
    private final KafkaConsumer<String, byte[]> consumer;

    RecordedTopics(KafkaAccess kafka) {
        consumer = new KafkaConsumer<>(
                kafka.client(Map.of(
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                        false,
                        // Each read ends at a known record: a broker that holds a response back for more only delays
                        // the next read.
                        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                        10,
                        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                        10_000,
                        ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        5_000)),
                new StringDeserializer(),
                new ByteArrayDeserializer());
    }

    /**
     * Reads one partition until a record ends it.
     *
     * @param from the first offset
     * @param last receives each record in order; true ends the reading
     * @return whether a record ended it; false at the end of the partition
     * @throws org.apache.kafka.common.errors.TimeoutException when the brokers provide nothing for 30 s
     */
    boolean read(TopicPartition partition, long from, Predicate<ConsumerRecord<String, byte[]>> last) {
        consumer.assign(List.of(partition));
        consumer.seek(partition, from);
        return new TopicReader<>(consumer).until(last);
    }

    /** The first offset that a partition still has. */
    long first(TopicPartition partition) {
        return consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
    }

    /** The first offset whose record has a time, epoch ms UTC, or a later one; null where there is none. */
    @Nullable
    OffsetAndTimestamp at(TopicPartition partition, long atMs) {
        return consumer.offsetsForTimes(Map.of(partition, atMs)).get(partition);
    }

    /** The partitions of a topic. */
    List<TopicPartition> partitions(Topic<?> topic) {
        var partitions = new ArrayList<TopicPartition>();
        consumer.partitionsFor(topic.name())
                .forEach(info -> partitions.add(new TopicPartition(topic.name(), info.partition())));
        return partitions;
    }

    /** The value of a record; one that cannot be read stops the command with a line that names the record. */
    static <V> V value(Topic<V> topic, ConsumerRecord<String, byte[]> record) {
        byte @Nullable [] value = record.value();
        try {
            if (value != null) {
                return topic.codec().decode(value);
            }
        } catch (MalformedRecord | IllegalArgumentException e) {
            throw new Stop("the record of " + topic.name() + " at offset " + record.offset() + " is damaged: "
                    + e.getMessage());
        }
        throw new Stop("the record of " + topic.name() + " at offset " + record.offset() + " is damaged: it is empty");
    }

    @Override
    public void close() {
        consumer.close();
    }
}
