package io.fundingobservatory.streams.client;

import io.fundingobservatory.streams.core.StreamsMetrics;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** Counts the records that are read from changelogs into stores. */
public final class RestoredRecords implements StateRestoreListener {
    private final StreamsMetrics metrics;

    public RestoredRecords(StreamsMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long fromOffset, long toOffset) {}

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long offset, long records) {
        metrics.restored(store, records);
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long records) {}
}
