package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.IngestEvents.RequestOutcome;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.spec.VenueSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Sends requests to one venue. A request is sent when each of its pools has allowance for it and nothing that
 * it needs is backed off. Its outcome decides what is backed off next. Used by one thread at a time.
 */
public final class RateLimitedClient {
    /** From this part of a limit on, by the venue's own count, settled history waits for a minute. */
    private static final int BUSY_PERCENT = 50;

    /** From this part on, polls wait as well. */
    private static final int NEARLY_FULL_PERCENT = 90;

    private static final long MINUTE_MS = 60_000;

    private final Venue venue;
    private final VenueSpec spec;
    private final VenueClient exchanges;
    private final Time time;
    private final IngestEvents events;
    private final RateLimitPools pools;
    private final Backoffs backoffs;
    private final Map<String, Long> historyFromMs = new HashMap<>();

    public RateLimitedClient(Venue venue, VenueClient exchanges, Time time, RateLimitMode pacing, IngestEvents events) {
        this.venue = venue;
        this.spec = venue.spec();
        this.exchanges = exchanges;
        this.time = time;
        this.events = events;
        this.pools = switch (pacing) {
            case PUBLISHED -> RateLimitPools.of(spec);
            case NONE -> RateLimitPools.none();
        };
        this.backoffs = new Backoffs(spec, time);
    }

    /** Sends a request, whose declared name is {@code endpoint}, as soon as its pools allow it. */
    public FetchResult send(VenueRequest request, String endpoint, TrafficClass traffic, Duration mayWait)
            throws InterruptedException {
        Map<String, Integer> cost = request.cost();
        String backedOff = backoffs.of(endpoint, cost.keySet());
        if (backedOff != null) {
            return new FetchResult.BackedOff(backedOff);
        }
        long wait = pools.waitMs(cost, traffic, time.elapsedMs());
        if (traffic == TrafficClass.HISTORY) {
            wait = Math.max(wait, historyFromMs.getOrDefault(request.host(), 0L) - time.elapsedMs());
        }
        if (wait > mayWait.toMillis()) {
            return new FetchResult.NoAllowance();
        }
        if (wait > 0) {
            time.pause(Duration.ofMillis(wait));
        }
        long now = time.elapsedMs();
        pools.spend(cost, traffic, now);
        cost.keySet().forEach(pool -> events.drawn(spec.id(), pool, pools.used(pool, now)));
        FetchResult fetched = exchanges.fetch(venue, request);
        judge(request, endpoint, fetched);
        return fetched;
    }

    private void judge(VenueRequest request, String endpoint, FetchResult fetched) {
        String host = request.host();
        Set<String> named = request.pools().keySet();
        RequestOutcome outcome = switch (fetched) {
            case FetchResult.Received received -> {
                backoffs.responded(endpoint, host, named);
                used(host, received.headers());
                yield RequestOutcome.ANSWERED;
            }
            case FetchResult.Throttled(String reason, Duration retryAfter) -> {
                backoffs.throttled(host, named, reason, retryAfter);
                yield RequestOutcome.THROTTLED;
            }
            case FetchResult.Banned(String reason, Duration retryAfter) -> {
                backoffs.banned(endpoint, host, reason, retryAfter);
                yield RequestOutcome.BANNED;
            }
            case FetchResult.Failed(String reason, boolean retryable) ->
                retryable ? RequestOutcome.FAILED : RequestOutcome.REFUSED;
            case FetchResult.NoResponse(String reason) -> RequestOutcome.FAILED;
            case FetchResult.Unreadable(String reason) -> RequestOutcome.FAILED;
            case FetchResult.BackedOff(String reason) -> throw new IllegalArgumentException(reason);
            case FetchResult.NoAllowance() -> throw new IllegalArgumentException("nothing was sent");
        };
        events.requested(spec.id(), endpoint, outcome);
    }

    private void used(String host, Map<String, String> headers) {
        int percent = UsageHeaders.usedPercent(headers, publishedPerMinute(host));
        if (percent >= BUSY_PERCENT) {
            historyFromMs.put(host, time.elapsedMs() + MINUTE_MS);
        }
        if (percent >= NEARLY_FULL_PERCENT) {
            backoffs.nearlyFull(host, percent);
        }
    }

    /** Units a minute of a host's published limit; 0 where none is known. */
    private long publishedPerMinute(String host) {
        return spec.limits().stream()
                .filter(limit -> limit.pool().equals(host))
                .mapToLong(limit -> limit.units() * MINUTE_MS / limit.per().toMillis())
                .min()
                .orElse(0);
    }

    /** Sets what the rates of one minute cost each pool; history may use what they leave. */
    public void rateUnitsPerMinute(Map<String, Integer> unitsByPool) {
        pools.rateUnitsPerMinute(unitsByPool);
    }

    public Backoffs backoffs() {
        return backoffs;
    }
}
