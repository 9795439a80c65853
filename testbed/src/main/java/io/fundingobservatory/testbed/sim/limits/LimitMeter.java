package io.fundingobservatory.testbed.sim.limits;

import io.fundingobservatory.testbed.sim.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what one client draws on an exchange's pools and says what the exchange answers beyond them. */
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
    public synchronized @Nullable Refused ask(Call call, long nowMs) {
        List<PoolMeter> drawn = pools.stream().filter(pool -> pool.counts(call)).toList();
        if (nowMs < bannedUntilMs) {
            drawn.forEach(PoolMeter::refusedElsewhere);
            return new Refused(banStatus, Map.of(), null);
        }
        for (PoolMeter pool : drawn) {
            Refused refused = pool.refusal(call, nowMs);
            if (refused != null) {
                ban(pool, nowMs);
                return refused;
            }
        }
        drawn.forEach(pool -> pool.add(call, nowMs));
        return null;
    }

    private void ban(PoolMeter pool, long nowMs) {
        Beyond beyond = pool.pool().beyond();
        if (beyond.banAfter() > 0 && pool.refusedInARow() >= beyond.banAfter()) {
            bannedUntilMs = nowMs + beyond.ban().toMillis();
            banStatus = beyond.banStatus();
        }
    }

    /** The body with which a counted request was answered: some exchanges charge for the rows of it. */
    public synchronized void answered(Call call, String body, long nowMs) {
        for (PoolMeter pool : pools) {
            if (pool.counts(call)) {
                pool.charge(call, body, nowMs);
            }
        }
    }

    /** What the exchange tells in its headers about the units used. */
    public synchronized Map<String, String> usage(Call call, long nowMs) {
        var headers = new HashMap<String, String>();
        for (PoolMeter pool : pools) {
            String name = pool.pool().usageHeader();
            if (name != null && pool.counts(call)) {
                headers.put(name, Long.toString(pool.used(call, nowMs)));
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
