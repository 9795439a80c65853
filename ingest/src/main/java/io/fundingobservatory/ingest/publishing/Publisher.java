package io.fundingobservatory.ingest.publishing;

import io.fundingobservatory.topics.HistoryProgress;
import io.fundingobservatory.topics.KafkaAccess;
import io.fundingobservatory.topics.Quote;
import io.fundingobservatory.topics.SettledRate;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.VenueStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes polls to {@code quotes.raw} and {@code venues.status}, and what was settled to {@code settlements.raw}. While the broker is away at most one poll of each venue waits for
 * it; later ones are dropped, because only the newest observation counts. What of a poll was sent before a failure stays sent: each
 * quote stands for itself.
 */
public final class Publisher implements AutoCloseable {
    /** What became of a poll handed over. */
    public enum Handed {
        /** On its way. */
        SENT,
        /** Dropped: the venue's poll before it is still waiting for the broker, or there is no room. */
        DROPPED
    }

    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
    private static final Duration ACKNOWLEDGED = Duration.ofSeconds(5);
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final Producer<String, byte[]> producer;
    private final Consumer<String> onFatal;
    private final Map<String, AtomicInteger> pending = new ConcurrentHashMap<>();
    private final AtomicBoolean reachable = new AtomicBoolean(true);

    /**
     * A publisher with a connection of its own.
     *
     * @param onFatal is told why nothing can be published any more until the process is restarted
     */
    public Publisher(KafkaAccess kafka, Consumer<String> onFatal) {
        this(new KafkaProducer<>(config(kafka), new StringSerializer(), new ByteArraySerializer()), onFatal);
    }

    Publisher(Producer<String, byte[]> producer, Consumer<String> onFatal) {
        this.producer = producer;
        this.onFatal = onFatal;
    }

    private static Map<String, Object> config(KafkaAccess kafka) {
        return kafka.client(Map.of(
                ProducerConfig.CLIENT_ID_CONFIG,
                "observatory-ingest",
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                true,
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                "lz4",
                ProducerConfig.LINGER_MS_CONFIG,
                10,
                ProducerConfig.BATCH_SIZE_CONFIG,
                128 * 1024,
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                32L * 1024 * 1024,
                // a poller waits this long for room or for the first contact, then drops the poll
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                10_000,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                120_000));
    }

    /** Hands a poll over; it never waits for the broker's word. */
    public Handed publish(List<Quote> quotes, VenueStatus status) {
        AtomicInteger waiting = pending.computeIfAbsent(status.venue(), v -> new AtomicInteger());
        if (waiting.get() > 0) {
            unreachable("polls of a venue are still waiting to be acknowledged");
            return Handed.DROPPED;
        }
        // Each send may wait for room; one that failed is not followed by hundreds that wait as long.
        var failed = new AtomicBoolean();
        try {
            for (Quote quote : quotes) {
                send(Topics.QUOTES_RAW, quote.key().toString(), quote, waiting, failed);
                if (failed.get()) {
                    return Handed.DROPPED;
                }
            }
            send(Topics.VENUES_STATUS, status.venue(), status, waiting, failed);
            return failed.get() ? Handed.DROPPED : Handed.SENT;
        } catch (InterruptException e) {
            // the venue is being given up; the interrupt is still set
            return Handed.DROPPED;
        } catch (KafkaException e) {
            failed(e);
            return Handed.DROPPED;
        }
    }

    private <V> void send(Topic<V> topic, String key, V value, AtomicInteger waiting, AtomicBoolean failed) {
        send(topic, key, value, waiting, failed, () -> {});
    }

    // The callback hears the outcome; the future that says the same is of no use.
    @SuppressWarnings("FutureReturnValueIgnored")
    private <V> void send(
            Topic<V> topic, String key, V value, AtomicInteger waiting, AtomicBoolean failed, Runnable heard) {
        var headers = new RecordHeaders();
        byte[] bytes = topic.serializer().serialize(topic.name(), headers, value);
        waiting.incrementAndGet();
        Callback done = (at, failure) -> {
            waiting.decrementAndGet();
            if (failure == null) {
                reached();
            } else {
                failed.set(true);
                failed(failure);
            }
            heard.run();
        };
        try {
            producer.send(new ProducerRecord<>(topic.name(), null, null, key, bytes, headers), done);
        } catch (KafkaException e) {
            waiting.decrementAndGet();
            throw e;
        }
    }

    /** Hands settlements over and waits a few seconds for the broker's word; whether it has taken all of them. */
    public boolean publishSettled(List<SettledRate> settled) {
        if (!reachable.get()) {
            return false;
        }
        var waiting = new AtomicInteger();
        var failed = new AtomicBoolean();
        var all = new CountDownLatch(settled.size());
        try {
            for (SettledRate one : settled) {
                send(Topics.SETTLEMENTS_RAW, one.key().toString(), one, waiting, failed, all::countDown);
                if (failed.get()) {
                    return false;
                }
            }
            return all.await(ACKNOWLEDGED.toMillis(), TimeUnit.MILLISECONDS) && !failed.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (KafkaException e) {
            failed(e);
            return false;
        }
    }

    /** Notes how far a contract's history has been read; lost, it is only read once more. */
    public void publishProgress(HistoryProgress progress) {
        try {
            send(
                    Topics.INGEST_PROGRESS,
                    progress.key().toString(),
                    progress,
                    new AtomicInteger(),
                    new AtomicBoolean(),
                    () -> {});
        } catch (KafkaException e) {
            failed(e);
        }
    }

    private void reached() {
        if (!reachable.get() && reachable.compareAndSet(false, true)) {
            LOG.info("broker=reachable");
        }
    }

    private static String words(Exception failure) {
        return Objects.requireNonNullElse(
                failure.getMessage(), failure.getClass().getSimpleName());
    }

    /** A broker that is away comes back; a producer whose sequence or identity is lost stays so. */
    private void failed(Exception failure) {
        unreachable(words(failure));
        if (FatalProducerFailure.is(failure)) {
            onFatal.accept("its producer has failed for good: " + words(failure));
        }
    }

    private void unreachable(String reason) {
        if (reachable.compareAndSet(true, false)) {
            LOG.warn("broker=unreachable reason=\"{}\" polls are dropped until it is back", reason);
        }
    }

    /** Whether the broker has acknowledged what was last sent to it. */
    public boolean isReachable() {
        return reachable.get();
    }

    /** Waits for what is on its way, a few seconds at most. */
    @Override
    public void close() {
        producer.close(CLOSING);
    }
}
