package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.client.RequestListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the outcomes of one venue's requests and shows the use of its published limits. The gauge of a pool
 * is the highest fraction in use since the previous poll. The intended maximum is 0.2.
 */
final class VenueRequestMetrics implements RequestListener {
    private static final String REQUESTS = PollMetrics.PREFIX + "requests";
    private static final String LIMIT_USED = PollMetrics.PREFIX + "limit.used";

    /** The bits of a fraction: what the gauge shows, and the highest one since. */
    private record Use(AtomicLong shown, AtomicLong highest) {}

    private final String venue;
    private final MeterRegistry meters;
    private final StateChangeLog changes;
    private final Map<String, Use> limits = new ConcurrentHashMap<>();

    VenueRequestMetrics(String venue, MeterRegistry meters, StateChangeLog changes) {
        this.venue = venue;
        this.meters = meters;
        this.changes = changes;
    }

    @Override
    public void done(String address, String request, Outcome outcome, @Nullable String reason) {
        String word = outcome.name().toLowerCase(Locale.ROOT);
        meters.counter(REQUESTS, "venue", venue, "request", address, "outcome", word)
                .increment();
        switch (outcome) {
            case ANSWERED -> changes.isWell(venue, address, request);
            // the whole address pauses
            case THROTTLED, BARRED -> changes.isUnwell(venue, address, word, reason + "");
            case REFUSED, FAILED -> changes.isUnwell(venue, address, request, word, reason + "");
        }
    }

    @Override
    public void used(String pool, double fraction) {
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

    /** The venue is another process's now. */
    void gone() {
        limits.clear();
        meters.find(LIMIT_USED).tag("venue", venue).gauges().forEach(meters::remove);
    }
}
