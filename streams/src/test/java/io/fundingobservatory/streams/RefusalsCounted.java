package io.fundingobservatory.streams;

import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.topics.records.Basis;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what is refused and nothing else. */
record RefusalsCounted(AtomicLong refused) implements StreamsMetrics {
    @Override
    public void read() {}

    @Override
    public void accepted() {}

    @Override
    public void superseded() {}

    @Override
    public void rejected(String stage, String reason) {
        refused.incrementAndGet();
    }

    @Override
    public void readerBehind() {}

    @Override
    public void removed() {}

    @Override
    public void settled(Basis basis) {}

    @Override
    public void missed() {}

    @Override
    public void late() {}

    @Override
    public void tabled() {}

    @Override
    public void tooLarge() {}

    @Override
    public void restored(String store, long records) {}
}
