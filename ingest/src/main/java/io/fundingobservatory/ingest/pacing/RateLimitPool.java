package io.fundingobservatory.ingest.pacing;

import io.fundingobservatory.ingest.reading.RateLimit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way to one host: in any window no more than a fifth of its published limit, nothing before the time it named, and a pause
 * that doubles each time it bars us. Times are {@link Time#elapsedMs()}. Used by one poller at a time.
 */
final class RateLimitPool {
    /** What a host is taken to allow that has published nothing: one request a second. */
    private static final Duration UNPUBLISHED_WINDOW = Duration.ofSeconds(60);

    private static final int UNPUBLISHED_UNITS = 60;
    private static final int SHARE = 5;
    private static final long SHORT_MS = 10_000;
    private static final long POLL_EVERY_MS = 60_000;
    private static final Duration THROTTLED = Duration.ofSeconds(60);
    private static final Duration BARRED_FIRST = Duration.ofMinutes(2);
    private static final Duration BARRED_LONGEST = Duration.ofHours(1);

    private record Spent(long atMs, int weight) {}

    private final List<RateLimit> limits;
    private final ArrayDeque<Spent> spent = new ArrayDeque<>();
    private final long longestWindowMs;
    private long closedUntilMs = Long.MIN_VALUE;
    private @Nullable String closedBecause;
    private int timesBarred;

    RateLimitPool(String host, List<RateLimit> declared) {
        this(own(host, declared));
    }

    private RateLimitPool(List<RateLimit> limits) {
        this.limits = limits;
        this.longestWindowMs =
                limits.stream().mapToLong(RateLimitPool::windowMs).max().orElse(0);
    }

    /** A gate that counts nothing, and still closes when the host says so. */
    static RateLimitPool uncounted() {
        return new RateLimitPool(List.of());
    }

    private static List<RateLimit> own(String host, List<RateLimit> declared) {
        List<RateLimit> own =
                declared.stream().filter(l -> l.pool().equals(host)).toList();
        return own.isEmpty() ? List.of(new RateLimit(host, UNPUBLISHED_UNITS, UNPUBLISHED_WINDOW)) : own;
    }

    /** Why nothing may be asked at the moment, in the host's own word; null when it may. */
    @Nullable
    String closedBecause(long nowMs) {
        return nowMs < closedUntilMs ? closedBecause : null;
    }

    /** Milliseconds until the gate opens again; 0 when it is open. */
    long closedForMs(long nowMs) {
        return Math.max(0, closedUntilMs - nowMs);
    }

    /** Milliseconds until a request of this weight fits into our share. */
    long waitMs(int weight, long nowMs) {
        return waitMs(weight, 0, nowMs);
    }

    /**
     * The same for a request that leaves room for the figures: for every poll that falls into the limit's window. A window shorter
     * than the pause before a poll is over by then, and nothing need be kept of it.
     *
     * @param kept what the requests of one poll weigh
     */
    long waitMs(int weight, int kept, long nowMs) {
        return Math.max(
                0,
                limits.stream()
                        .mapToLong(l -> waitMs(l, weight + kept * polls(windowMs(l)), nowMs))
                        .max()
                        .orElse(0));
    }

    private static int polls(long windowMs) {
        return windowMs <= SHORT_MS ? 0 : (int) Math.ceilDiv(windowMs, POLL_EVERY_MS);
    }

    private long waitMs(RateLimit limit, int weight, long nowMs) {
        long window = windowMs(limit);
        long share = limit.units() / SHARE;
        // From the newest back: the first one that does not fit beside this request has to leave the window.
        long used = weight;
        for (var it = spent.descendingIterator(); it.hasNext(); ) {
            Spent one = it.next();
            used += one.weight();
            if (used > share) {
                return Math.max(0, one.atMs() + window - nowMs);
            }
        }
        return 0;
    }

    /** The window in which a fifth is counted; wide enough for one unit where a fifth of the published one is less. */
    private static long windowMs(RateLimit limit) {
        long ms = limit.per().toMillis();
        return limit.units() >= SHARE ? ms : ms * SHARE / Math.max(1, limit.units());
    }

    void spend(int weight, long nowMs) {
        while (!spent.isEmpty() && spent.getFirst().atMs() + longestWindowMs <= nowMs) {
            spent.removeFirst();
        }
        spent.addLast(new Spent(nowMs, weight));
    }

    void answered() {
        timesBarred = 0;
    }

    void throttled(String reason, @Nullable Duration retryAfter, long nowMs) {
        close(reason, retryAfter == null ? THROTTLED : retryAfter, nowMs);
    }

    void barred(String reason, @Nullable Duration retryAfter, long nowMs) {
        Duration pause = BARRED_FIRST.multipliedBy(1L << Math.min(timesBarred, 10));
        pause = pause.compareTo(BARRED_LONGEST) > 0 ? BARRED_LONGEST : pause;
        timesBarred++;
        close(reason, retryAfter != null && retryAfter.compareTo(pause) > 0 ? retryAfter : pause, nowMs);
    }

    private void close(String reason, Duration pause, long nowMs) {
        closedUntilMs = Math.max(closedUntilMs, nowMs + pause.toMillis());
        closedBecause = reason;
    }

    boolean barring(long nowMs) {
        return timesBarred > 0 && nowMs < closedUntilMs;
    }
}
