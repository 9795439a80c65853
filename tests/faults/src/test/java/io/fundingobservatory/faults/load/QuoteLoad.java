package io.fundingobservatory.faults.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.faults.load.Contracts.Contract;
import io.fundingobservatory.oracle.Acknowledgements;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends a steady flow of quotes to {@code quotes.raw} from its own thread, every contract in turn, some of
 * them twice. Also sends the statuses of the venues, as pollers publish them. Keeps the acknowledged records
 * by partition and offset.
 */
public final class QuoteLoad implements AutoCloseable {
    private static final int TICK_MS = 50;
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(1);

    private final KafkaProducer<byte[], byte[]> producer;
    private final Contracts contracts;
    private final Random random;
    private final int perTick;
    private final Acknowledgements acknowledged = new Acknowledgements();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong responses = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean paused;
    private int next;

    /**
     * Starts it.
     *
     * @param perSecond quotes a second
     * @param settings of the producer, over the careful ones
     */
    public QuoteLoad(String brokers, Contracts contracts, long seed, int perSecond, Map<String, Object> settings) {
        var config = new HashMap<String, Object>(Map.of(
                "bootstrap.servers", brokers,
                "acks", "all",
                "linger.ms", 5,
                "compression.type", "lz4",
                "max.block.ms", 180_000,
                "delivery.timeout.ms", 180_000,
                "request.timeout.ms", 10_000,
                // A fresh partition may refuse the first batch and take the second (KAFKA-15591). The first is then
                // refused until it expires, and from the next change of leader on so is all behind it.
                "max.in.flight.requests.per.connection", 1,
                "metadata.recovery.rebootstrap.trigger.ms", 10_000));
        config.putAll(settings);
        this.producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.contracts = contracts;
        this.random = new Random(seed);
        this.perTick = Math.max(1, perSecond * TICK_MS / 1_000);
        this.thread = Thread.ofPlatform().name("quote-load").daemon().start(this::run);
    }

    private void run() {
        long due = System.nanoTime();
        long statusesDue = due;
        while (!closed) {
            if (!paused) {
                if (System.nanoTime() - statusesDue >= 0) {
                    statuses();
                    statusesDue = System.nanoTime() + 5_000_000_000L;
                }
                burst(perTick);
            }
            due += TICK_MS * 1_000_000L;
            if (System.nanoTime() - due > 1_000_000_000L) {
                due = System.nanoTime(); // held up by the brokers: not caught up with
            }
            LockSupport.parkNanos(due - System.nanoTime());
        }
    }

    private void burst(int quotes) {
        for (int i = 0; i < quotes && !closed; i++) {
            Contract contract = contracts.all().get(next++ % contracts.all().size());
            byte[] value =
                    QuoteText.of(contract, random, System.currentTimeMillis()).getBytes(UTF_8);
            send(contract.key(), value);
            if (random.nextInt(40) == 0) {
                send(contract.key(), value);
            }
        }
    }

    private void send(String key, byte[] value) {
        sent.incrementAndGet();
        try {
            producer.send(new ProducerRecord<>(Topics.QUOTES_RAW.name(), key.getBytes(UTF_8), value), (at, failure) -> {
                responses.incrementAndGet();
                if (failure == null) {
                    acknowledged.add(at.partition(), at.offset(), Arrays.hashCode(value));
                }
            });
        } catch (org.apache.kafka.common.KafkaException e) {
            responses.incrementAndGet();
        }
    }

    private void statuses() {
        long now = System.currentTimeMillis();
        for (ListedVenue venue : ListedVenue.ALL) {
            long symbols = contracts.all().stream()
                    .filter(contract -> contract.venue().equals(venue.id()))
                    .count();
            String status = symbols == 0 ? """
                    {"venue":"%s","source":"simulated","rate_kind":null,"settled_history":false,"skipped":{}}""".formatted(venue.id()) : """
                    {"venue":"%s","source":"simulated","rate_kind":"estimate","settled_history":false,\
                    "last_attempt_ms":%d,"last_success_ms":%d,"symbols":%d,"skipped":{}}""".formatted(venue.id(), now, now, symbols);
            try {
                producer.send(new ProducerRecord<>(
                        Topics.VENUES_STATUS.name(), venue.id().getBytes(UTF_8), status.getBytes(UTF_8)));
            } catch (org.apache.kafka.common.KafkaException e) {
                return; // sent again in five seconds
            }
        }
    }

    /** Nothing is sent until {@link #go}. */
    public void pause() {
        paused = true;
    }

    public void go() {
        paused = false;
    }

    public Acknowledgements acknowledged() {
        return acknowledged;
    }

    /** Sends without a response so far. */
    public long underWay() {
        return sent.get() - responses.get();
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(CLOSED_WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(CLOSED_WITHIN);
    }
}
