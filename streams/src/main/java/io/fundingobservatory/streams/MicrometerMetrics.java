package io.fundingobservatory.streams;

import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.topics.records.Basis;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Counts into the meter registry. Labels are the small vocabularies of stages and reasons, nothing that was sent. */
@Singleton
final class MicrometerMetrics implements StreamsMetrics {
    private final MeterRegistry registry;
    private final Map<Count, Counter> counts = new EnumMap<>(Count.class);

    MicrometerMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (Count count : Count.values()) {
            counts.put(count, counter(count.meter, count.description));
        }
        for (Basis basis : Basis.values()) {
            settlements(basis);
        }
    }

    private Counter counter(String name, String description, String... tags) {
        return Counter.builder("observatory.streams." + name)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private Counter settlements(Basis basis) {
        return counter(
                "settlements",
                "Settlements that are new or better known than before",
                "basis",
                basis.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public void count(Count what) {
        Objects.requireNonNull(counts.get(what)).increment();
    }

    @Override
    public void rejected(String stage, String reason) {
        counter("dead.letters", "Records that went to dead-letters", "stage", stage, "reason", reason)
                .increment();
    }

    @Override
    public void settled(Basis basis) {
        settlements(basis).increment();
    }

    @Override
    public void restored(String store, long records) {
        counter("records.restored", "Records read from a changelog into its store", "store", store)
                .increment((double) records);
    }
}
