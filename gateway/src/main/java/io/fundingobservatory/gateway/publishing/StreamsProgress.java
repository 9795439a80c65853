package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far streams has come with the quotes, as Kafka reports it. Streams commits its offsets in the transaction that writes the rows, so
 * whatever it has committed past is a row in {@code rates.latest} or was rejected. Kafka is requested from the first {@link #get} on. One
 * thread uses it.
 */
final class StreamsProgress implements Supplier<StreamsProgress.Known>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsProgress.class);

    /** A request to Kafka that takes longer has failed: meanwhile no snapshot is published. */
    private static final int WITHIN_MS = 5_000;

    private final KafkaAccess kafka;
    private final Supplier<Map<TopicPartition, Long>> positions;
    private final InstantSource clock;
    private final LoggedOnce failures = new LoggedOnce(LOG);
    private Known known = Known.NOTHING;
    private @Nullable Admin admin;
    /** Where the quotes ended at an instant, epoch ms UTC, as far as streams has not reached it. */
    private @Nullable Map<TopicPartition, Long> quotes;

    private long quotesMs;

    /** Where the rows of these quotes end, as far as the tables have not reached it. */
    private @Nullable Map<TopicPartition, Long> rows;

    /**
     * What is known of the progress.
     *
     * @param untilMs each quote that was in its topic at this instant, epoch ms UTC, has its row in the tables or was rejected
     * @param quotesBehind how many quotes streams had still to process; -1 before the first request
     * @param failing whether Kafka did not report it, up to the next report
     */
    record Known(long untilMs, long quotesBehind, boolean failing) {
        public static final Known NOTHING = new Known(Long.MIN_VALUE, -1, false);
    }

    /** {@code positions} are the offsets up to which the records of each partition are in the tables. */
    StreamsProgress(KafkaAccess kafka, Supplier<Map<TopicPartition, Long>> positions, InstantSource clock) {
        this.kafka = kafka;
        this.positions = positions;
        this.clock = clock;
    }

    /** Looks once how far streams has come, and after that, whether the rows are in the tables. */
    @Override
    public Known get() {
        try {
            known = look();
            failures.overIfFailed("it is known again how far streams has come");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | RuntimeException e) {
            close();
            known = new Known(known.untilMs, known.quotesBehind, true);
            failures.warn("how far streams has come is not known; the first snapshot may wait for its deadline", e);
        }
        return known;
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
        admin = null;
        quotes = null;
        rows = null;
    }

    private Known look() throws InterruptedException, ExecutionException {
        if (admin == null) {
            admin = Admin.create(kafka.clientPreferring(Map.of(
                    AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, WITHIN_MS,
                    AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, WITHIN_MS)));
        }
        if (quotes == null) {
            quotesMs = clock.millis();
            quotes = ends(admin, Topics.QUOTES_RAW.name());
        }
        if (rows == null) {
            long left = left(quotes, committed(admin));
            if (left > 0) {
                return new Known(known.untilMs, left, false);
            }
            // Everything written, committed or not: the marker that ends a transaction may still be on its way.
            rows = ends(admin, Topics.RATES_LATEST.name());
        }
        if (left(rows, positions.get()) > 0) {
            return new Known(known.untilMs, 0, false);
        }
        quotes = null;
        rows = null;
        return new Known(quotesMs, 0, false);
    }

    /** Up to where streams has committed; offsets of a transaction that is still open do not count. */
    private Map<TopicPartition, Long> committed(Admin admin) throws InterruptedException, ExecutionException {
        Map<TopicPartition, @Nullable OffsetAndMetadata> offsets = admin.listConsumerGroupOffsets(Topics.STREAMS_GROUP)
                .partitionsToOffsetAndMetadata()
                .get();
        var committed = new HashMap<TopicPartition, Long>();
        offsets.forEach((partition, offset) -> committed.put(partition, offset == null ? 0 : offset.offset()));
        return committed;
    }

    private static long left(Map<TopicPartition, Long> ends, Map<TopicPartition, Long> offsets) {
        return ends.entrySet().stream()
                .mapToLong(end -> Math.max(0, end.getValue() - offsets.getOrDefault(end.getKey(), 0L)))
                .sum();
    }

    /** Where each partition ends; one without records has no end to be reached. */
    private Map<TopicPartition, Long> ends(Admin admin, String topic) throws InterruptedException, ExecutionException {
        List<TopicPartition> partitions = admin.describeTopics(List.of(topic)).allTopicNames().get().values().stream()
                .flatMap(described -> described.partitions().stream())
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        Map<TopicPartition, Long> first = offsets(admin, partitions, OffsetSpec.earliest());
        var ends = new HashMap<>(offsets(admin, partitions, OffsetSpec.latest()));
        ends.entrySet().removeIf(end -> end.getValue().equals(first.get(end.getKey())));
        return ends;
    }

    private Map<TopicPartition, Long> offsets(Admin admin, List<TopicPartition> partitions, OffsetSpec which)
            throws InterruptedException, ExecutionException {
        var requested = partitions.stream().collect(Collectors.toMap(partition -> partition, any -> which));
        return admin.listOffsets(requested).all().get().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }
}
