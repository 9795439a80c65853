package io.fundingobservatory.faults.load;

import io.fundingobservatory.faults.oracle.Json;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Watches the end of {@code rates.latest}, read committed: how new the newest reading of each partition is, and since when it is there. */
public final class CommittedFlow implements AutoCloseable {
    private record Seen(long observedAtMs) {}

    private final Map<Integer, Seen> newest = new ConcurrentHashMap<>();
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread;
    private volatile boolean closed;

    public CommittedFlow(String brokers) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", brokers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(IntStream.range(0, Topics.RATES_LATEST.partitions())
                .mapToObj(partition -> new TopicPartition(Topics.RATES_LATEST.name(), partition))
                .toList());
        consumer.seekToEnd(consumer.assignment());
        thread = Thread.ofPlatform().name("committed-flow").daemon().start(this::run);
    }

    private void run() {
        while (!closed) {
            try {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(50))) {
                    if (record.value() != null
                            && Json.object(record.value()).get("observed_at_ms") instanceof BigDecimal observed) {
                        newest.put(record.partition(), new Seen(observed.longValue()));
                    }
                }
            } catch (org.apache.kafka.common.errors.WakeupException e) {
                break;
            }
        }
        consumer.close();
    }

    /** Waits until every partition has a committed row that was read after an instant. */
    public boolean awaitReadAfter(long epochMs, Duration patience) throws InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() < until) {
            if (newest.size() == Topics.RATES_LATEST.partitions()
                    && newest.values().stream().allMatch(seen -> seen.observedAtMs() > epochMs)) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return false;
    }

    /** Which partitions have a row that was read after an instant, for people. */
    public String state(long epochMs) {
        return newest.entrySet().stream()
                .map(seen -> seen.getKey() + (seen.getValue().observedAtMs() > epochMs ? " flows" : " waits"))
                .toList()
                .toString();
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
