package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.core.Age;
import io.fundingobservatory.streams.core.Latest;
import io.fundingobservatory.topics.Rate;
import java.time.Duration;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The newest observation of each contract wins; duplicates and late reads produce nothing. Every ten seconds rows that have grown
 * old are marked, removed, forgotten.
 *
 * <p>It never changes a key, but ageing speaks of other keys than the record at hand, and a fixed-key processor cannot.
 */
final class KeepNewest implements Processor<byte[], Step, byte[], Update> {
    static final String NAME = "keep-newest";
    static final String STORE = "latest-rates";

    /** Well within the 10 s that a row may be late in being marked. */
    static final Duration AGEING = Duration.ofSeconds(10);

    private final Tally tally;
    private final ArrivalClock clock;

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private ProcessorContext<byte[], Update> context;

    @SuppressWarnings("NullAway.Init")
    private KeyValueStore<byte[], Kept> rows;

    KeepNewest(Tally tally, ArrivalClock clock) {
        this.tally = tally;
        this.clock = clock;
    }

    @Override
    public void init(ProcessorContext<byte[], Update> context) {
        this.context = context;
        this.rows = context.getStateStore(STORE);
        context.schedule(AGEING, PunctuationType.WALL_CLOCK_TIME, tick -> age());
    }

    @Override
    public void process(Record<byte[], Step> record) {
        clock.arrived(record.timestamp());
        if (record.value() instanceof Step.Normal(String base, Rate rate)) {
            observe(record, base, rate);
        }
    }

    private void observe(Record<byte[], Step> record, String base, Rate rate) {
        Kept kept = rows.get(record.key());
        if (!Latest.replaces(kept == null ? null : kept.observedAtMs(), rate.observedAtMs())) {
            tally.superseded();
            return;
        }
        tally.accepted();
        // Whatever its age it is shown once, so that every accepted observation leaves its trace; ageing does the rest.
        Rate latest = rate.asOf(clock.nowMs());
        rows.put(record.key(), Kept.of(latest.stale() ? Age.STALE : Age.FRESH, rate));
        context.forward(record.withValue(new Update(base, rate, latest)));
    }

    private void age() {
        long nowMs = clock.nowMs();
        try (KeyValueIterator<byte[], Kept> all = rows.all()) {
            while (all.hasNext()) {
                KeyValue<byte[], Kept> row = all.next();
                Age age = Age.of(row.value.observedAtMs(), nowMs);
                if (age != row.value.shown()) {
                    age(row.key, row.value, age, nowMs);
                }
            }
        }
    }

    /** Also the way back: rows that a wrong clock aged come back by themselves once it is right. */
    private void age(byte[] key, Kept kept, Age age, long nowMs) {
        if (age == Age.FORGOTTEN && kept.shown() == Age.GONE) {
            if (clock.certain()) {
                rows.delete(key);
            }
            return;
        }
        boolean shown = age == Age.FRESH || age == Age.STALE;
        rows.put(key, kept.shownAs(shown ? age : Age.GONE));
        if (age == Age.STALE) {
            tally.stale();
        } else if (!shown) {
            tally.removed();
        }
        context.forward(
                new Record<>(key, new Update(null, null, shown ? kept.rate().asOf(nowMs) : null), nowMs));
    }
}
