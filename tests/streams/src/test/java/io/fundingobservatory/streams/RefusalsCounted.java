package io.fundingobservatory.streams;

import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.topics.records.Basis;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what is refused and nothing else. */
record RefusalsCounted(AtomicLong refused) implements StreamsMetrics {
    @Override
    public void count(Count what) {}

    @Override
    public void rejected(String stage, String reason) {
        refused.incrementAndGet();
    }

    @Override
    public void settled(Basis basis) {}

    @Override
    public void restored(String store, long records) {}
}
