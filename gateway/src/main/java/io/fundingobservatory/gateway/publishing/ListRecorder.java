package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.gateway.tables.LoggedOnce;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.json.UnwritableRecord;
import io.fundingobservatory.topics.records.PublishedList;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what each published list was made from: new statuses to {@code venues.status.history}, then a record with their offsets to {@code
 * lists.published}. Lists are served whether recorded or not; without brokers the newest {@value #WAITING} wait, and a kill loses the last.
 */
final class ListRecorder implements Runnable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ListRecorder.class);

    /** An hour of lists, of about 8 kB each: 3 kB, and the statuses that have changed since the one before. */
    private static final int WAITING = 720;

    /** Longer than the producer tries to deliver a record. */
    private static final long ACKNOWLEDGED_S = 15;

    private static final long TRY_AGAIN_MS = 1_000;
    private static final Duration CLOSE_WITHIN = Duration.ofMillis(100);

    /** A status that does not change is written again, because its topic keeps 8 days. */
    private static final long WRITTEN_AGAIN_MS = Duration.ofDays(1).toMillis();

    /** What a published list was made from: its record, which does not name the statuses yet, and one status of each venue. */
    record Sources(PublishedList list, Collection<VenueStatus> statuses) {}

    private final Supplier<Producer<String, byte[]>> producers;
    private final BlockingQueue<Sources> waiting = new LinkedBlockingQueue<>(WAITING);
    private final Map<String, Written> written = new HashMap<>();
    private final LoggedOnce failures = new LoggedOnce(LOG);
    private final LongAdder recorded = new LongAdder();
    private volatile boolean ending;
    private volatile boolean closed;
    private volatile @Nullable Producer<String, byte[]> producer;

    /** A status on the topic, and the generation of the list that it was written for, epoch ms UTC. */
    private record Written(VenueStatus status, long writtenAtMs, long offset) {
        boolean holds(VenueStatus now, long nowMs) {
            return nowMs - writtenAtMs < WRITTEN_AGAIN_MS && status.equals(now);
        }
    }

    ListRecorder(KafkaAccess kafka) {
        this(() -> open(kafka));
    }

    ListRecorder(Supplier<Producer<String, byte[]>> producers) {
        this.producers = producers;
    }

    private static Producer<String, byte[]> open(KafkaAccess kafka) {
        return new KafkaProducer<>(
                kafka.client(Map.ofEntries(
                        Map.entry(ProducerConfig.CLIENT_ID_CONFIG, "observatory-gateway-lists"),
                        Map.entry(ProducerConfig.ACKS_CONFIG, "all"),
                        // A record may be there twice. An idempotent producer without rights requests its id again and
                        // again.
                        Map.entry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false),
                        Map.entry(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4"),
                        Map.entry(ProducerConfig.BUFFER_MEMORY_CONFIG, 4L << 20),
                        Map.entry(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000),
                        Map.entry(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000),
                        Map.entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000))),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    /** Takes a list that is served from now on; never waits. The oldest list that waits goes where there is no room. */
    void add(Sources list) {
        while (!waiting.offer(list)) {
            waiting.poll();
        }
    }

    /** No list follows: {@link #run} returns when those that wait are written, or cannot be. */
    void end() {
        ending = true;
    }

    long recorded() {
        return recorded.sum();
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                Sources next = waiting.poll(TRY_AGAIN_MS / 10, TimeUnit.MILLISECONDS);
                if (next == null) {
                    if (ending) {
                        return;
                    }
                } else {
                    record(next);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    private void record(Sources next) throws InterruptedException {
        while (!closed) {
            try {
                write(next);
                recorded.increment();
                failures.overIfFailed("published lists are recorded again");
                return;
            } catch (UnwritableRecord e) {
                failures.warn("a published list cannot be recorded", e);
                return;
            } catch (IllegalStateException e) {
                // What a closed producer throws.
                if (!closed) {
                    throw e;
                }
            } catch (ExecutionException | TimeoutException | KafkaException e) {
                if (ending || closed) {
                    return;
                }
                if (e.getCause() instanceof RecordTooLargeException) {
                    failures.warn("a published list cannot be recorded", e);
                    return;
                }
                failures.warn("published lists are not recorded; they cannot be rebuilt", e);
                TimeUnit.MILLISECONDS.sleep(TRY_AGAIN_MS);
            }
        }
    }

    private void write(Sources next) throws InterruptedException, ExecutionException, TimeoutException {
        Producer<String, byte[]> to = producer;
        if (to == null) {
            to = producers.get();
            producer = to;
        }
        PublishedList list = next.list();
        var sent = new LinkedHashMap<VenueStatus, Future<RecordMetadata>>();
        for (VenueStatus status : next.statuses()) {
            Written before = written.get(status.venue());
            if (before == null || !before.holds(status, list.generatedAtMs())) {
                sent.put(
                        status,
                        to.send(record(Topics.VENUES_STATUS_HISTORY, status.venue(), status, list.generatedAtMs())));
            }
        }
        for (var status : sent.entrySet()) {
            long offset =
                    status.getValue().get(ACKNOWLEDGED_S, TimeUnit.SECONDS).offset();
            written.put(status.getKey().venue(), new Written(status.getKey(), list.generatedAtMs(), offset));
        }
        var offsets = new HashMap<String, Long>();
        for (VenueStatus status : next.statuses()) {
            offsets.put(
                    status.venue(),
                    Objects.requireNonNull(written.get(status.venue())).offset());
        }
        to.send(record(Topics.LISTS_PUBLISHED, list.tag(), list.withStatuses(offsets), list.generatedAtMs()))
                .get(ACKNOWLEDGED_S, TimeUnit.SECONDS);
    }

    private static <V> ProducerRecord<String, byte[]> record(Topic<V> topic, String key, V value, long atMs) {
        var record = new ProducerRecord<>(
                topic.name(), null, atMs, key, topic.codec().encode(value));
        record.headers().add(topic.schemaHeader());
        return record;
    }

    /** Gives up what is not written. */
    @Override
    public void close() {
        closed = true;
        Producer<String, byte[]> open = producer;
        if (open != null) {
            open.close(CLOSE_WITHIN);
        }
    }
}
