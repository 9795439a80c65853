package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.processing.StoredJson;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.processing.TaskTime;
import io.fundingobservatory.streams.settlements.ErrorHistogram;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.VenueQuality;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Counts how far each observation was from what was settled, by venue and UTC day. It computes a venue's quality
 * at a start, when the window moves on or one of its settlements becomes known late.
 */
public final class QualityProcessor extends ContextualProcessor<byte[], byte[], byte[], VenueQuality> {
    /**
     * How far our last observation was from what the venue settled.
     *
     * @param settledMs the instant of the settlement, epoch ms UTC, on a whole minute
     * @param error |settled − estimate|, fraction of notional per 8 hours
     * @param before what was taken for it until now; null when nothing was
     */
    public record EstimateError(
            ContractKey key,
            long settledMs,
            BigDecimal error,
            @Nullable BigDecimal before) {
        public static final JsonCodec<EstimateError> CODEC = JsonCodec.stored(EstimateError.class);
    }

    /** A venue's late settlements of so long make one value. */
    private static final Duration GATHERING = Duration.ofSeconds(60);

    private static final Duration TICK = Duration.ofSeconds(1);

    private final StreamsMetrics metrics;
    private final TaskTime time;
    private final Recomputation recomputation;
    private final Set<String> venues = new HashSet<>();

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private KeyValueStore<byte[], ErrorHistogram> histograms;

    private @Nullable Cancellable ticking;

    /** {@code steadyMs} counts milliseconds and never jumps. */
    public QualityProcessor(StreamsMetrics metrics, LongSupplier steadyMs) {
        this.metrics = metrics;
        this.time = new TaskTime(steadyMs);
        this.recomputation = new Recomputation(time, GATHERING.toMillis());
    }

    @Override
    public void init(ProcessorContext<byte[], VenueQuality> context) {
        super.init(context);
        histograms = context.getStateStore(PairsStores.ERROR_HISTOGRAMS);
        venues.clear();
        try (KeyValueIterator<byte[], ErrorHistogram> all = histograms.all()) {
            all.forEachRemaining(row -> venues.add(SettlementStore.name(row.key)));
        }
        recomputation.begin(venues);
        ticking = context.schedule(
                TICK, PunctuationType.WALL_CLOCK_TIME, tick -> recomputation.tick(Set.copyOf(venues), this::measure));
    }

    @Override
    public void close() {
        if (ticking != null) {
            ticking.cancel();
        }
    }

    /** Errors carry the stamp of the event that they follow from. */
    @Override
    public void process(Record<byte[], byte[]> record) {
        EstimateError found = StoredJson.read(EstimateError.CODEC, record.value());
        if (found == null) {
            metrics.rejected("quality", "unknown_format");
            return;
        }
        time.arrived(record.timestamp());
        String venue = found.key().venue();
        byte[] key = SettlementStore.storeKey(venue.getBytes(UTF_8), found.settledMs());
        ErrorHistogram known = histograms.get(key);
        ErrorHistogram day = known == null ? new ErrorHistogram() : known;
        day.replace(found.before(), found.error());
        histograms.put(key, day);
        venues.add(venue);
        recomputation.changed(venue);
    }

    private void measure(String venue, Window window) {
        byte[] key = venue.getBytes(UTF_8);
        long firstDayMs = SettlementDay.of(window.endMs()) - (Window.DAYS - 1) * Window.DAY_MS;
        ErrorHistogram errors = sum(key, firstDayMs);
        VenueQuality now = errors.size() == 0
                ? null
                : new VenueQuality(
                        venue,
                        firstDayMs,
                        window.endMs(),
                        errors.size(),
                        Decimals.plain(errors.atPercent(50)),
                        Decimals.plain(errors.atPercent(95)));
        if (now == null) {
            venues.remove(venue);
        }
        context().forward(new Record<>(key, now, time.nowMs()));
    }

    /** The errors of the venue from that day on. Old days are deleted, counted from the newest one: no clock can delete all of them. */
    private ErrorHistogram sum(byte[] key, long firstDayMs) {
        var sum = new ErrorHistogram();
        var found = new ArrayList<byte[]>();
        try (KeyValueIterator<byte[], ErrorHistogram> days =
                histograms.range(SettlementStore.storeKey(key, 0), SettlementStore.storeKey(key, Long.MAX_VALUE))) {
            while (days.hasNext()) {
                KeyValue<byte[], ErrorHistogram> day = days.next();
                found.add(day.key);
                if (SettlementStore.dayMs(day.key) >= firstDayMs && day.value != null) {
                    sum.add(day.value);
                }
            }
        }
        long newestMs = found.isEmpty() ? 0 : SettlementStore.dayMs(found.getLast());
        found.stream()
                .filter(day -> SettlementStore.dayMs(day) < newestMs - Window.DAYS * Window.DAY_MS)
                .forEach(histograms::delete);
        return sum;
    }
}
