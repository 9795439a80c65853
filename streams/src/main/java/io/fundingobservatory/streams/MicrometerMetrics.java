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
import java.util.concurrent.ConcurrentHashMap;

/** Counts into the meter registry. Labels are the small vocabularies of stages and reasons, nothing that was sent. */
@Singleton
final class MicrometerMetrics implements StreamsMetrics {
    private final MeterRegistry registry;
    private final Counter read;
    private final Counter accepted;
    private final Counter superseded;
    private final Counter readerBehind;
    private final Counter removed;
    private final Counter missed;
    private final Counter late;
    private final Counter tabled;
    private final Counter tooLarge;
    private final Map<Basis, Counter> settled = new EnumMap<>(Basis.class);
    private final Map<Refusal, Counter> refusals = new ConcurrentHashMap<>();

    private record Refusal(String stage, String reason) {}

    MicrometerMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.read = counter("quotes.read", "Records taken from quotes.raw");
        this.accepted = counter("quotes.accepted", "Quotes that became the newest of their contract");
        this.superseded = counter("quotes.superseded", "Duplicates and quotes older than what was known");
        this.readerBehind = counter("quotes.reader.behind", "Quotes of a reader whose clock is minutes behind");
        this.removed = counter("rows.removed", "Rows removed because of their age");
        this.missed = counter("settlements.missed", "Settlements that passed without an estimate");
        this.late = counter("settlements.late", "Settlements of an earlier listing, or older than what is kept");
        this.tabled = counter("tables.made", "Pair tables that were computed again");
        this.tooLarge = counter("tables.too.large", "Pair tables that no topic takes");
        for (Basis basis : Basis.values()) {
            settled.put(
                    basis,
                    Counter.builder("observatory.streams.settlements")
                            .description("Settlements that are new or better known than before")
                            .tag("basis", basis.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    private Counter counter(String name, String description) {
        return Counter.builder("observatory.streams." + name)
                .description(description)
                .register(registry);
    }

    @Override
    public void read() {
        read.increment();
    }

    @Override
    public void accepted() {
        accepted.increment();
    }

    @Override
    public void superseded() {
        superseded.increment();
    }

    @Override
    public void rejected(String stage, String reason) {
        refusals.computeIfAbsent(
                        new Refusal(stage, reason),
                        refusal -> Counter.builder("observatory.streams.dead.letters")
                                .description("Records that went to dead-letters")
                                .tag("stage", refusal.stage())
                                .tag("reason", refusal.reason())
                                .register(registry))
                .increment();
    }

    @Override
    public void readerBehind() {
        readerBehind.increment();
    }

    @Override
    public void removed() {
        removed.increment();
    }

    @Override
    public void settled(Basis basis) {
        Objects.requireNonNull(settled.get(basis)).increment();
    }

    @Override
    public void missed() {
        missed.increment();
    }

    @Override
    public void late() {
        late.increment();
    }

    @Override
    public void tabled() {
        tabled.increment();
    }

    @Override
    public void tooLarge() {
        tooLarge.increment();
    }

    @Override
    public void restored(String store, long records) {
        Counter.builder("observatory.streams.records.restored")
                .description("Records read from a changelog into its store")
                .tag("store", store)
                .register(registry)
                .increment((double) records);
    }
}
