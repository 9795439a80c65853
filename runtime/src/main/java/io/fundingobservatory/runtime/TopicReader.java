package io.fundingobservatory.runtime;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads topics to the ends that they have when the reader is made, with a consumer that belongs to its caller.
 *
 * <p>A consumer with {@code isolation.level=read_committed} ends before the first open transaction.
 */
public final class TopicReader<K, V> {
    private static final Duration POLL = Duration.ofMillis(200);

    /** Without progress for so long the brokers are taken for away: as long as Kafka's clients wait for one response. */
    private static final Duration SILENT = Duration.ofSeconds(30);

    private final Consumer<K, V> consumer;
    private final Map<TopicPartition, Long> ends;
    private final Duration silent;

    /** Reads on from the positions of a consumer that has its partitions. */
    public TopicReader(Consumer<K, V> consumer) {
        this(consumer, consumer.endOffsets(consumer.assignment()));
    }

    /** Reads on up to ends of an earlier instant, given as the offsets after the last records. */
    public TopicReader(Consumer<K, V> consumer, Map<TopicPartition, Long> ends) {
        this(consumer, ends, SILENT);
    }

    TopicReader(Consumer<K, V> consumer, Map<TopicPartition, Long> ends, Duration silent) {
        this.consumer = consumer;
        this.ends = Map.copyOf(ends);
        this.silent = silent;
    }

    /** Assigns all partitions of some topics and begins with their first records. */
    public static <K, V> TopicReader<K, V> fromBeginning(Consumer<K, V> consumer, String... topics) {
        consumer.assign(Stream.of(topics)
                .map(consumer::partitionsFor)
                .flatMap(Collection::stream)
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList());
        consumer.seekToBeginning(consumer.assignment());
        return new TopicReader<>(consumer);
    }

    /** Returns how many offsets are left before the ends; 0 once everything is read. */
    public long left() {
        return ends.entrySet().stream()
                .mapToLong(end -> Math.max(0, end.getValue() - consumer.position(end.getKey())))
                .sum();
    }

    /**
     * Polls once, for at most 200 ms. Records from the ends on stay for later polls of the consumer.
     *
     * @param taker receives each record before the ends
     * @return how many records it received
     */
    public int poll(java.util.function.Consumer<ConsumerRecord<K, V>> taker) {
        int taken = 0;
        for (ConsumerRecord<K, V> record : consumer.poll(POLL)) {
            var partition = new TopicPartition(record.topic(), record.partition());
            long end = ends.getOrDefault(partition, 0L);
            if (record.offset() < end) {
                taker.accept(record);
                taken++;
            } else if (consumer.position(partition) > record.offset()) {
                consumer.seek(partition, record.offset());
            }
        }
        return taken;
    }

    /**
     * Reads everything that is left.
     *
     * @throws TimeoutException when the brokers provide nothing for 30 s; what was read by then must not be taken for all
     */
    public void toEnd(java.util.function.Consumer<ConsumerRecord<K, V>> taker) {
        until(record -> {
            taker.accept(record);
            return false;
        });
    }

    /**
     * Reads what is left until a record ends it.
     *
     * @param last receives each record up to the one for which it returns true
     * @return whether a record ended it; false at the ends
     * @throws TimeoutException as {@link #toEnd}
     */
    public boolean until(Predicate<ConsumerRecord<K, V>> last) {
        var ended = new AtomicBoolean();
        long left = left();
        long giveUp = System.nanoTime() + silent.toNanos();
        while (left > 0 && !ended.get()) {
            poll(record -> ended.set(ended.get() || last.test(record)));
            long before = left;
            left = left();
            if (left < before) {
                giveUp = System.nanoTime() + silent.toNanos();
            } else if (System.nanoTime() > giveUp) {
                throw new TimeoutException("topic " + topics() + " could not be read to its end");
            }
        }
        return ended.get();
    }

    private String topics() {
        return ends.keySet().stream()
                .map(TopicPartition::topic)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
