package io.fundingobservatory.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class TopicReaderTest {
    private static final String TOPIC = "rates.latest";
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
    private static final Node[] NODES = {};

    private final MockConsumer<String, String> consumer = new MockConsumer<>("earliest");
    private final List<String> read = new ArrayList<>();

    TopicReaderTest() {
        consumer.updatePartitions(TOPIC, List.of(new PartitionInfo(TOPIC, 0, Node.noNode(), NODES, NODES)));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 5L));
        consumer.updateEndOffsets(Map.of(PARTITION, 7L));
    }

    @Test
    void readsToTheEndOfItsCreation() {
        var reader = TopicReader.fromBeginning(consumer, TOPIC);
        assertEquals(2, reader.left());
        consumer.schedulePollTask(() -> add(5, "a", 6, "b", 7, "later", 8, "last"));
        reader.toEnd(record -> read.add(record.value()));
        assertEquals(List.of("a", "b"), read);
        assertEquals(0, reader.left());
    }

    @Test
    void leavesLaterRecordsToTheConsumer() {
        var reader = TopicReader.fromBeginning(consumer, TOPIC);
        consumer.schedulePollTask(() -> add(5, "a", 6, "b", 7, "later", 8, "last"));
        reader.toEnd(record -> read.add(record.value()));
        assertEquals(7, consumer.position(PARTITION));
    }

    @Test
    void emptyTopicNeedsNoPoll() {
        consumer.updateEndOffsets(Map.of(PARTITION, 5L));
        TopicReader.fromBeginning(consumer, TOPIC).toEnd(record -> read.add(record.value()));
        assertEquals(List.of(), read);
    }

    @Test
    void givesUpWhenBrokersGoAway() {
        TopicReader.fromBeginning(consumer, TOPIC);
        var reader = new TopicReader<>(consumer, Map.of(PARTITION, 7L), Duration.ofMillis(20));
        consumer.schedulePollTask(() -> add(5, "a"));
        var problem = assertThrows(TimeoutException.class, () -> reader.toEnd(record -> read.add(record.value())));
        assertEquals("topic rates.latest could not be read to its end", problem.getMessage());
        assertEquals(List.of("a"), read);
    }

    @Test
    void readsUntilRecordEndsIt() {
        var reader = TopicReader.fromBeginning(consumer, TOPIC);
        consumer.schedulePollTask(() -> add(5, "a", 6, "b"));
        assertTrue(reader.until(record -> read.add(record.value())));
        assertEquals(List.of("a"), read);
        assertFalse(reader.until(record -> true), "nothing is left");
    }

    private void add(Object... offsetsAndValues) {
        for (int i = 0; i < offsetsAndValues.length; i += 2) {
            long offset = (Integer) offsetsAndValues[i];
            consumer.addRecord(new ConsumerRecord<>(TOPIC, 0, offset, "key", (String) offsetsAndValues[i + 1]));
        }
    }
}
