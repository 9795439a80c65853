package io.fundingobservatory.ingest.publish;

import static java.util.Map.entry;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.Retention;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.ApplicationRecoverableException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes polls to {@code venues.status} and {@code quotes.raw}, and settlements to {@code settlements.raw}. The status
 * comes first. Its acknowledgement shows whether this process's clock agrees with the brokers'; otherwise nothing else
 * is written.
 *
 * <p>While the broker is away, polls are dropped, because only the newest observation counts. So are those of a venue whose
 * former poll still waits for acknowledgements. Records of a poll that were sent before a failure stay sent, because raw
 * quotes do not depend on one another. For the same reason, a record that cannot be written does not affect
 * the others.
 */
public class Publisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
    private static final Duration ACKNOWLEDGED = Duration.ofSeconds(5);
    private static final Duration CLOSING = Duration.ofSeconds(5);

    /** Brokers that fail over take nine seconds. */
    private static final Duration STATUS_ACKNOWLEDGED = Duration.ofSeconds(15);

    private final Producer<String, byte[]> producer;
    private final InstantSource clock;
    private final ClockCheck clocks = new ClockCheck();
    private final IngestEvents events;
    private final Consumer<String> givenUp;
    private final AtomicBoolean reachable = new AtomicBoolean(true);
    /** The quotes of each venue's last poll that was not dropped. */
    private final Map<String, List<Future<?>>> lastQuotes = new ConcurrentHashMap<>();

    public static Producer<String, byte[]> producer(KafkaAccess kafka) {
        return new KafkaProducer<>(config(kafka), new StringSerializer(), new ByteArraySerializer());
    }

    /**
     * A publisher through a producer, which it closes.
     *
     * @param clock the clock that observations are stamped with
     * @param givenUp receives, in one line, why nothing can be published until the process is restarted
     */
    public Publisher(
            Producer<String, byte[]> producer, InstantSource clock, IngestEvents events, Consumer<String> givenUp) {
        this.producer = producer;
        this.clock = clock;
        this.events = events;
        this.givenUp = givenUp;
    }

    private static Map<String, Object> config(KafkaAccess kafka) {
        return kafka.client(Map.ofEntries(
                entry(ProducerConfig.CLIENT_ID_CONFIG, "observatory-ingest"),
                entry(ProducerConfig.ACKS_CONFIG, "all"),
                entry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true),
                entry(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4"),
                entry(ProducerConfig.LINGER_MS_CONFIG, 10),
                entry(ProducerConfig.BATCH_SIZE_CONFIG, 128 * 1024),
                entry(ProducerConfig.BUFFER_MEMORY_CONFIG, 32L * 1024 * 1024),
                // A partition that was just created may reject the first batch and take the second, because a
                // broker takes any sequence number of an unknown producer. The first one can then never be
                // delivered.
                entry(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1),
                // a poller waits this long for room or for the first contact, then drops the poll
                entry(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000),
                entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 120_000)));
    }

    /** Writes a status, waits for its acknowledgement, and hands the quotes over. Returns whether they are on their way; false when they were dropped. */
    public boolean publish(List<Quote> quotes, VenueStatus status) {
        // Each partition has a leader of its own: statuses may be acknowledged while quotes wait.
        if (!lastQuotes.getOrDefault(status.venue(), List.of()).stream().allMatch(Future::isDone)) {
            unreachable("quotes of a venue's former poll are still waiting to be acknowledged");
            return dropped(status.venue(), "broker_unreachable");
        }
        var sent = new ArrayList<Future<?>>();
        try {
            send(Topics.VENUES_STATUS, status.venue(), status::venue, status)
                    .get(STATUS_ACKNOWLEDGED.toMillis(), TimeUnit.MILLISECONDS);
            if (clocks.problem() != null) {
                return dropped(status.venue(), "clock_wrong");
            }
            lastQuotes.put(status.venue(), sent);
            for (Quote quote : quotes) {
                sent.add(
                        send(Topics.QUOTES_RAW, quote.venue(), () -> quote.key().toString(), quote));
                if (hasFailed(sent.getLast())) {
                    return dropped(status.venue(), "broker_unreachable");
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false; // the venue is being given up
        } catch (TimeoutException e) {
            unreachable("the status of a poll is still waiting to be acknowledged");
        } catch (KafkaException e) {
            failed(e);
        } catch (ExecutionException e) {
            // the callback has the failure
        }
        return dropped(status.venue(), "broker_unreachable");
    }

    private boolean dropped(String venue, String reason) {
        events.dropped(venue, reason);
        return false;
    }

    /**
     * Hands one record to the producer. One that cannot be written is left out, and the rest goes on: it counts as done.
     *
     * @return done when the broker has responded
     */
    private <V> Future<?> send(Topic<V> topic, String venue, Supplier<String> key, V value) {
        var headers = new RecordHeaders();
        ProducerRecord<String, byte[]> record;
        try {
            byte[] bytes = topic.serializer().serialize(topic.name(), headers, value);
            record = new ProducerRecord<>(topic.name(), null, null, key.get(), bytes, headers);
        } catch (IllegalArgumentException e) {
            // an UnwritableRecord, or a name that is no key
            events.unwritable(venue, topic.name(), words(e));
            return CompletableFuture.completedFuture(null);
        }
        long sentMs = clock.millis();
        Map<Integer, Integer> leaders = topic.policy() instanceof Retention.Compact ? Map.of() : leaders(topic);
        return producer.send(record, (at, failure) -> {
            if (failure == null) {
                reached();
                Integer leader = leaders.get(at.partition());
                if (leader != null && at.hasTimestamp()) {
                    clocks.acknowledged(leader, sentMs, at.timestamp(), clock.millis());
                }
            } else {
                failed(failure);
            }
        });
    }

    /** Each record may wait for room in the buffer; after one that failed, hundreds would wait as long. */
    private static boolean hasFailed(Future<?> sent) {
        return sent.state() == Future.State.FAILED;
    }

    /** The leader of each partition of a topic, from the producer's own table. */
    private Map<Integer, Integer> leaders(Topic<?> topic) {
        var leaders = new HashMap<Integer, Integer>();
        for (PartitionInfo partition : producer.partitionsFor(topic.name())) {
            if (partition.leader() != null) {
                leaders.put(partition.partition(), partition.leader().id());
            }
        }
        return leaders;
    }

    /** Hands settlements over and waits a few seconds. Returns whether all of them have been acknowledged. */
    public boolean publishSettled(List<SettledRate> settled) {
        if (!reachable.get() || clocks.problem() != null) {
            return false;
        }
        var sent = new ArrayList<Future<?>>();
        try {
            for (SettledRate one : settled) {
                sent.add(send(
                        Topics.SETTLEMENTS_RAW, one.venue(), () -> one.key().toString(), one));
                if (hasFailed(sent.getLast())) {
                    return false;
                }
            }
            long end = System.nanoTime() + ACKNOWLEDGED.toNanos();
            for (Future<?> one : sent) {
                one.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false; // the callback has the failure
        } catch (KafkaException e) {
            failed(e);
            return false;
        }
    }

    /** Writes how far a contract's history has been read. A lost record costs one further reading. */
    @SuppressWarnings("FutureReturnValueIgnored") // lost, it is read again by the next process
    public void publishProgress(HistoryProgress progress) {
        try {
            send(Topics.INGEST_PROGRESS, progress.venue(), () -> progress.key().toString(), progress);
        } catch (KafkaException e) {
            failed(e);
        }
    }

    private void reached() {
        if (!reachable.get() && reachable.compareAndSet(false, true)) {
            LOG.info("broker is reachable again");
        }
    }

    private static String words(Exception failure) {
        return Objects.requireNonNullElse(
                failure.getMessage(), failure.getClass().getSimpleName());
    }

    private void failed(Exception failure) {
        if (failure instanceof InterruptException) {
            return; // the venue is being given up; the interrupt is still set
        }
        unreachable(words(failure));
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (isFatal(cause)) {
                givenUp.accept("its producer has failed for good: " + words(failure));
                return;
            }
        }
    }

    /**
     * Whether an idempotent producer takes no more records. It lost its sequence or its identity, may not write
     * idempotently, or uses a protocol that the broker does not support. All other failures may pass.
     */
    private static boolean isFatal(Throwable failure) {
        return failure instanceof ApplicationRecoverableException
                || failure instanceof ClusterAuthorizationException
                || failure instanceof OutOfOrderSequenceException
                || failure instanceof ProducerFencedException
                || failure instanceof UnsupportedVersionException;
    }

    private void unreachable(String reason) {
        if (reachable.compareAndSet(true, false)) {
            LOG.warn("broker is unreachable, polls are dropped reason=\"{}\"", reason);
        }
    }

    /** What is wrong with this process's clock, for which nothing is published, in one line; null when nothing is. */
    public @Nullable String clockProblem() {
        return clocks.problem();
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
