package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.topics.records.Basis;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** Counts by name; refusals by reason. Stream threads may count at the same time. */
public final class CountedMetrics implements StreamsMetrics {
    private final Map<String, Long> counts = new ConcurrentSkipListMap<>();
    private final Map<String, Long> refusals = new ConcurrentSkipListMap<>();

    private String failingAt = "";
    private long failingCount;

    /** Plants a failure: at the count of a name an exception that nobody foresaw. */
    void failAt(String name, long count) {
        failingAt = name;
        failingCount = count;
    }

    private void count(String name) {
        if (counts.merge(name, 1L, Long::sum) == failingCount && name.equals(failingAt)) {
            throw new IllegalStateException("planted");
        }
    }

    public long of(String name) {
        return counts.getOrDefault(name, 0L);
    }

    public Map<String, Long> refusals() {
        return refusals;
    }

    @Override
    public void read() {
        count("read");
    }

    @Override
    public void accepted() {
        count("accepted");
    }

    @Override
    public void superseded() {
        count("superseded");
    }

    @Override
    public void rejected(String stage, String reason) {
        refusals.merge(reason, 1L, Long::sum);
    }

    @Override
    public void readerBehind() {
        count("reader behind");
    }

    @Override
    public void removed() {
        count("removed");
    }

    @Override
    public void settled(Basis basis) {
        count(basis.name());
    }

    @Override
    public void missed() {
        count("missed");
    }

    @Override
    public void late() {
        count("late");
    }

    @Override
    public void tabled() {
        count("tabled");
    }

    @Override
    public void tooLarge() {
        count("too large");
    }

    @Override
    public synchronized void restored(String store, long records) {
        counts.merge("restored " + store, records, Long::sum);
    }

    @Override
    public String toString() {
        return counts + " refused " + refusals;
    }
}
