package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.EstimateQuality;
import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.streams.formats.EstimateError;
import io.fundingobservatory.streams.settlements.ErrorHistogram;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.VenueQuality;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Counts how far each observation was from what was settled, by venue and UTC day. It computes a venue's quality
 * when the window moves on or one of its settlements becomes known late. A quality that equals the one before is
 * not published again.
 */
public final class QualityProcessor implements Processor<byte[], byte[], byte[], VenueQuality> {
    /** A venue's late settlements of so long make one value. */
    static final Duration GATHERING = Duration.ofSeconds(60);

    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final RecomputeSchedule schedule;
    private final Set<String> venues = new LinkedHashSet<>();

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private ProcessorContext<byte[], VenueQuality> context;

    @SuppressWarnings("NullAway.Init")
    private KeyValueStore<byte[], ErrorHistogram> histograms;

    @SuppressWarnings("NullAway.Init")
    private KeyValueStore<byte[], VenueQuality> qualities;

    /** Processes nothing yet. */
    public QualityProcessor(StreamsMetrics metrics, BrokerClock clock) {
        this.metrics = metrics;
        this.clock = clock;
        this.schedule = new RecomputeSchedule(clock, GATHERING);
    }

    @Override
    public void init(ProcessorContext<byte[], VenueQuality> context) {
        this.context = context;
        histograms = context.getStateStore(PairsStores.ERROR_HISTOGRAMS);
        qualities = context.getStateStore(PairsStores.QUALITIES);
        venues.clear();
        schedule.clear();
        try (KeyValueIterator<byte[], VenueQuality> all = qualities.all()) {
            all.forEachRemaining(row -> {
                if (row.value != null) {
                    schedule.made(row.value.windowEndMs());
                    venues.add(row.value.venue());
                }
            });
        }
        try (KeyValueIterator<byte[], ErrorHistogram> all = histograms.all()) {
            all.forEachRemaining(row -> venues.add(venue(row.key)));
        }
        schedule.start(context, () -> venues, venue -> true, this::measure);
    }

    @Override
    public void close() {
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
        }
        String venue = found.key().venue();
        byte[] key = storeKey(venue, found.settledMs());
        ErrorHistogram known = histograms.get(key);
        ErrorHistogram day = known == null ? new ErrorHistogram() : known;
        day.replace(found.before(), found.error());
        histograms.put(key, day);
        venues.add(venue);
        schedule.changed(venue);
    }

    private void measure(String venue, Window window) {
        byte[] key = venue.getBytes(UTF_8);
        VenueQuality before = qualities.get(key);
        long firstDayMs = SettlementDay.of(window.endMs()) - (Window.DAYS - 1) * Window.DAY_MS;
        VenueQuality now = EstimateQuality.of(venue, firstDayMs, window.endMs(), sum(venue, firstDayMs));
        if (now == null ? before == null : now.equals(before)) {
            return;
        }
        qualities.put(key, now);
        context.forward(new Record<>(key, now, clock.nowMs()));
    }

    /** The errors of the venue from that day on. Old days are deleted, counted from the newest one: no clock can delete all of them. */
    private ErrorHistogram sum(String venue, long firstDayMs) {
        var sum = new ErrorHistogram();
        var found = new ArrayList<byte[]>();
        try (KeyValueIterator<byte[], ErrorHistogram> days =
                histograms.range(storeKey(venue, 0), storeKey(venue, Integer.MAX_VALUE * Window.DAY_MS))) {
            while (days.hasNext()) {
                KeyValue<byte[], ErrorHistogram> day = days.next();
                found.add(day.key);
                if (dayMs(day.key) >= firstDayMs && day.value != null) {
                    sum.add(day.value);
                }
            }
        }
        long newestMs = found.isEmpty() ? 0 : dayMs(found.getLast());
        found.stream()
                .filter(day -> dayMs(day) < newestMs - Window.DAYS * Window.DAY_MS)
                .forEach(histograms::delete);
        return sum;
    }

    private static byte[] storeKey(String venue, long epochMs) {
        byte[] name = venue.getBytes(UTF_8);
        return ByteBuffer.allocate(name.length + 1 + Integer.BYTES)
                .put(name)
                .put((byte) 0)
                .putInt((int) Math.floorDiv(epochMs, Window.DAY_MS))
                .array();
    }

    private static long dayMs(byte[] storeKey) {
        return ByteBuffer.wrap(storeKey).getInt(storeKey.length - Integer.BYTES) * Window.DAY_MS;
    }

    private static String venue(byte[] storeKey) {
        return new String(storeKey, 0, storeKey.length - Integer.BYTES - 1, UTF_8);
    }
}
