package io.fundingobservatory.streams.processing;

import io.fundingobservatory.topics.records.Basis;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Counts what happens to quotes and rows in the meter registry. Counts are of work done: a transaction that is repeated counts again.
 * Labels are the small vocabularies of stages and reasons, nothing that was sent.
 */
@Singleton
public class StreamsMetrics {
    /** What is counted without a label. */
    public enum Count {
        READ("quotes.read", "Records taken from quotes.raw"),
        ACCEPTED("quotes.accepted", "Quotes that became the newest of their contract"),
        SUPERSEDED("quotes.superseded", "Duplicates and quotes older than what was known"),
        REMOVED("rows.removed", "Rows removed because of their age"),
        /** The venue may still publish them. */
        MISSED("settlements.missed", "Settlements that passed without an estimate"),
        LATE("settlements.late", "Settlements of an earlier listing, or older than what is kept"),
        TABLED("tables.made", "Pair tables that were computed again"),
        TOO_LARGE("tables.too.large", "Pair tables that no topic takes");

        /** The name of its meter below {@code observatory.streams}. */
        private final String meter;

        private final String description;

        Count(String meter, String description) {
            this.meter = meter;
            this.description = description;
        }
    }

    private final MeterRegistry registry;
    private final Map<Count, Counter> counts = new EnumMap<>(Count.class);

    public StreamsMetrics(MeterRegistry registry) {
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

    public void count(Count what) {
        Objects.requireNonNull(counts.get(what)).increment();
    }

    /** One record for the dead letters. */
    public void rejected(String stage, String reason) {
        counter("dead.letters", "Records that went to dead-letters", "stage", stage, "reason", reason)
                .increment();
    }

    /** One settlement for the ledger, new or better known than before. */
    public void settled(Basis basis) {
        settlements(basis).increment();
    }

    /** A partition of a store was restored from so many records of its changelog. */
    public void restored(String store, long records) {
        counter("records.restored", "Records read from a changelog into its store", "store", store)
                .increment((double) records);
    }
}
