package io.fundingobservatory.streams.ledger;

import io.fundingobservatory.topics.Topics;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the partitions of the published ledger ended when the process started. Later records came from this
 * topology, in one transaction with its stores. Only earlier records can hold something that is new to stores
 * that were lost.
 *
 * @param byPartition the offset after the last record, by partition; a partition that is missing is read back
 *     whole
 */
public record LedgerEnds(Map<Integer, Long> byPartition) {
    /** The ledger is read back from beginning to end. */
    public static final LedgerEnds UNKNOWN = new LedgerEnds(Map.of());

    /** The marks that end transactions are offsets too, and nobody commits a place behind the last of them. */
    private static final long MARKS = 10;

    public LedgerEnds {
        byPartition = Map.copyOf(byPartition);
    }

    /** Whether a record of {@code settlements} was there when the process started. */
    public boolean stoodAtStart(int partition, long offset) {
        return offset < byPartition.getOrDefault(partition, Long.MAX_VALUE);
    }

    /** Whether the topology has read the ledger to these ends, by what its group has committed. */
    public boolean areReached(Map<TopicPartition, OffsetAndMetadata> committed) {
        return byPartition.size() == Topics.SETTLEMENTS.partitions()
                && byPartition.entrySet().stream()
                        .allMatch(end -> end.getValue() - committedOf(end.getKey(), committed) <= MARKS);
    }

    private static long committedOf(int partition, Map<TopicPartition, OffsetAndMetadata> committed) {
        OffsetAndMetadata offset = committed.get(new TopicPartition(Topics.SETTLEMENTS.name(), partition));
        return offset == null ? 0 : offset.offset();
    }
}
