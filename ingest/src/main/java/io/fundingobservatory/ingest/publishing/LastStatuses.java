package io.fundingobservatory.ingest.publishing;

import io.fundingobservatory.topics.MalformedRecord;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.VenueStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** What was last said about each venue, so that a restart or a takeover carries on from there. */
public final class LastStatuses {
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private LastStatuses() {}

    /** Reads the topic to its end; what cannot be read within a few seconds is left out. */
    public static Map<String, VenueStatus> read(String bootstrapServers) {
        var statuses = new HashMap<String, VenueStatus>();
        var partition = new TopicPartition(Topics.VENUES_STATUS.name(), 0);
        Map<String, Object> config = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) LONGEST.toMillis(),
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) LONGEST.toMillis());
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            long giveUp = System.nanoTime() + LONGEST.toNanos();
            while (consumer.position(partition) < end && System.nanoTime() < giveUp) {
                for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    take(record, statuses);
                }
            }
        } catch (KafkaException e) {
            // fresh statuses do as well
            return statuses;
        }
        return statuses;
    }

    private static void take(ConsumerRecord<String, byte[]> record, Map<String, VenueStatus> statuses) {
        if (record.key() == null) {
            return;
        }
        if (record.value() == null) {
            statuses.remove(record.key());
            return;
        }
        try {
            statuses.put(record.key(), Topics.VENUES_STATUS.codec().decode(record.value()));
        } catch (MalformedRecord e) {
            statuses.remove(record.key());
        }
    }
}
