package io.fundingobservatory.ingest;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The use of one venue's published limits. The gauge of a pool shows the highest fraction in use since the
 * previous poll. The intended maximum is 0.2.
 */
final class LimitGauges {
    private static final String LIMIT_USED = IngestMetrics.PREFIX + "limit.used";

    /** The bits of a fraction: what the gauge shows, and the highest one since. */
    private record Use(AtomicLong shown, AtomicLong highest) {}

    private final String venue;
    private final MeterRegistry meters;
    private final Map<String, Use> limits = new ConcurrentHashMap<>();

    LimitGauges(String venue, MeterRegistry meters) {
        this.venue = venue;
        this.meters = meters;
    }

    void drawn(String pool, double fraction) {
        limits.computeIfAbsent(pool, this::gauge)
                .highest()
                .accumulateAndGet(
                        Double.doubleToLongBits(fraction),
                        (a, b) -> Double.longBitsToDouble(a) < Double.longBitsToDouble(b) ? b : a);
    }

    private Use gauge(String pool) {
        var use = new Use(new AtomicLong(), new AtomicLong());
        meters.gauge(
                LIMIT_USED,
                Tags.of("venue", venue, "pool", pool),
                use.shown(),
                bits -> Double.longBitsToDouble(bits.get()));
        return use;
    }

    /** A poll is over: the gauges show what was used up to now. */
    void polled() {
        limits.values().forEach(use -> use.shown().set(use.highest().getAndSet(0)));
    }

    /** Removes the gauges: another process polls the venue. */
    void remove() {
        limits.clear();
        meters.find(LIMIT_USED).tag("venue", venue).gauges().forEach(meters::remove);
    }
}
