package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.streams.settlements.ErrorHistogram;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.VenueQuality;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Counts how far each observation was from what was settled, by venue and UTC day. It computes a venue's quality
 * at a start, when the window moves on or one of its settlements becomes known late.
 */
public final class QualityProcessor extends ContextualProcessor<byte[], byte[], byte[], VenueQuality> {
    /** A venue's late settlements of so long make one value. */
    static final Duration GATHERING = Duration.ofSeconds(60);

    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final RecomputeSchedule schedule;
    private final Set<String> venues = new LinkedHashSet<>();
    private final Set<Integer> voted = new HashSet<>();

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private KeyValueStore<byte[], ErrorHistogram> histograms;

    public QualityProcessor(StreamsMetrics metrics, BrokerClock clock) {
        this.metrics = metrics;
        this.clock = clock;
        this.schedule = new RecomputeSchedule(clock, GATHERING);
    }

    @Override
    public void init(ProcessorContext<byte[], VenueQuality> context) {
        super.init(context);
        histograms = context.getStateStore(PairsStores.ERROR_HISTOGRAMS);
        venues.clear();
        schedule.clear();
        try (KeyValueIterator<byte[], ErrorHistogram> all = histograms.all()) {
            all.forEachRemaining(row -> venues.add(SettlementStore.name(row.key)));
        }
        schedule.start(context, () -> venues, venue -> true, this::measure);
    }

    /** Votes of partitions that another instance reads from now on would hold the time back for ever. */
    @Override
    public void close() {
        voted.forEach(partition -> clock.left(Topics.CONTRACT_EVENTS, partition));
        voted.clear();
        schedule.stop();
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        EstimateError found = EstimateError.FORMAT.read(record.value());
        if (found == null) {
            metrics.rejected("quality", "unknown_format");
            return;
        }
        if (found.partition() != EstimateError.UNTIMED) {
            clock.arrived(Topics.CONTRACT_EVENTS, found.partition(), record.timestamp());
            voted.add(found.partition());
        }
        String venue = found.key().venue();
        byte[] key = SettlementStore.storeKey(found.venueKey(), found.settledMs());
        ErrorHistogram known = histograms.get(key);
        ErrorHistogram day = known == null ? new ErrorHistogram() : known;
        day.replace(found.before(), found.error());
        histograms.put(key, day);
        venues.add(venue);
        schedule.changed(venue);
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
        context().forward(new Record<>(key, now, clock.nowMs()));
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
