package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.spec.RateLimit;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A fifth of one published limit, in any window of its length, divided between rates and settled history.
 *
 * <p>The division is made over a minute, or over the limit's own window where that is longer. Settled history
 * may always use a quarter of it, or one request where that is more. It may also use whatever the rates
 * leave. Rates may use all but that quarter. So neither starves the other, whatever the venue lists. A pool
 * that only one of the two draws upon is not divided.
 *
 * <p>Times are {@link Time#elapsedMs()}. It is a sliding log, not a bucket: no window ending at any moment
 * contains more than the allowance.
 */
final class RateLimitPool {
    /** The part of a published limit that we use at most. */
    static final int PART = 5;

    private static final int HISTORY_PART = 4;
    private static final long MINUTE_MS = 60_000;

    private record Spent(long atMs, int units, TrafficClass traffic) {}

    private final String name;
    private final RateLimit published;
    private final long capacity;
    private final long windowMs;
    private final long divisionMs;
    private final long divided;
    private final long historyFloor;
    private final ArrayDeque<Spent> spent = new ArrayDeque<>();
    private int rateUnitsPerMinute;

    /** The heaviest request of polls and of history, in units; 0 when none draws on the pool. */
    RateLimitPool(RateLimit published, int heaviestPoll, int heaviestHistory) {
        this.name = published.pool();
        this.published = published;
        int heaviest = Math.max(1, Math.max(heaviestPoll, heaviestHistory));
        long perMs = published.per().toMillis();
        boolean fits = published.units() / PART >= heaviest;
        // where one request weighs more than a fifth, the window is as wide as that request needs
        this.capacity = fits ? published.units() / PART : heaviest;
        this.windowMs = fits ? perMs : Math.ceilDiv(perMs * PART * heaviest, Math.max(1, published.units()));
        this.divisionMs = Math.max(MINUTE_MS, windowMs);
        this.divided = capacity * divisionMs / windowMs;
        this.historyFloor = heaviestHistory == 0 ? 0 : Math.max(divided / HISTORY_PART, heaviestHistory);
    }

    String name() {
        return name;
    }

    /** Units a minute that a kind of requests may use: history what the rates leave, and never less than its part. */
    long perMinute(TrafficClass traffic) {
        return most(traffic) * MINUTE_MS / divisionMs;
    }

    /** Sets what one minute's rates cost if all are requested; history may use what they leave. */
    void rateUnitsPerMinute(int units) {
        rateUnitsPerMinute = units;
    }

    /** Milliseconds until a request of these units may go out. */
    long waitMs(int units, TrafficClass traffic, long nowMs) {
        return Math.max(
                wait(units, capacity, windowMs, null, nowMs), wait(units, most(traffic), divisionMs, traffic, nowMs));
    }

    private long most(TrafficClass traffic) {
        long rates = Math.min(divided - historyFloor, rateUnitsPerMinute * Math.ceilDiv(divisionMs, MINUTE_MS));
        return traffic == TrafficClass.HISTORY ? divided - rates : divided - historyFloor;
    }

    /** Milliseconds until what one kind of requests (all kinds, when null) has spent leaves enough of the window. */
    private long wait(int units, long most, long window, @Nullable TrafficClass traffic, long nowMs) {
        // From the newest back: the first one that does not fit beside this request has to leave the window.
        long used = units;
        for (var it = spent.descendingIterator(); it.hasNext(); ) {
            Spent one = it.next();
            if (one.atMs() + window <= nowMs) {
                break;
            }
            used += traffic == null || one.traffic() == traffic ? one.units() : 0;
            if (used > most) {
                return one.atMs() + window - nowMs;
            }
        }
        return 0;
    }

    void spend(int units, TrafficClass traffic, long nowMs) {
        while (!spent.isEmpty() && spent.getFirst().atMs() + divisionMs <= nowMs) {
            spent.removeFirst();
        }
        spent.addLast(new Spent(nowMs, units, traffic));
    }

    /**
     * The use of its window before now, as a fraction of the units that are published for as long: a fifth at most. Where
     * one request is heavier than that, the window is wider than the limit's own.
     */
    double used(long nowMs) {
        long units = spent.stream()
                .filter(one -> one.atMs() + windowMs > nowMs)
                .mapToLong(Spent::units)
                .sum();
        return (double) units * published.per().toMillis() / (Math.max(1L, published.units()) * windowMs);
    }
}
