package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.Backoffs;
import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.Pages;
import io.fundingobservatory.ingest.client.RateLimitMode;
import io.fundingobservatory.ingest.client.RateLimitedClient;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.TrafficClass;
import io.fundingobservatory.ingest.client.VenueClient;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.spec.Request.Priority;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import java.time.Duration;
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
public final class VenueFetcher implements ResponseSource, Pages.Sender {
    private final String venueId;
    private final RequestQueue queue;
    private final ResponseBudget memory;
    private final RateLimitedClient exchange;
    private final Time time;
    private final RandomGenerator random;
    private @Nullable VenuePoll latest;
    private boolean slowKeyedRates;

    /** Within published limits, with memory of its own. */
    public VenueFetcher(Venue venue, VenueClient exchanges, Time time, RandomGenerator random, IngestEvents events) {
        this(venue, exchanges, time, random, RateLimitMode.PUBLISHED, new ResponseBudget(), events);
    }

    public VenueFetcher(
            Venue venue,
            VenueClient exchanges,
            Time time,
            RandomGenerator random,
            RateLimitMode pacing,
            ResponseBudget memory,
            IngestEvents events) {
        this.venueId = venue.spec().id();
        this.memory = memory;
        this.queue = new RequestQueue(venue.spec().requests(), time);
        this.exchange = new RateLimitedClient(venue, exchanges, time, pacing, events);
        this.time = time;
        this.random = random;
    }

    @Override
    public PollResponses poll(Duration forKeys) throws InterruptedException {
        var poll = new VenuePoll(queue, exchange, bytes -> memory.reserve(venueId, bytes), time, random);
        queue.forgetRates();
        poll.workPlain();
        long begun = time.elapsedMs();
        boolean first = latest == null;
        for (Priority priority : PollPlan.byKey(first)) {
            long end = begun + PollPlan.window(priority, forKeys, first).toMillis();
            boolean slowed = priority == Priority.EACH_POLL_BY_KEY && slowKeyedRates;
            poll.workKeys(priority, end, slowed ? PollPlan.SLOWED_ONE_OF : 1);
        }
        latest = poll;
        exchange.rateUnitsPerMinute(poll.rateCost());
        PollResponses responses = poll.responses();
        memory.needs(venueId, queue.bytes());
        if (queue.declared(Priority.DETAILS_BY_KEY).isEmpty()) {
            queue.forgetRates(); // no further request takes its keys from them
        }
        return responses;
    }

    @Override
    public void fetchDetails(Duration forKeys) throws InterruptedException {
        if (latest != null) {
            latest.workKeys(Priority.DETAILS_BY_KEY, time.elapsedMs() + forKeys.toMillis(), 1);
        }
    }

    @Override
    public FetchResult send(VenueRequest request, String endpoint, Duration mayWait) throws InterruptedException {
        return exchange.send(request, endpoint, TrafficClass.HISTORY, mayWait);
    }

    @Override
    public void slowKeyedRates(boolean behind) {
        slowKeyedRates = behind;
    }

    @Override
    public void doubtLists() {
        queue.doubtLists();
    }

    @Override
    public Backoffs backoffs() {
        return exchange.backoffs();
    }
}
