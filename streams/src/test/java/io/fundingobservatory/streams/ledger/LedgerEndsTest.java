package io.fundingobservatory.streams.ledger;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.Topics;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LedgerEndsTest {
    private static Map<Integer, Long> each(long end) {
        var ends = new HashMap<Integer, Long>();
        for (int partition = 0; partition < Topics.SETTLEMENTS.partitions(); partition++) {
            ends.put(partition, end);
        }
        return ends;
    }

    private static Map<TopicPartition, OffsetAndMetadata> committed(Map<Integer, Long> offsets) {
        var committed = new HashMap<TopicPartition, OffsetAndMetadata>();
        offsets.forEach((partition, offset) ->
                committed.put(new TopicPartition(Topics.SETTLEMENTS.name(), partition), new OffsetAndMetadata(offset)));
        return committed;
    }

    @Test
    void whatWasWrittenSinceTheStartIsNotReadBack() {
        var ends = new LedgerEnds(each(500));
        assertTrue(ends.stoodAtStart(3, 499));
        assertFalse(ends.stoodAtStart(3, 500));
    }

    @Test
    void aLedgerOfUnknownLengthIsReadBackWhole() {
        assertTrue(LedgerEnds.UNKNOWN.stoodAtStart(0, Long.MAX_VALUE - 1));
        assertFalse(LedgerEnds.UNKNOWN.areReached(committed(each(Long.MAX_VALUE))));
    }

    @Test
    void anEmptyLedgerIsRead() {
        assertTrue(new LedgerEnds(each(0)).areReached(Map.of()));
    }

    /** The mark of a transaction behind the last record is an offset that nobody commits. */
    @Test
    void aLedgerIsReadUpToItsLastMark() {
        assertTrue(new LedgerEnds(each(500)).areReached(committed(each(499))));
    }

    @Test
    void onePartitionThatIsReadAgainIsEnough() {
        Map<Integer, Long> offsets = each(500);
        offsets.put(5, 0L);
        assertFalse(new LedgerEnds(each(500)).areReached(committed(offsets)));
    }

    @Test
    void aLedgerWithoutAReaderIsNotRead() {
        assertFalse(new LedgerEnds(each(500)).areReached(Map.of()));
    }
}
