package io.fundingobservatory.testbed.sim.limits;

import io.fundingobservatory.testbed.sim.SimulatedRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what one client draws on an exchange's pools and returns the exchange's response beyond them. */
public final class LimitMeter {
    private final String venue;
    private final List<PoolMeter> pools;
    private long bannedUntilMs = Long.MIN_VALUE;
    private int banStatus;

    public LimitMeter(String venue) {
        this(venue, PublishedLimits.of(venue));
    }

    LimitMeter(String venue, List<LimitPool> pools) {
        this.venue = venue;
        this.pools = pools.stream().map(PoolMeter::new).toList();
    }

    /**
     * A request that comes at an instant, epoch ms.
     *
     * @return how it is refused; null when every pool that it draws on has room, and then it is counted in all of them
     */
    public synchronized @Nullable OverLimitResponse admit(SimulatedRequest request, long nowMs) {
        List<PoolMeter> drawn =
                pools.stream().filter(pool -> pool.counts(request)).toList();
        if (nowMs < bannedUntilMs) {
            drawn.forEach(PoolMeter::refusedElsewhere);
            return new OverLimitResponse(banStatus, Map.of(), null);
        }
        for (PoolMeter pool : drawn) {
            OverLimitResponse refused = pool.refusal(request, nowMs);
            if (refused != null) {
                ban(pool, nowMs);
                return refused;
            }
        }
        drawn.forEach(pool -> pool.add(request, nowMs));
        return null;
    }

    private void ban(PoolMeter pool, long nowMs) {
        OverLimitPolicy beyond = pool.pool().beyond();
        if (beyond.banAfter() > 0 && pool.refusedInARow() >= beyond.banAfter()) {
            bannedUntilMs = nowMs + beyond.ban().toMillis();
            banStatus = beyond.banStatus();
        }
    }

    /** The body with which a counted request got a response: some exchanges charge for the rows of it. */
    public synchronized void responded(SimulatedRequest request, String body, long nowMs) {
        for (PoolMeter pool : pools) {
            if (pool.counts(request)) {
                pool.spend(request, body, nowMs);
            }
        }
    }

    /** The exchange's headers with the units used. */
    public synchronized Map<String, String> usage(SimulatedRequest request, long nowMs) {
        var headers = new HashMap<String, String>();
        for (PoolMeter pool : pools) {
            String name = pool.pool().usageHeader();
            if (name != null && pool.counts(request)) {
                headers.put(name, Long.toString(pool.used(request, nowMs)));
            }
        }
        return headers;
    }

    public synchronized List<PoolUse> use() {
        var use = new ArrayList<PoolUse>();
        pools.forEach(pool -> use.add(pool.use(venue)));
        return use;
    }
}
