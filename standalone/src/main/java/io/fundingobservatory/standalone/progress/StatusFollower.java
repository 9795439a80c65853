package io.fundingobservatory.standalone.progress;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads {@code venues.status} on a thread of its own until the start is over. */
public final class StatusFollower implements AutoCloseable {
    private static final Topic<VenueStatus> STATUS = Topics.VENUES_STATUS;
    private static final int FETCH_BYTES = 256 * 1024;

    private final KafkaConsumer<String, byte[]> consumer;
    private final StartProgress progress;
    private final InstantSource clock;
    private final Thread thread =
            Thread.ofPlatform().name("start-progress").daemon().unstarted(this::follow);

    private StatusFollower(KafkaAccess kafka, StartProgress progress, InstantSource clock) {
        this.progress = progress;
        this.clock = clock;
        this.consumer = new KafkaConsumer<>(
                kafka.client(Map.of(
                        "isolation.level",
                        "read_committed",
                        "enable.auto.commit",
                        false,
                        "fetch.max.bytes",
                        FETCH_BYTES,
                        "max.partition.fetch.bytes",
                        FETCH_BYTES)),
                new StringDeserializer(),
                new ByteArrayDeserializer());
    }

    public static StatusFollower start(KafkaAccess kafka, StartProgress progress, InstantSource clock) {
        var follower = new StatusFollower(kafka, progress, clock);
        follower.thread.start();
        return follower;
    }

    private void follow() {
        try (consumer) {
            List<TopicPartition> partitions = IntStream.range(0, STATUS.partitions())
                    .mapToObj(i -> new TopicPartition(STATUS.name(), i))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!progress.isOver()) {
                consumer.poll(Duration.ofSeconds(1)).forEach(this::take);
            }
        } catch (WakeupException e) {
            // closed
        } catch (KafkaException e) {
            System.err.println("observatory: the progress of exchanges is no longer followed: " + e.getMessage());
        }
    }

    private void take(ConsumerRecord<String, byte[]> status) {
        if (status.value() == null) {
            return;
        }
        try {
            progress.accept(STATUS.codec().decode(status.value()), clock.millis());
        } catch (MalformedRecord e) {
            // the topology and the gateway count what cannot be read
        }
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
