package io.fundingobservatory.faults.load;

import io.fundingobservatory.oracle.Json;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Watches the end of {@code rates.latest}: when the newest committed row of each partition was read at its exchange. */
public final class CommittedFlow implements AutoCloseable {
    /** Epoch ms by partition. */
    private final Map<Integer, Long> newest = new ConcurrentHashMap<>();

    private final TopicTail tail;

    public CommittedFlow(String brokers) {
        tail = new TopicTail(brokers, Topics.RATES_LATEST, this::take);
    }

    private void take(ConsumerRecord<byte[], byte[]> row) {
        if (row.value() != null && Json.object(row.value()).get("observed_at_ms") instanceof BigDecimal observed) {
            newest.put(row.partition(), observed.longValue());
        }
    }

    /** Waits until every partition has a committed row that was read after an instant. */
    public boolean awaitReadAfter(long epochMs, Duration patience) throws InterruptedException {
        return tail.await(
                patience,
                () -> newest.size() == Topics.RATES_LATEST.partitions()
                        && newest.values().stream().allMatch(observedMs -> observedMs > epochMs));
    }

    /** Which partitions have a row that was read after an instant, for people. */
    public String state(long epochMs) {
        return newest.entrySet().stream()
                .map(seen -> seen.getKey() + (seen.getValue() > epochMs ? " flows" : " waits"))
                .toList()
                .toString();
    }

    @Override
    public void close() {
        tail.close();
    }
}
