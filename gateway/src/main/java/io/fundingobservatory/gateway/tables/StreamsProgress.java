package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * How far streams has come with the quotes, as Kafka tells it. Streams commits its offsets in the transaction that writes the rows,
 * so whatever it has committed past is a row in {@code rates.latest} or was refused.
 */
final class StreamsProgress {
    /** Streams commits five times a second. */
    private static final long PAUSE_MS = 50;

    private final KafkaAccess kafka;
    private final Supplier<Map<TopicPartition, Long>> positions;
    private volatile long behind = -1;

    /** {@code positions} are the offsets up to which the records of each partition are in the tables. */
    StreamsProgress(KafkaAccess kafka, Supplier<Map<TopicPartition, Long>> positions) {
        this.kafka = kafka;
        this.positions = positions;
    }

    /**
     * Returns when each quote that is in the topic now has its row in the tables, or was refused by streams.
     *
     * @throws ExecutionException when the brokers do not say; the cause says why
     */
    void awaitRowsOfAllQuotes() throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(kafka.client(Map.of()))) {
            Map<TopicPartition, Long> quotes = ends(admin, Topics.QUOTES_RAW.name());
            for (long left = left(quotes, committed(admin)); left > 0; left = left(quotes, committed(admin))) {
                behind = left;
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
            behind = 0;
            // Everything written, committed or not: the marker that ends a transaction may still be on its way.
            Map<TopicPartition, Long> rows = ends(admin, Topics.RATES_LATEST.name());
            while (left(rows, positions.get()) > 0) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
        }
    }

    /** Records that were to be processed when that was last requested; -1 before the first time. */
    long behind() {
        return behind;
    }

    private static long left(Map<TopicPartition, Long> ends, Map<TopicPartition, Long> offsets) {
        return ends.entrySet().stream()
                .mapToLong(end -> Math.max(0, end.getValue() - offsets.getOrDefault(end.getKey(), 0L)))
                .sum();
    }

    /** Where each partition ends; one without records has no end to be reached. */
    private static Map<TopicPartition, Long> ends(Admin admin, String topic)
            throws InterruptedException, ExecutionException {
        List<TopicPartition> partitions = admin.describeTopics(List.of(topic)).allTopicNames().get().values().stream()
                .flatMap(described -> described.partitions().stream())
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        Map<TopicPartition, Long> first = offsets(admin, partitions, OffsetSpec.earliest());
        Map<TopicPartition, Long> ends = new HashMap<>(offsets(admin, partitions, OffsetSpec.latest()));
        ends.entrySet().removeIf(end -> end.getValue().equals(first.get(end.getKey())));
        return ends;
    }

    private static Map<TopicPartition, Long> offsets(Admin admin, List<TopicPartition> partitions, OffsetSpec which)
            throws InterruptedException, ExecutionException {
        return admin
                .listOffsets(partitions.stream().collect(Collectors.toMap(partition -> partition, any -> which)))
                .all()
                .get()
                .entrySet()
                .stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }

    private static Map<TopicPartition, Long> committed(Admin admin) throws InterruptedException, ExecutionException {
        Map<TopicPartition, @Nullable OffsetAndMetadata> offsets = admin.listConsumerGroupOffsets(Topics.STREAMS_GROUP)
                .partitionsToOffsetAndMetadata()
                .get();
        var committed = new HashMap<TopicPartition, Long>();
        offsets.forEach((partition, offset) -> {
            if (offset != null) {
                committed.put(partition, offset.offset());
            }
        });
        return committed;
    }
}
