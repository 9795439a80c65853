package io.fundingobservatory.streams.window;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.EstimateQuality;
import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.formats.DayFormat;
import io.fundingobservatory.streams.formats.EstimateError;
import io.fundingobservatory.streams.formats.Routed;
import io.fundingobservatory.streams.ledger.Stores;
import io.fundingobservatory.streams.ledger.StreamsMetrics;
import io.fundingobservatory.streams.payments.ErrorDay;
import io.fundingobservatory.streams.payments.PaymentDay;
import io.fundingobservatory.streams.payments.Window;
import io.fundingobservatory.topics.records.VenueQuality;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.WindowStore;

/**
 * Keeps how far each reading was from what was settled, and makes an exchange's figure anew when the window moves on or one of its
 * payments becomes known late. What equals the figure before is not published again.
 */
public final class QualityProcessor implements Processor<byte[], byte[], byte[], VenueQuality> {
    /** An exchange's late payments of so long make one figure. */
    static final Duration GATHERING = Duration.ofSeconds(60);

    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final RecomputeSchedule schedule;
    private final Set<String> venues = new LinkedHashSet<>();

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private ProcessorContext<byte[], VenueQuality> context;

    @SuppressWarnings("NullAway.Init")
    private WindowStore<byte[], byte[]> errors;

    @SuppressWarnings("NullAway.Init")
    private KeyValueStore<byte[], VenueQuality> qualities;

    public QualityProcessor(StreamsMetrics metrics, BrokerClock clock, WorkBudget budget) {
        this.metrics = metrics;
        this.clock = clock;
        this.schedule = new RecomputeSchedule(clock, budget, GATHERING);
    }

    @Override
    public void init(ProcessorContext<byte[], VenueQuality> context) {
        this.context = context;
        errors = context.getStateStore(Stores.ESTIMATE_ERRORS);
        qualities = context.getStateStore(Stores.QUALITIES);
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
        try (KeyValueIterator<Windowed<byte[]>, byte[]> all = errors.all()) {
            all.forEachRemaining(row -> venues.add(venue(row.key.key())));
        }
        schedule.start(context, () -> venues, this::measure);
    }

    @Override
    public void close() {
        schedule.stop();
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        Routed<EstimateError> routed = EstimateError.FORMAT.read(record.value());
        if (routed == null) {
            metrics.refused("quality", "unknown_format");
            return;
        }
        if (routed.input() != Routed.UNTIMED) {
            clock.arrived(routed.input(), record.timestamp());
        }
        EstimateError found = routed.event();
        byte[] key = found.key().toString().getBytes(UTF_8);
        long dayMs = PaymentDay.of(found.settledMs());
        ErrorDay day = DayFormat.errorDay(dayMs, errors.fetch(key, dayMs));
        if (day.put(found.settledMs(), found.error())) {
            errors.put(key, day.write(), dayMs);
            venues.add(found.key().venue());
            schedule.changed(found.key().venue());
        }
    }

    private void measure(String venue, Window window) {
        byte[] key = venue.getBytes(UTF_8);
        VenueQuality before = qualities.get(key);
        VenueQuality now = EstimateQuality.of(venue, window, errorsOf(venue, window));
        if (now == null ? before == null : now.equals(before)) {
            return;
        }
        qualities.put(key, now);
        context.forward(new Record<>(key, now, clock.nowMs()));
    }

    private List<BigDecimal> errorsOf(String venue, Window window) {
        var found = new ArrayList<BigDecimal>();
        try (KeyValueIterator<Windowed<byte[]>, byte[]> days = errors.fetch(
                (venue + '|').getBytes(UTF_8),
                (venue + (char) ('|' + 1)).getBytes(UTF_8),
                PaymentDay.of(window.startMs()),
                window.endMs())) {
            while (days.hasNext()) {
                KeyValue<Windowed<byte[]>, byte[]> day = days.next();
                DayFormat.errorDay(day.key.window().start(), day.value).errors().forEach((settledMs, error) -> {
                    if (settledMs > window.startMs() && settledMs <= window.endMs()) {
                        found.add(error);
                    }
                });
            }
        }
        return found;
    }

    private static String venue(byte[] contractKey) {
        String key = new String(contractKey, UTF_8);
        return key.substring(0, key.indexOf('|'));
    }
}
