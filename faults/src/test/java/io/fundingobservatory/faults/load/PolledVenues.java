package io.fundingobservatory.faults.load;

import io.fundingobservatory.faults.oracle.Json;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Watches {@code quotes.raw}: when each exchange was last read. */
public final class PolledVenues implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, Long> lastReadMs = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean closed;

    public PolledVenues(String brokers) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", brokers), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(IntStream.range(0, Topics.QUOTES_RAW.partitions())
                .mapToObj(partition -> new TopicPartition(Topics.QUOTES_RAW.name(), partition))
                .toList());
        consumer.seekToEnd(consumer.assignment());
        thread = Thread.ofPlatform().name("polled-venues").daemon().start(this::run);
    }

    private void run() {
        while (!closed) {
            try {
                consumer.poll(Duration.ofMillis(50)).forEach(record -> {
                    var quote = Json.object(record.value());
                    lastReadMs.merge(
                            (String) quote.get("venue"),
                            ((BigDecimal) quote.get("observed_at_ms")).longValueExact(),
                            Math::max);
                });
            } catch (org.apache.kafka.common.errors.WakeupException e) {
                break;
            }
        }
        consumer.close();
    }

    /** Waits until each of these has been read after an instant. */
    public boolean awaitAll(List<String> venues, long epochMs, Duration patience) throws InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        while (!silentSince(venues, epochMs).isEmpty()) {
            if (System.nanoTime() > until) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return true;
    }

    public List<String> silentSince(List<String> venues, long epochMs) {
        return venues.stream()
                .filter(venue -> lastReadMs.getOrDefault(venue, 0L) <= epochMs)
                .toList();
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
