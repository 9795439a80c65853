package io.fundingobservatory.streams.client;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the committed records of a topic and logs how far it has come. It knows what the group of {@code pairs} has
 * processed, without being a member.
 */
final class TopicReading implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicReading.class);
    private static final long PROGRESS_EVERY_NS = Duration.ofSeconds(10).toNanos();

    private final String topic;
    private final BooleanSupplier givenUp;
    private final KafkaConsumer<byte[], byte @Nullable []> consumer;

    TopicReading(KafkaAccess kafka, Topic<?> topic, BooleanSupplier givenUp) {
        this.topic = topic.name();
        this.givenUp = givenUp;
        this.consumer = new KafkaConsumer<>(
                kafka.client(Map.of(
                        ConsumerConfig.GROUP_ID_CONFIG,
                        Topics.PAIRS_GROUP,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        10_000)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(IntStream.range(0, topic.partitions())
                .mapToObj(partition -> new TopicPartition(topic.name(), partition))
                .toList());
    }

    /** Reads a topic from its beginning to its present end. */
    static void all(
            KafkaAccess kafka,
            Topic<?> topic,
            BooleanSupplier givenUp,
            Consumer<ConsumerRecord<byte[], byte @Nullable []>> taker) {
        try (var reading = new TopicReading(kafka, topic, givenUp)) {
            reading.each(Map.of(), reading.ends(), taker);
        }
    }

    /** The offsets after the last committed records. */
    Map<TopicPartition, Long> ends() {
        return consumer.endOffsets(consumer.assignment());
    }

    /**
     * The offsets up to which the group has processed this topic; none for partitions of which it has processed nothing. Waits for
     * open transactions that move them.
     */
    Map<TopicPartition, Long> processed() {
        var offsets = new HashMap<TopicPartition, Long>();
        consumer.committed(consumer.assignment()).forEach((partition, offset) -> {
            if (offset != null) {
                offsets.put(partition, offset.offset());
            }
        });
        return offsets;
    }

    /** The group without members, as a transaction needs it for offsets. */
    ConsumerGroupMetadata group() {
        return consumer.groupMetadata();
    }

    /** Reads each record between two offsets; partitions without a first one are read from their beginning. */
    void each(
            Map<TopicPartition, Long> from,
            Map<TopicPartition, Long> ends,
            Consumer<ConsumerRecord<byte[], byte @Nullable []>> taker) {
        consumer.beginningOffsets(consumer.assignment())
                .forEach((partition, begin) ->
                        consumer.seek(partition, Math.max(begin, from.getOrDefault(partition, begin))));
        var reader = new TopicReader<>(consumer, ends);
        long count = 0;
        long reportAt = System.nanoTime() + PROGRESS_EVERY_NS;
        while (!givenUp.getAsBoolean() && reader.left() > 0) {
            count += reader.poll(taker);
            if (System.nanoTime() > reportAt) {
                reportAt = System.nanoTime() + PROGRESS_EVERY_NS;
                LOG.info("topic is being read topic={} records={} left={}", topic, count, reader.left());
            }
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
