package io.fundingobservatory.faults.load;

import io.fundingobservatory.topics.Topic;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic, read committed, from where it ends now, in a thread of its own; others wait for what it has read. */
final class TopicTail implements AutoCloseable {
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(5);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Consumer<ConsumerRecord<byte[], byte[]>> each;
    private final Thread thread;
    private volatile boolean closed;

    TopicTail(String brokers, Topic<?> topic, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        this.each = each;
        this.consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", brokers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(IntStream.range(0, topic.partitions())
                .mapToObj(partition -> new TopicPartition(topic.name(), partition))
                .toList());
        consumer.seekToEnd(consumer.assignment());
        this.thread = Thread.ofPlatform().name("tail-" + topic.name()).daemon().start(this::run);
    }

    private void run() {
        try (consumer) {
            while (!closed) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(50));
                records.forEach(each);
                if (!records.isEmpty()) {
                    synchronized (this) {
                        notifyAll();
                    }
                }
            }
        } catch (WakeupException e) {
            // closed
        }
    }

    /** Returns true as soon as what was read makes a condition hold, false when it has not within that time. */
    synchronized boolean await(Duration patience, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join(CLOSED_WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
