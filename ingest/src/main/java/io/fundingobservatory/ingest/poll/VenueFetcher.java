package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.backfill.HistorySource;
import io.fundingobservatory.ingest.client.RateLimitMode;
import io.fundingobservatory.ingest.client.RateLimitedClient;
import io.fundingobservatory.ingest.client.RateLimitedClient.Admission;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.TrafficClass;
import io.fundingobservatory.ingest.client.VenueClient;
import io.fundingobservatory.ingest.client.VenueRequest;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Request.Priority;
import io.fundingobservatory.ingest.spec.Venue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Polls a venue, one request after the other, within the pools of its published limits.
 *
 * <p>Requests that are due are sent by their priority, within the windows of {@link PollPlan}. The key with the
 * oldest request comes first, and requests end with the time of the poll.
 *
 * <p>The last good lists remain available for a day. Rates are never used twice, except those of single
 * symbols. Their rows carry their own time and count for 180 s.
 */
public final class VenueFetcher implements ResponseSource, HistorySource {
    private final List<Request> requests;
    private final RateLimitedClient exchange;
    private final ResponseCache last;
    private final Time time;
    private @Nullable PartialPoll latest;
    private boolean slowKeyedRates;

    /** Within the published limits. */
    public VenueFetcher(Venue venue, VenueClient exchanges, Time time, RandomGenerator random) {
        this(venue, exchanges, time, random, RateLimitMode.PUBLISHED, IngestEvents.NONE);
    }

    public VenueFetcher(
            Venue venue,
            VenueClient exchanges,
            Time time,
            RandomGenerator random,
            RateLimitMode pacing,
            IngestEvents events) {
        this.requests = venue.spec().requests();
        this.exchange = new RateLimitedClient(venue, exchanges, time, pacing, events);
        this.last = new ResponseCache(time, random);
        this.time = time;
    }

    @Override
    public PollResponses poll(Duration forKeys) throws InterruptedException {
        var poll = new PartialPoll(requests, exchange, last);
        var queue = new RequestQueue(poll, requests, last, time);
        queue.work(Priority.LISTS, Long.MAX_VALUE);
        queue.work(Priority.RATES, Long.MAX_VALUE);
        long begun = time.elapsedMs();
        boolean first = latest == null;
        for (Priority priority : PollPlan.byKey(first)) {
            long end = begun + PollPlan.window(priority, forKeys, first).toMillis();
            queue.work(priority, end, priority == Priority.RATES_BY_KEY && slowKeyedRates ? PollPlan.SLOWED_ONE_OF : 1);
        }
        latest = poll;
        exchange.rateUnitsPerMinute(poll.rateCost());
        PollResponses responses = poll.responses();
        if (requests.stream().noneMatch(r -> r.priority() == Priority.DETAILS_BY_KEY)) {
            poll.dropRates();
        }
        return responses;
    }

    /**
     * Sends the less frequent requests for single symbols. A poll ends them early so as not to delay the
     * rates.
     */
    @Override
    public void fetchDetails(Duration forKeys) throws InterruptedException {
        if (latest != null) {
            new RequestQueue(latest, requests, last, time)
                    .work(Priority.DETAILS_BY_KEY, time.elapsedMs() + forKeys.toMillis());
        }
    }

    @Override
    public Admission history(VenueRequest request, String address, Duration mayWait) throws InterruptedException {
        return exchange.send(request, address, TrafficClass.HISTORY, mayWait.toMillis());
    }

    @Override
    public void slowKeyedRates(boolean behind) {
        slowKeyedRates = behind;
    }

    @Override
    public void doubtLists() {
        last.doubt(requests.stream().filter(r -> r.priority() == Priority.LISTS).toList());
    }

    @Override
    public boolean banned() {
        return exchange.isBanned();
    }

    @Override
    public Map<String, Long> closedUntilMs() {
        return exchange.closedUntilMs();
    }

    @Override
    public void resume(Map<String, Long> closedUntilMs) {
        exchange.resume(closedUntilMs);
    }
}
