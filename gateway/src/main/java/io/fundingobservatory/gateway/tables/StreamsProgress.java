package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    /** Brokers end a transaction of streams after 20 s; one that is open for longer hangs, and may do so for hours. */
    private static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(40);

    private final KafkaAccess kafka;
    private final Supplier<Map<TopicPartition, Long>> positions;
    private final Duration longestTransaction;
    private volatile long behind = -1;

    /** {@code positions} are the offsets up to which the records of each partition are in the tables. */
    StreamsProgress(KafkaAccess kafka, Supplier<Map<TopicPartition, Long>> positions) {
        this(kafka, positions, LONGEST_TRANSACTION);
    }

    StreamsProgress(KafkaAccess kafka, Supplier<Map<TopicPartition, Long>> positions, Duration longestTransaction) {
        this.kafka = kafka;
        this.positions = positions;
        this.longestTransaction = longestTransaction;
    }

    /**
     * Returns when each quote that is in the topic now has its row in the tables, or was refused by streams.
     *
     * @throws ExecutionException when the brokers do not say, or a transaction hangs on the rows; the cause says why
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
            long begunNs = System.nanoTime();
            for (Map<TopicPartition, Long> read = positions.get(); left(rows, read) > 0; read = positions.get()) {
                if (System.nanoTime() - begunNs > longestTransaction.toNanos()) {
                    throw new ExecutionException(new TimeoutException(
                            "cannot be read to its end, as where a transaction hangs: " + unfinished(rows, read)));
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
        }
    }

    /** Records that were to be processed when that was last requested; -1 before the first time. */
    long behind() {
        return behind;
    }

    private static long left(Map<TopicPartition, Long> ends, Map<TopicPartition, Long> offsets) {
        return ends.keySet().stream()
                .mapToLong(partition -> left(partition, ends, offsets))
                .sum();
    }

    private static long left(
            TopicPartition partition, Map<TopicPartition, Long> ends, Map<TopicPartition, Long> offsets) {
        return Math.max(0, ends.getOrDefault(partition, 0L) - offsets.getOrDefault(partition, 0L));
    }

    private static List<String> unfinished(Map<TopicPartition, Long> ends, Map<TopicPartition, Long> offsets) {
        return ends.keySet().stream()
                .filter(partition -> left(partition, ends, offsets) > 0)
                .map(TopicPartition::toString)
                .sorted()
                .toList();
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
