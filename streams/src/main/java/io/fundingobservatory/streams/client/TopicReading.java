package io.fundingobservatory.streams.client;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.topics.Topic;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the committed records of a topic from the beginning to its present end, and logs how far it has come. An open
 * transaction is waited for: a process that was killed amid a commit may have written records that are committed later.
 */
final class TopicReading {
    private static final Logger LOG = LoggerFactory.getLogger(TopicReading.class);
    private static final long PROGRESS_EVERY_NS = Duration.ofSeconds(10).toNanos();

    /** A pair table may take a megabyte: thousands of them at once do not fit into the heap. */
    private static final int AT_ONCE = 100;

    private final KafkaAccess kafka;
    private final Admin admin;
    private final BooleanSupplier givenUp;

    /** {@code givenUp} returns whether nobody waits for the records any more. */
    TopicReading(KafkaAccess kafka, Admin admin, BooleanSupplier givenUp) {
        this.kafka = kafka;
        this.admin = admin;
        this.givenUp = givenUp;
    }

    /** Reads all partitions. */
    void all(Topic<?> topic, Consumer<ConsumerRecord<byte[], byte @Nullable []>> taker)
            throws InterruptedException, ExecutionException {
        read(
                topic,
                IntStream.range(0, topic.partitions())
                        .mapToObj(partition -> new TopicPartition(topic.name(), partition))
                        .toList(),
                taker);
    }

    /**
     * Reads some partitions.
     *
     * @throws org.apache.kafka.common.errors.TimeoutException when nothing more can be read for 30 s
     * @throws StartFailure when nobody waits for the records any more: what was read by then is not all
     */
    void read(
            Topic<?> topic, List<TopicPartition> partitions, Consumer<ConsumerRecord<byte[], byte @Nullable []>> taker)
            throws InterruptedException, ExecutionException {
        Map<String, Object> config = kafka.client(Map.of(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                AT_ONCE));
        try (var consumer = new KafkaConsumer<byte[], byte @Nullable []>(
                config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var reader = new TopicReader<>(consumer, ends(partitions));
            long[] count = {0};
            long[] reportAt = {System.nanoTime() + PROGRESS_EVERY_NS};
            boolean ended = reader.until(record -> {
                taker.accept(record);
                count[0]++;
                if (System.nanoTime() > reportAt[0]) {
                    reportAt[0] = System.nanoTime() + PROGRESS_EVERY_NS;
                    LOG.info("topic is being read topic={} records={} left={}", topic.name(), count[0], reader.left());
                }
                return givenUp.getAsBoolean();
            });
            if (ended) {
                throw new StartFailure("topic " + topic.name() + " was read in part: the service is closed");
            }
        }
    }

    /** The offsets after the last records, with those of open transactions. */
    private Map<TopicPartition, Long> ends(List<TopicPartition> partitions)
            throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> latest =
                partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
        var ends = new HashMap<TopicPartition, Long>();
        admin.listOffsets(latest).all().get().forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }
}
