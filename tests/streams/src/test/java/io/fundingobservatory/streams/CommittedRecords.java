package io.fundingobservatory.streams;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.runtime.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Everything committed of one topic, from its beginning. */
public final class CommittedRecords implements AutoCloseable {
    private static final Duration TO_THE_END = Duration.ofMinutes(5);

    final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    private final KafkaConsumer<byte[], byte[]> consumer;

    public CommittedRecords(String bootstrapServers, String topic) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(consumer.partitionsFor(topic).stream()
                .map(p -> new TopicPartition(topic, p.partition()))
                .toList());
        consumer.seekToBeginning(consumer.assignment());
    }

    int poll() {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
        return records.size();
    }

    /** All that is committed by now: polls that bring nothing end nothing. */
    public List<ConsumerRecord<byte[], byte[]>> toTheEnd() {
        var reader = new TopicReader<>(consumer);
        long deadline = System.nanoTime() + TO_THE_END.toNanos();
        while (reader.left() > 0) {
            assertTrue(System.nanoTime() < deadline, () -> reader.left() + " not read within " + TO_THE_END);
            reader.poll(records::add);
        }
        return records;
    }

    /** Reads on for a while, so that what ought not to come has had the time to. */
    void quiet() {
        for (int i = 0; i < 10; i++) {
            poll();
        }
        consumer.close();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
