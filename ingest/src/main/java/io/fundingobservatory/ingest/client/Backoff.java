package io.fundingobservatory.ingest.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long a pool, an IP address or a host gets no request, and why. Each further pause without a response between is twice as long. */
final class Backoff {
    private final Duration first;
    private final Duration longest;
    private long untilMs = Long.MIN_VALUE;
    private String reason = "";
    private int times;

    Backoff(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
    }

    /** Why no request may be sent at a moment, and for how long; null when it may. */
    @Nullable
    String at(long nowMs) {
        return nowMs >= untilMs ? null : reason + ", next request in " + Math.ceilDiv(untilMs - nowMs, 1_000) + " s";
    }

    /** The moment at which it ends, by {@link Time#elapsedMs()}; long past when there is none. */
    long untilMs() {
        return untilMs;
    }

    /** Begins a pause of our own length, or of the exchange's where that is longer. */
    void begin(String why, @Nullable Duration required, long nowMs) {
        Duration own = first.multipliedBy(1L << Math.min(times, 10));
        times++;
        Duration pause = own.compareTo(longest) > 0 ? longest : own;
        until(why, nowMs + (required == null ? pause : max(required, pause)).toMillis());
    }

    /** Begins a pause of the exchange's own length where it names one, of ours where it does not. */
    void beginAsRequired(String why, @Nullable Duration required, Duration atLeast, long nowMs) {
        if (required == null) {
            begin(why, null, nowMs);
        } else {
            times++;
            until(why, nowMs + (required.isPositive() ? required : atLeast).toMillis());
        }
    }

    void until(String why, long endMs) {
        if (endMs > untilMs) {
            untilMs = endMs;
            reason = why;
        }
    }

    /** Whether there has been no response since it began. */
    boolean hasNoResponse() {
        return times > 0;
    }

    void responded() {
        times = 0;
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }
}
