package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.client.RateLimitPool.Load;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.RateLimit;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.VenueSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The pools of one venue: those of its spec, and one for each host that has published no limit. */
final class RateLimitPools {
    /** What a host is taken to allow that has published nothing: one request a second. */
    private static final int UNPUBLISHED_UNITS = 60;

    private static final Duration UNPUBLISHED_WINDOW = Duration.ofSeconds(60);

    /** More rows than a month of hours are on no page. */
    private static final Duration LONGEST_SPAN = Duration.ofDays(31);

    private final Map<String, List<RateLimitPool>> byName = new HashMap<>();
    private final Map<String, RateLimit> published = new HashMap<>();

    private RateLimitPools() {}

    static RateLimitPools of(VenueSpec spec) {
        var pools = new RateLimitPools();
        Map<String, Load> loads = loads(spec);
        for (RateLimit limit : limits(spec)) {
            pools.published.put(limit.pool(), limit);
            pools.byName
                    .computeIfAbsent(limit.pool(), p -> new ArrayList<>())
                    .add(new RateLimitPool(limit, loads.getOrDefault(limit.pool(), new Load(0, 0))));
        }
        return pools;
    }

    /** Pools that count nothing. */
    static RateLimitPools none() {
        return new RateLimitPools();
    }

    /** The limits of the spec, and one for each host without a limit. */
    private static List<RateLimit> limits(VenueSpec spec) {
        var all = new ArrayList<>(spec.limits());
        Set<String> declared = all.stream().map(RateLimit::pool).collect(Collectors.toSet());
        spec.hosts().stream()
                .filter(host -> !declared.contains(host))
                .forEach(host -> all.add(new RateLimit(host, UNPUBLISHED_UNITS, UNPUBLISHED_WINDOW)));
        return all;
    }

    private static Map<String, Load> loads(VenueSpec spec) {
        var loads = new HashMap<String, Load>();
        for (Request request : spec.requests()) {
            RequestCost.of(request)
                    .forEach((pool, units) -> loads.merge(pool, new Load(units, 0), RateLimitPools::heavier));
        }
        for (History history : spec.allHistory()) {
            RequestCost.of(history, LONGEST_SPAN)
                    .forEach((pool, units) -> loads.merge(pool, new Load(0, units), RateLimitPools::heavier));
        }
        return loads;
    }

    private static Load heavier(Load a, Load b) {
        return new Load(
                Math.max(a.heaviestPoll(), b.heaviestPoll()), Math.max(a.heaviestHistory(), b.heaviestHistory()));
    }

    List<RateLimitPool> all() {
        return byName.values().stream().flatMap(List::stream).toList();
    }

    /** Milliseconds until a request may go out. */
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

    /** Sets what the rates of one minute cost each pool. */
    void rateUnitsPerMinute(Map<String, Integer> units) {
        byName.forEach((name, pools) -> pools.forEach(p -> p.rateUnitsPerMinute(units.getOrDefault(name, 0))));
    }

    /** The fraction in use of the tightest published limit of that name; 0 where none is known. */
    double used(String name, long nowMs) {
        return named(name).stream().mapToDouble(pool -> pool.used(nowMs)).max().orElse(0);
    }

    /** Settled history that draws on a pool pauses for one window of it. */
    void restHistory(String name, long nowMs) {
        named(name).forEach(pool -> pool.noHistoryBefore(nowMs + pool.windowMs()));
    }

    /** Units a minute of a published limit; 0 where none is known. */
    long publishedPerMinute(String name) {
        RateLimit limit = published.get(name);
        return limit == null ? 0 : limit.units() * 60_000L / limit.per().toMillis();
    }

    private List<RateLimitPool> named(String name) {
        return byName.getOrDefault(name, List.of());
    }
}
