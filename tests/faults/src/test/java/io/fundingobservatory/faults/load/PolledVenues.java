package io.fundingobservatory.faults.load;

import io.fundingobservatory.oracle.Json;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Watches {@code quotes.raw}: when each exchange was last read. */
public final class PolledVenues implements AutoCloseable {
    private final Map<String, Long> lastReadMs = new ConcurrentHashMap<>();
    private final TopicTail tail;

    public PolledVenues(String brokers) {
        tail = new TopicTail(brokers, Topics.QUOTES_RAW, this::take);
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        Map<String, Object> quote = Json.object(record.value());
        lastReadMs.merge(
                (String) quote.get("venue"), ((BigDecimal) quote.get("observed_at_ms")).longValueExact(), Math::max);
    }

    /** Waits until each of these has been read after an instant. */
    public boolean awaitAll(List<String> venues, long epochMs, Duration patience) throws InterruptedException {
        return tail.await(patience, () -> silentSince(venues, epochMs).isEmpty());
    }

    public List<String> silentSince(List<String> venues, long epochMs) {
        return venues.stream()
                .filter(venue -> lastReadMs.getOrDefault(venue, 0L) <= epochMs)
                .toList();
    }

    @Override
    public void close() {
        tail.close();
    }
}
