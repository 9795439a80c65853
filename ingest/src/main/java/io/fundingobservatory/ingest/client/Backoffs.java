package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.VenueSpec;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The back-offs of one venue's requests, by the name of a pool, a host or an endpoint. A request is sent when none of
 * its names is backed off.
 *
 * <p>Throttling concerns pools. A ban (403, 418 or 451) concerns its endpoint. It concerns the whole host in two
 * cases: the endpoint is the host's first request for rates, or the response names a time ({@code Retry-After}).
 */
public final class Backoffs {
    private static final long NEARLY_FULL_MS = 10_000;

    /** A {@code Retry-After} of nothing, or in the past, is taken for this: the time between two polls. */
    private static final long AT_LEAST_MS = Duration.ofSeconds(60).toMillis();

    /** A back-off that an earlier process recorded is kept for no longer than this. */
    private static final long LONGEST_RESUMED_MS = Duration.ofHours(24).toMillis();

    private static final String RESUMED = "paused by the exchange before a restart";

    /** How long a back-off of ours lasts: twice as long each further time without a response between. */
    private enum Kind {
        THROTTLED(Duration.ofSeconds(60), Duration.ofMinutes(10)),
        BANNED(Duration.ofMinutes(2), Duration.ofHours(1));

        private final long firstMs;
        private final long longestMs;

        Kind(Duration first, Duration longest) {
            this.firstMs = first.toMillis();
            this.longestMs = longest.toMillis();
        }
    }

    /** One name's back-off. */
    private static final class Backoff {
        private long untilMs = Long.MIN_VALUE;
        private String reason = "";
        private boolean isBan;
        private int times;

        /** Begins one of our own length; the returned end is by {@link Time#elapsedMs()}. */
        long begin(Kind kind, long nowMs) {
            isBan = kind == Kind.BANNED;
            return nowMs + Math.min(kind.longestMs, kind.firstMs << Math.min(times++, 10));
        }

        void until(String why, long endMs) {
            if (endMs > untilMs) {
                untilMs = endMs;
                reason = why;
            }
        }
    }

    private final Time time;
    /** The first endpoint with rates of each host; plain ones come before those of single symbols. */
    private final Map<String, String> silencing = new HashMap<>();

    private final Map<String, Backoff> byName = new HashMap<>();

    public Backoffs(VenueSpec spec, Time time) {
        this.time = time;
        Stream.of(false, true)
                .flatMap(keyed -> spec.requests().stream().filter(r -> (r.keys() != null) == keyed))
                .filter(Request::isFrequent)
                .forEach(r -> silencing.putIfAbsent(r.declared().host(), r.name()));
    }

    /** Why a request may not be sent now; null when it may. */
    @Nullable
    String of(String endpoint, Collection<String> pools) {
        long now = time.elapsedMs();
        for (String name : Stream.concat(Stream.of(endpoint), pools.stream()).toList()) {
            Backoff one = byName.get(name);
            if (one != null && one.untilMs > now) {
                return one.reason + ", next request in " + Math.ceilDiv(one.untilMs - now, 1_000) + " s";
            }
        }
        return null;
    }

    private Backoff named(String name) {
        return byName.computeIfAbsent(name, n -> new Backoff());
    }

    /** A request got a response: what it needs has the first length again. A banned host only by the endpoint that silenced it. */
    void responded(String endpoint, String host, Collection<String> pools) {
        named(endpoint).times = 0;
        pools.forEach(pool -> named(pool).times = 0);
        Backoff ofHost = named(host);
        if (!ofHost.isBan || endpoint.equals(silencing.get(host))) {
            ofHost.times = 0;
            ofHost.isBan = false;
        }
    }

    /**
     * Pauses the pools that a request names; without any, its host. A refusal without a time pauses the
     * host as well while the host itself is refusing. The host is refusing when it has refused a request of
     * no pool and responded to none since.
     */
    void throttled(String host, Collection<String> pools, String reason, @Nullable Duration retryAfter) {
        var meant = new HashSet<>(pools);
        if (pools.isEmpty() || (retryAfter == null && named(host).times > 0)) {
            meant.add(host);
        }
        long now = time.elapsedMs();
        for (String pool : meant) {
            long own = named(pool).begin(Kind.THROTTLED, now);
            long required = retryAfter == null ? 0 : retryAfter.toMillis();
            named(pool).until(reason, retryAfter == null ? own : now + (required > 0 ? required : AT_LEAST_MS));
        }
    }

    /** By the venue's own count hardly anything is left of a host's limit. */
    void nearlyFull(String host, int percent) {
        named(host).until(percent + " % of its limit is used by its own count", time.elapsedMs() + NEARLY_FULL_MS);
    }

    /** Never shorter than the venue requires, and never shorter than our own. */
    void banned(String endpoint, String host, String reason, @Nullable Duration retryAfter) {
        long now = time.elapsedMs();
        long required = retryAfter == null ? now : now + retryAfter.toMillis();
        for (String name : endpoint.equals(silencing.get(host)) ? Set.of(endpoint, host) : Set.of(endpoint)) {
            named(name).until(reason, Math.max(required, named(name).begin(Kind.BANNED, now)));
        }
        if (retryAfter != null) {
            named(host).isBan = true;
            named(host).until(reason, required);
        }
    }

    /** Returns whether a host has banned us for a while. */
    public boolean isBanned() {
        return byName.entrySet().stream()
                .anyMatch(one -> silencing.containsKey(one.getKey())
                        && one.getValue().isBan
                        && one.getValue().untilMs > time.elapsedMs());
    }

    /** When each back-off ends that lasts beyond the next poll, epoch ms; by host, pool or endpoint. */
    public Map<String, Long> untilMs() {
        long now = time.elapsedMs();
        var ends = new TreeMap<String, Long>();
        byName.forEach((name, one) -> {
            if (one.untilMs > now + AT_LEAST_MS) {
                ends.put(name, time.nowMs() + one.untilMs - now);
            }
        });
        return ends;
    }

    /** Restores the back-offs of an earlier process, by name. A rate host's was a ban for all that is known. */
    public void resume(Map<String, Long> untilMs) {
        untilMs.forEach((name, until) -> {
            long left = Math.min(until - time.nowMs(), LONGEST_RESUMED_MS);
            if (left > 0) {
                named(name).isBan = true;
                named(name).until(RESUMED, time.elapsedMs() + left);
            }
        });
    }
}
