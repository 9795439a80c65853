package io.fundingobservatory.ingest;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gauges of one venue that is polled here. The gauge of a rate-limit pool shows the highest fraction in use since the
 * previous poll. The intended maximum is 0.2.
 */
final class VenueGauges {
    private static final String LIMIT_USED = "limit.used";

    private record Name(String gauge, Tags tags) {}

    private final Tags venue;
    private final MeterRegistry meters;
    private final Map<Name, Double> shown = new ConcurrentHashMap<>();
    private final Map<String, Double> highest = new ConcurrentHashMap<>();

    VenueGauges(String venue, MeterRegistry meters) {
        this.venue = Tags.of("venue", venue);
        this.meters = meters;
    }

    void set(String gauge, double value) {
        set(new Name(gauge, venue), value);
    }

    private void set(Name name, double value) {
        if (shown.put(name, value) == null) {
            Gauge.builder(IngestMetrics.PREFIX + name.gauge(), () -> shown.getOrDefault(name, Double.NaN))
                    .tags(name.tags())
                    .register(meters);
        }
    }

    void drawn(String pool, double fraction) {
        highest.merge(pool, fraction, Math::max);
    }

    /** A poll is over: the gauges show what was used up to now. */
    void polled() {
        highest.forEach((pool, fraction) -> set(new Name(LIMIT_USED, venue.and("pool", pool)), fraction));
        highest.replaceAll((pool, fraction) -> 0.0);
    }

    /** Removes the gauges: sums over processes must not count a venue twice. */
    void remove() {
        shown.keySet()
                .forEach(name -> meters.find(IngestMetrics.PREFIX + name.gauge())
                        .tags(name.tags())
                        .gauges()
                        .forEach(meters::remove));
        shown.clear();
        highest.clear();
    }
}
