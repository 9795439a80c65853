package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.spec.RateLimit;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.spec.VenueSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class RateLimitPools {
    /** More rows than a month of hours are on no page. */
    private static final Duration LONGEST_SPAN = Duration.ofDays(31);

    private final Map<String, List<RateLimitPool>> byName = new HashMap<>();

    private RateLimitPools() {}

    static RateLimitPools of(VenueSpec spec) {
        var pools = new RateLimitPools();
        var heaviestPoll = new HashMap<String, Integer>();
        spec.requests()
                .forEach(r -> r.declared().cost().forEach((pool, units) -> heaviestPoll.merge(pool, units, Math::max)));
        var heaviestHistory = new HashMap<String, Integer>();
        spec.allHistory()
                .forEach(h -> VenueRequest.of(h, "", 0, LONGEST_SPAN.toMillis(), 1, "")
                        .cost()
                        .forEach((pool, units) -> heaviestHistory.merge(pool, units, Math::max)));
        for (RateLimit limit : spec.limits()) {
            String name = limit.pool();
            pools.byName
                    .computeIfAbsent(name, p -> new ArrayList<>())
                    .add(new RateLimitPool(
                            limit, heaviestPoll.getOrDefault(name, 0), heaviestHistory.getOrDefault(name, 0)));
        }
        return pools;
    }

    static RateLimitPools none() {
        return new RateLimitPools();
    }

    List<RateLimitPool> all() {
        return byName.values().stream().flatMap(List::stream).toList();
    }

    long waitMs(Map<String, Integer> cost, TrafficClass traffic, long nowMs) {
        long wait = 0;
        for (Map.Entry<String, Integer> draw : cost.entrySet()) {
            for (RateLimitPool pool : named(draw.getKey())) {
                wait = Math.max(wait, pool.waitMs(draw.getValue(), traffic, nowMs));
            }
        }
        return wait;
    }

    void spend(Map<String, Integer> cost, TrafficClass traffic, long nowMs) {
        cost.forEach((name, units) -> named(name).forEach(pool -> pool.spend(units, traffic, nowMs)));
    }

    void rateUnitsPerMinute(Map<String, Integer> units) {
        byName.forEach((name, pools) -> pools.forEach(p -> p.rateUnitsPerMinute(units.getOrDefault(name, 0))));
    }

    /** The fraction in use of the tightest published limit of that name; 0 where none is known. */
    double used(String name, long nowMs) {
        return named(name).stream().mapToDouble(pool -> pool.used(nowMs)).max().orElse(0);
    }

    private List<RateLimitPool> named(String name) {
        return byName.getOrDefault(name, List.of());
    }
}
