package io.fundingobservatory.streams.client;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.topics.Topic;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

/** Reads the committed records of a topic up to its present end, and logs how far it has come. */
final class TopicReading {
    private static final Logger LOG = LoggerFactory.getLogger(TopicReading.class);
    private static final long PROGRESS_EVERY_NS = Duration.ofSeconds(10).toNanos();

    private final KafkaAccess kafka;
    private final List<TopicPartition> partitions;
    private final BooleanSupplier givenUp;
    private final Map<TopicPartition, Long> ends;
    private final Map<TopicPartition, Long> from;

    private TopicReading(
            KafkaAccess kafka,
            List<TopicPartition> partitions,
            BooleanSupplier givenUp,
            Map<TopicPartition, Long> ends,
            Map<TopicPartition, Long> from) {
        this.kafka = kafka;
        this.partitions = partitions;
        this.givenUp = givenUp;
        this.ends = ends;
        this.from = from;
    }

    /** From the beginning to the end of now. */
    static TopicReading of(KafkaAccess kafka, Topic<?> topic, BooleanSupplier givenUp) {
        List<TopicPartition> partitions = IntStream.range(0, topic.partitions())
                .mapToObj(partition -> new TopicPartition(topic.name(), partition))
                .toList();
        try (var consumer = consumer(kafka, Map.of())) {
            consumer.assign(partitions);
            return new TopicReading(kafka, partitions, givenUp, Map.copyOf(consumer.endOffsets(partitions)), Map.of());
        }
    }

    /** The same from other offsets; partitions without one are read from their beginning. */
    TopicReading from(Map<TopicPartition, Long> offsets) {
        return new TopicReading(kafka, partitions, givenUp, ends, Map.copyOf(offsets));
    }

    /** The offsets after the last committed records. */
    Map<TopicPartition, Long> ends() {
        return ends;
    }

    /**
     * The offsets up to which a group has processed this topic; none for partitions of which it has processed nothing. Waits for open
     * transactions that move them.
     */
    Map<TopicPartition, Long> processed(String group) {
        var offsets = new HashMap<TopicPartition, Long>();
        try (var consumer = consumer(kafka, Map.of(ConsumerConfig.GROUP_ID_CONFIG, group))) {
            consumer.committed(Set.copyOf(partitions)).forEach((partition, offset) -> {
                if (offset != null) {
                    offsets.put(partition, offset.offset());
                }
            });
        }
        return offsets;
    }

    /** Reads each record. */
    void each(Consumer<ConsumerRecord<byte[], byte @Nullable []>> taker) {
        try (var consumer = consumer(kafka, Map.of())) {
            consumer.assign(partitions);
            Map<TopicPartition, Long> begin = consumer.beginningOffsets(partitions);
            partitions.forEach(partition -> consumer.seek(
                    partition, Math.max(begin.getOrDefault(partition, 0L), from.getOrDefault(partition, 0L))));
            var reader = new TopicReader<>(consumer, ends);
            long count = 0;
            long reportAt = System.nanoTime() + PROGRESS_EVERY_NS;
            while (!givenUp.getAsBoolean() && reader.left() > 0) {
                count += reader.poll(taker);
                if (System.nanoTime() > reportAt) {
                    reportAt = System.nanoTime() + PROGRESS_EVERY_NS;
                    LOG.info(
                            "topic is being read topic={} records={} left={}",
                            partitions.getFirst().topic(),
                            count,
                            reader.left());
                }
            }
        }
    }

    /** A group without members, as a transaction needs it for offsets. */
    static ConsumerGroupMetadata group(KafkaAccess kafka, String id) {
        try (var consumer = consumer(kafka, Map.of(ConsumerConfig.GROUP_ID_CONFIG, id))) {
            return consumer.groupMetadata();
        }
    }

    private static KafkaConsumer<byte[], byte @Nullable []> consumer(KafkaAccess kafka, Map<String, Object> more) {
        var config = new HashMap<String, Object>(more);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
        return new KafkaConsumer<>(kafka.client(config), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
