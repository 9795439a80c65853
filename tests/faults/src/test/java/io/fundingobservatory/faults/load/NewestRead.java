package io.fundingobservatory.faults.load;

import io.fundingobservatory.oracle.Json;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Watches the end of a topic: when the newest committed record of each venue or partition was read at its exchange, epoch ms. */
public final class NewestRead implements AutoCloseable {
    private final Map<String, Long> newestMs = new ConcurrentHashMap<>();
    private final TopicTail tail;

    private NewestRead(
            String brokers, Topic<?> topic, BiFunction<ConsumerRecord<byte[], byte[]>, Map<String, ?>, String> of) {
        tail = new TopicTail(brokers, topic, record -> {
            Map<String, ?> json = record.value() == null ? Map.of() : Json.object(record.value());
            if (json.get("observed_at_ms") instanceof BigDecimal observed) {
                newestMs.merge(of.apply(record, json), observed.longValue(), Math::max);
            }
        });
    }

    /** By partition of {@code rates.latest}. */
    public static NewestRead ofRows(String brokers) {
        return new NewestRead(brokers, Topics.RATES_LATEST, (record, row) -> "" + record.partition());
    }

    /** By venue, of {@code quotes.raw}. */
    public static NewestRead ofQuotes(String brokers) {
        return new NewestRead(brokers, Topics.QUOTES_RAW, (record, quote) -> "" + quote.get("venue"));
    }

    /** The partitions of {@code rates.latest}. */
    public static List<String> partitions() {
        return IntStream.range(0, Topics.RATES_LATEST.partitions())
                .mapToObj(Integer::toString)
                .toList();
    }

    /** Waits until each of these has a record that was read after an instant. */
    public boolean awaitAll(List<String> keys, long epochMs, Duration patience) throws InterruptedException {
        return tail.await(patience, () -> silentSince(keys, epochMs).isEmpty());
    }

    /** Those that have none. */
    public List<String> silentSince(List<String> keys, long epochMs) {
        return keys.stream()
                .filter(key -> newestMs.getOrDefault(key, 0L) <= epochMs)
                .toList();
    }

    @Override
    public void close() {
        tail.close();
    }
}
