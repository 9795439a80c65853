package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.topics.records.Basis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** Counts by name; refusals by reason. Stream threads may count at the same time. */
public final class CountedMetrics extends StreamsMetrics {
    private final Map<String, Long> counts = new ConcurrentSkipListMap<>();
    private final Map<String, Long> refusals = new ConcurrentSkipListMap<>();

    private String failingAt = "";
    private long failingCount;

    public CountedMetrics() {
        super(new SimpleMeterRegistry());
    }

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

    /** Under its name in lower case, with blanks. */
    @Override
    public void count(Count what) {
        count(what.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }

    @Override
    public void rejected(String stage, String reason) {
        refusals.merge(reason, 1L, Long::sum);
    }

    @Override
    public void settled(Basis basis) {
        count(basis.name());
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
