package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.spec.RateLimit;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.VenueSpec;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of one venue's requests. Throttling pauses the pool that it concerns. A response with 403, 418
 * or 451 pauses its endpoint. It pauses the whole host in two cases: the endpoint is the host's first request
 * for rates, or the response names a time ({@code Retry-After}).
 */
public final class Backoffs {
    private static final Duration THROTTLED_FIRST = Duration.ofSeconds(60);
    private static final Duration THROTTLED_LONGEST = Duration.ofMinutes(10);
    private static final Duration BAN_FIRST = Duration.ofMinutes(2);
    private static final Duration BAN_LONGEST = Duration.ofHours(1);
    private static final long NEARLY_FULL_MS = 10_000;

    /** A {@code Retry-After} of nothing, or in the past, is taken for this: the time between two polls. */
    private static final Duration AT_LEAST = Duration.ofSeconds(60);

    /** A pause that an earlier process recorded is kept for no longer than this. */
    private static final long LONGEST_RESUMED_MS = Duration.ofHours(24).toMillis();

    private static final String RESUMED = "paused by the exchange before a restart";

    private final Time time;
    private final Set<String> silencing = new HashSet<>();
    private final Set<String> rateHosts = new HashSet<>();
    private final Map<String, Backoff> throttled = new HashMap<>();
    private final Map<String, Backoff> banned = new HashMap<>();
    private final Map<String, Backoff> hosts = new HashMap<>();

    public Backoffs(VenueSpec spec, Time time) {
        this.time = time;
        // plain values come before those of single symbols
        for (boolean keyed : new boolean[] {false, true}) {
            for (Request request : spec.requests()) {
                if (request.isFrequent()
                        && (request.keys() != null) == keyed
                        && rateHosts.add(RateLimit.host(request.url()))) {
                    silencing.add(request.name());
                }
            }
        }
    }

    /** Why a request may not be sent now; null when it may. */
    @Nullable
    String of(String endpoint, Collection<String> pools) {
        long now = time.elapsedMs();
        String closed = at(banned, endpoint, now);
        for (String pool : pools) {
            closed = closed == null ? at(hosts, pool, now) : closed;
            closed = closed == null ? at(throttled, pool, now) : closed;
        }
        return closed;
    }

    private static @Nullable String at(Map<String, Backoff> pauses, String name, long nowMs) {
        Backoff pause = pauses.get(name);
        return pause == null ? null : pause.at(nowMs);
    }

    void responded(String endpoint, String host, Collection<String> pools) {
        responded(banned, endpoint);
        responded(throttled, host);
        pools.forEach(pool -> responded(throttled, pool));
        if (silencing.contains(endpoint)) {
            responded(hosts, host);
        }
    }

    private static void responded(Map<String, Backoff> pauses, String name) {
        Backoff pause = pauses.get(name);
        if (pause != null) {
            pause.responded();
        }
    }

    /**
     * Pauses the pools that a request names; without any, its host. A refusal without a time pauses the
     * host as well while the host itself is refusing. The host is refusing when it has refused a request of
     * no pool and responded to none since.
     */
    void throttled(String host, Collection<String> pools, String reason, @Nullable Duration retryAfter) {
        var meant = new HashSet<>(pools);
        Backoff ofHost = throttled.get(host);
        if (pools.isEmpty() || (retryAfter == null && ofHost != null && ofHost.hasNoResponse())) {
            meant.add(host);
        }
        for (String pool : meant) {
            throttling(pool).beginAsRequired(reason, retryAfter, AT_LEAST, time.elapsedMs());
        }
    }

    /** By the venue's own count hardly anything is left of a host's limit. */
    void nearlyFull(String host, int percent) {
        throttling(host).until(percent + " % of its limit is used by its own count", time.elapsedMs() + NEARLY_FULL_MS);
    }

    private Backoff throttling(String pool) {
        return throttled.computeIfAbsent(pool, p -> new Backoff(THROTTLED_FIRST, THROTTLED_LONGEST));
    }

    private static Backoff ban(Map<String, Backoff> bans, String name) {
        return bans.computeIfAbsent(name, n -> new Backoff(BAN_FIRST, BAN_LONGEST));
    }

    void banned(String endpoint, String host, String reason, @Nullable Duration retryAfter) {
        ban(banned, endpoint).begin(reason, retryAfter, time.elapsedMs());
        if (silencing.contains(endpoint)) {
            ban(hosts, host).begin(reason, retryAfter, time.elapsedMs());
        } else if (retryAfter != null) {
            ban(hosts, host).until(reason, time.elapsedMs() + retryAfter.toMillis());
        }
    }

    /** Returns whether a host has banned us for a while. */
    public boolean isBanned() {
        return hosts.values().stream().anyMatch(pause -> pause.at(time.elapsedMs()) != null);
    }

    /** When each pause ends that lasts beyond the next poll, epoch ms; by host, pool or endpoint. */
    public Map<String, Long> untilMs() {
        long now = time.elapsedMs();
        var ends = new TreeMap<String, Long>();
        for (Map<String, Backoff> pauses : List.of(hosts, throttled, banned)) {
            pauses.forEach((name, pause) -> {
                if (pause.untilMs() - now > AT_LEAST.toMillis()) {
                    ends.merge(name, time.nowMs() + pause.untilMs() - now, Math::max);
                }
            });
        }
        return ends;
    }

    /**
     * Restores the pauses of an earlier process. A name is a host's, a pool's or an endpoint's; no request of
     * that name is sent before the pause ends.
     */
    public void resume(Map<String, Long> untilMs) {
        untilMs.forEach((name, until) -> {
            long left = Math.min(until - time.nowMs(), LONGEST_RESUMED_MS);
            if (left > 0) {
                long end = time.elapsedMs() + left;
                throttling(name).until(RESUMED, end);
                ban(banned, name).until(RESUMED, end);
                if (rateHosts.contains(name)) {
                    ban(hosts, name).until(RESUMED, end);
                }
            }
        });
    }
}
