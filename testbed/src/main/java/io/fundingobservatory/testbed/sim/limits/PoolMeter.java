package io.fundingobservatory.testbed.sim.limits;

import io.fundingobservatory.testbed.sim.SimulatedRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One pool's rolling windows, one for each key that it counts apart. Not thread-safe. */
final class PoolMeter {
    private static final int MOST_IDLE_WINDOWS = 1_000;

    private final LimitPool pool;
    private final Map<String, Window> windows = new HashMap<>();
    private long requests;
    private long units;
    private long refused;
    private long most;
    private long costliest;
    private long lockedUntilMs = Long.MIN_VALUE;
    private int lockouts;
    private int refusedInARow;

    private static final class Window {
        final Deque<long[]> drawn = new ArrayDeque<>();
        long sum;

        long at(long nowMs, long windowMs) {
            while (!drawn.isEmpty() && drawn.getFirst()[0] <= nowMs - windowMs) {
                sum -= drawn.removeFirst()[1];
            }
            return sum;
        }
    }

    PoolMeter(LimitPool pool) {
        this.pool = pool;
    }

    LimitPool pool() {
        return pool;
    }

    boolean counts(SimulatedRequest request) {
        return pool.counts().test(request);
    }

    int refusedInARow() {
        return refusedInARow;
    }

    /** How a request is refused; null where there is room. Does not count it as drawn. */
    @Nullable
    OverLimitResponse refusal(SimulatedRequest request, long nowMs) {
        OverLimitPolicy beyond = pool.beyond();
        if (nowMs < lockedUntilMs) {
            lockedUntilMs += beyond.longer().toMillis();
            return refused(lockedUntilMs - nowMs, nowMs);
        }
        if (used(request, nowMs) + pool.cost().applyAsLong(request) <= pool.units()) {
            return null;
        }
        List<Duration> locks = beyond.lockouts();
        if (locks.isEmpty()) {
            return refused(untilAllowedMs(request, nowMs), nowMs);
        }
        long lock = locks.get(Math.min(lockouts++, locks.size() - 1)).toMillis();
        lockedUntilMs = nowMs + lock;
        return refused(lock, nowMs);
    }

    private OverLimitResponse refused(long waitMs, long nowMs) {
        refused++;
        refusedInARow++;
        OverLimitPolicy beyond = pool.beyond();
        String header = beyond.waitHeader();
        if (header == null) {
            return new OverLimitResponse(beyond.status(), Map.of(), beyond.body());
        }
        long wait = switch (beyond.waitIn()) {
            case SECONDS -> Math.ceilDiv(waitMs, 1_000);
            case MILLISECONDS -> waitMs;
            case UNIX_SECONDS -> Math.ceilDiv(nowMs + waitMs, 1_000);
        };
        return new OverLimitResponse(beyond.status(), Map.of(header, Long.toString(wait)), beyond.body());
    }

    /** A request that another pool or a ban refused. */
    void refusedElsewhere() {
        refused++;
    }

    void add(SimulatedRequest request, long nowMs) {
        requests++;
        refusedInARow = 0;
        draw(request, pool.cost().applyAsLong(request), nowMs);
    }

    void spend(SimulatedRequest request, String body, long nowMs) {
        long extra = pool.costOfResponse().applyAsLong(request, body);
        if (extra > 0) {
            draw(request, extra, nowMs);
        }
    }

    private void draw(SimulatedRequest request, long cost, long nowMs) {
        if (windows.size() > MOST_IDLE_WINDOWS) {
            windows.values().removeIf(window -> window.at(nowMs, pool.window().toMillis()) == 0);
        }
        Window window = windows.computeIfAbsent(pool.apart().apply(request), key -> new Window());
        window.at(nowMs, pool.window().toMillis());
        window.drawn.addLast(new long[] {nowMs, cost});
        window.sum += cost;
        units += cost;
        most = Math.max(most, window.sum);
        costliest = Math.max(costliest, cost);
    }

    /** Units used in the window that ends now. */
    long used(SimulatedRequest request, long nowMs) {
        Window window = windows.get(pool.apart().apply(request));
        return window == null ? 0 : window.at(nowMs, pool.window().toMillis());
    }

    private long untilAllowedMs(SimulatedRequest request, long nowMs) {
        Window window = windows.get(pool.apart().apply(request));
        long missing = used(request, nowMs) + pool.cost().applyAsLong(request) - pool.units();
        if (window != null) {
            for (long[] drawn : window.drawn) {
                missing -= drawn[1];
                if (missing <= 0) {
                    return drawn[0] + pool.window().toMillis() - nowMs;
                }
            }
        }
        return pool.window().toMillis();
    }

    PoolUse use(String venue) {
        return new PoolUse(venue, pool, requests, units, refused, most, costliest);
    }
}
