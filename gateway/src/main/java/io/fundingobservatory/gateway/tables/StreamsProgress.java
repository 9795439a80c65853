package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far streams has come with the quotes, as Kafka reports it. Streams commits its offsets in the transaction that writes the rows, so
 * whatever it has committed past is a row in {@code rates.latest} or was rejected. Kafka is requested from the first {@link #get} on.
 */
public final class StreamsProgress implements Supplier<StreamsProgress.Known>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsProgress.class);

    /** Streams commits five times a second. */
    private static final long PAUSE_MS = 50;

    /** Delay before Kafka is requested again when it did not report the progress. */
    private static final long TRY_AGAIN_MS = 1_000;

    /** Brokers end a transaction of streams after 20 s; one that is open for longer hangs, and may do so for hours. */
    private static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(40);

    private final KafkaAccess kafka;
    private final Supplier<Map<TopicPartition, Long>> positions;
    private final InstantSource clock;
    private final Duration longestTransaction;
    private final LoggedOnce failures = new LoggedOnce(LOG);
    private volatile Known known = Known.NOTHING;
    private @Nullable Thread requests;
    private boolean closed;

    /**
     * What is known of the progress.
     *
     * @param untilMs each quote that was in its topic at this instant, epoch ms UTC, has its row in the tables or was rejected
     * @param quotesBehind how many quotes streams had still to process; -1 before the first request
     * @param failing whether Kafka did not report it at the last request
     */
    public record Known(long untilMs, long quotesBehind, boolean failing) {
        public static final Known NOTHING = new Known(Long.MIN_VALUE, -1, false);
    }

    /** {@code positions} are the offsets up to which the records of each partition are in the tables. */
    public StreamsProgress(KafkaAccess kafka, Supplier<Map<TopicPartition, Long>> positions, InstantSource clock) {
        this(kafka, positions, clock, LONGEST_TRANSACTION);
    }

    StreamsProgress(
            KafkaAccess kafka,
            Supplier<Map<TopicPartition, Long>> positions,
            InstantSource clock,
            Duration longestTransaction) {
        this.kafka = kafka;
        this.positions = positions;
        this.clock = clock;
        this.longestTransaction = longestTransaction;
    }

    @Override
    public synchronized Known get() {
        if (requests == null && !closed) {
            requests = Thread.ofVirtual().name("gateway-progress").start(this::run);
        }
        return known;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (requests != null) {
            requests.interrupt();
        }
    }

    private void run() {
        try {
            while (true) {
                try (Admin admin = Admin.create(kafka.client(Map.of()))) {
                    while (true) {
                        next(admin);
                        failures.overIfFailed("it is known again how far streams has come");
                        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
                    }
                } catch (ExecutionException | RuntimeException e) {
                    known = new Known(known.untilMs, known.quotesBehind, true);
                    failures.warn(
                            "how far streams has come is not known; the first snapshot may wait for its deadline",
                            Objects.requireNonNullElse(e.getCause(), e));
                }
                TimeUnit.MILLISECONDS.sleep(TRY_AGAIN_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until each quote that is in the topic now has its row in the tables, or was rejected. */
    private void next(Admin admin) throws InterruptedException, ExecutionException {
        long nowMs = clock.millis();
        Map<TopicPartition, Long> quotes = ends(admin, Topics.QUOTES_RAW.name());
        for (long left = left(quotes, committed(admin)); left > 0; left = left(quotes, committed(admin))) {
            known = new Known(known.untilMs, left, false);
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
        // Everything written, committed or not: the marker that ends a transaction may still be on its way.
        Map<TopicPartition, Long> rows = ends(admin, Topics.RATES_LATEST.name());
        long begunNs = System.nanoTime();
        while (left(rows, positions.get()) > 0) {
            if (System.nanoTime() - begunNs > longestTransaction.toNanos()) {
                throw new ExecutionException(new TimeoutException(
                        Topics.RATES_LATEST.name() + " cannot be read to its end, as where a transaction hangs"));
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
        known = new Known(nowMs, 0, false);
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
