package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far streams has come with the quotes, as Kafka reports it. Streams commits its offsets in the transaction that writes the rows, so
 * whatever it has committed past is a row in {@code rates.latest} or was rejected. Kafka is requested from the first {@link #get} on, by a
 * consumer that looks up the offsets of streams' group and joins none. One thread uses it.
 */
public final class StreamsProgress implements Supplier<StreamsProgress.Known>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsProgress.class);

    /** Brokers end a transaction of streams after 20 s; one that is open for longer hangs, and may do so for hours. */
    public static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(40);

    private static final long PAUSE_MS = 50;

    private final Map<String, Object> config;
    private final Supplier<Map<TopicPartition, Long>> positions;
    private final InstantSource clock;
    private final Duration longestTransaction;
    private final LoggedOnce failures = new LoggedOnce(LOG);
    private Known known = Known.NOTHING;
    private @Nullable Consumer<byte[], byte[]> consumer;
    /** Where the quotes ended at an instant, epoch ms UTC, as far as streams has not reached it. */
    private @Nullable Map<TopicPartition, Long> quotes;

    private long quotesMs;

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
    public StreamsProgress(
            KafkaAccess kafka,
            Supplier<Map<TopicPartition, Long>> positions,
            InstantSource clock,
            Duration longestTransaction) {
        // A request that takes longer has failed: meanwhile no snapshot is published.
        config = kafka.client(Map.of(
                ConsumerConfig.GROUP_ID_CONFIG,
                Topics.STREAMS_GROUP,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                5_000,
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                2_500));
        this.positions = positions;
        this.clock = clock;
        this.longestTransaction = longestTransaction;
    }

    /** Looks how far streams has come. Once it has processed the quotes, waits until their rows are in the tables. */
    @Override
    public Known get() {
        try {
            known = look();
            failures.overIfFailed("it is known again how far streams has come");
        } catch (KafkaException e) {
            close();
            known = new Known(known.untilMs, known.quotesBehind, true);
            failures.warn("how far streams has come is not known; the first snapshot may wait for its deadline", e);
        }
        return known;
    }

    @Override
    public void close() {
        if (consumer != null) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
        consumer = null;
        quotes = null;
    }

    private Known look() {
        if (consumer == null) {
            consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }
        if (quotes == null) {
            quotesMs = clock.millis();
            quotes = ends(consumer, Topics.QUOTES_RAW.name());
        }
        var committed = new HashMap<TopicPartition, Long>();
        Map<TopicPartition, @Nullable OffsetAndMetadata> offsets = consumer.committed(quotes.keySet());
        offsets.forEach((partition, offset) -> committed.put(partition, offset == null ? 0 : offset.offset()));
        long left = left(quotes, committed);
        if (left > 0) {
            return new Known(known.untilMs, left, false);
        }
        quotes = null;
        // Everything written, committed or not: the marker that ends a transaction may still be on its way.
        Map<TopicPartition, Long> rows = ends(consumer, Topics.RATES_LATEST.name());
        long begunNs = System.nanoTime();
        while (left(rows, positions.get()) > 0) {
            if (System.nanoTime() - begunNs > longestTransaction.toNanos()) {
                throw new TimeoutException(
                        Topics.RATES_LATEST.name() + " cannot be read to its end, as where a transaction hangs");
            }
            pause();
        }
        return new Known(quotesMs, 0, false);
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static long left(Map<TopicPartition, Long> ends, Map<TopicPartition, Long> offsets) {
        return ends.entrySet().stream()
                .mapToLong(end -> Math.max(0, end.getValue() - offsets.getOrDefault(end.getKey(), 0L)))
                .sum();
    }

    /** Where each partition ends; one without records has no end to be reached. */
    private static Map<TopicPartition, Long> ends(Consumer<?, ?> consumer, String topic) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        Map<TopicPartition, Long> first = consumer.beginningOffsets(partitions);
        var ends = new HashMap<>(consumer.endOffsets(partitions));
        ends.entrySet().removeIf(end -> end.getValue().equals(first.get(end.getKey())));
        return ends;
    }
}
