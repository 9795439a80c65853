package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.backfill.HistorySource;
import io.fundingobservatory.ingest.client.RateLimitMode;
import io.fundingobservatory.ingest.client.RateLimitedClient;
import io.fundingobservatory.ingest.client.RateLimitedClient.Admission;
import io.fundingobservatory.ingest.client.RequestListener;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.TrafficClass;
import io.fundingobservatory.ingest.client.VenueClient;
import io.fundingobservatory.ingest.client.VenueRequest;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Request.Cadence;
import io.fundingobservatory.ingest.spec.Venue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Polls a venue, one request after the other, within the pools of its published limits.
 *
 * <p>A poll requests lists that are due first, then rates, then single symbols. Among those, rates come
 * before the rest, except in the first poll. The symbol with the oldest request comes first, and requests end
 * with the time of the poll.
 *
 * <p>The last good lists remain available for a day. Rates are never used twice, except those of single
 * symbols. Their rows carry their own time and count for 180 s.
 */
public final class VenueFetcher implements ResponseSource, HistorySource {
    /** How long a poll waits for less frequent requests; the rest of them follow between polls. */
    private static final long LEARNING_MS = 8_000;

    /** No more than this part of the first round, so that the values have the rest where polls are frequent or requests slow. */
    private static final int LEARNING_PERCENT = 80;

    /** In sparing mode, each poll requests the rates of every second symbol. */
    private static final int SPARINGLY = 2;

    private final List<Request> requests;
    private final RateLimitedClient exchange;
    private final ResponseCache last;
    private final Time time;
    private @Nullable PartialPoll latest;
    private boolean sparingly;

    /** Within the published limits. */
    public VenueFetcher(Venue venue, VenueClient exchanges, Time time, RandomGenerator random) {
        this(venue, exchanges, time, random, RateLimitMode.PUBLISHED, RequestListener.NONE);
    }

    public VenueFetcher(
            Venue venue,
            VenueClient exchanges,
            Time time,
            RandomGenerator random,
            RateLimitMode pacing,
            RequestListener listener) {
        this.requests = venue.spec().requests();
        this.exchange = new RateLimitedClient(venue, exchanges, time, pacing, listener);
        this.last = new ResponseCache(time, random);
        this.time = time;
    }

    @Override
    public PollResponses round(Duration forKeys) throws InterruptedException {
        var round = new PartialPoll(requests, exchange, last);
        for (Request request : requests) {
            if (request.keys() == null && request.cadence() != Cadence.MINUTE) {
                round.list(request);
            }
        }
        for (Request request : requests) {
            if (request.keys() == null && request.cadence() == Cadence.MINUTE) {
                round.figures(request);
            }
        }
        long begun = time.elapsedMs();
        var keys = new PerSymbolRequests(round, requests, last, time);
        if (latest == null) {
            keys.ask(
                    VenueFetcher::isLearnt, begun + Math.min(LEARNING_MS, forKeys.toMillis() * LEARNING_PERCENT / 100));
        }
        keys.askSome(r -> r.cadence() == Cadence.MINUTE, sparingly ? SPARINGLY : 1, begun + forKeys.toMillis());
        if (latest != null) {
            // what was learnt an hour ago can wait, the values of this minute cannot
            keys.ask(VenueFetcher::isLearnt, begun + Math.min(LEARNING_MS, forKeys.toMillis()));
        }
        latest = round;
        exchange.figuresPerMinute(round.figuresCost());
        PollResponses responses = round.responses();
        if (requests.stream().noneMatch(VenueFetcher::isLearnt)) {
            round.forgetFigures();
        }
        return responses;
    }

    private static boolean isLearnt(Request request) {
        return request.keys() != null && request.cadence() != Cadence.MINUTE;
    }

    /**
     * Sends the less frequent requests for single symbols. A poll ends them early so as not to delay the
     * rates.
     */
    @Override
    public void learn(Duration forKeys) throws InterruptedException {
        if (latest != null) {
            new PerSymbolRequests(latest, requests, last, time)
                    .ask(VenueFetcher::isLearnt, time.elapsedMs() + forKeys.toMillis());
        }
    }

    @Override
    public Admission history(VenueRequest call, String address, Duration mayWait) throws InterruptedException {
        return exchange.ask(call, address, TrafficClass.HISTORY, mayWait.toMillis());
    }

    @Override
    public void sparingly(boolean behind) {
        sparingly = behind;
    }

    @Override
    public void doubtLists() {
        last.doubt(requests.stream()
                .filter(r -> r.keys() == null && r.cadence() != Cadence.MINUTE)
                .toList());
    }

    @Override
    public boolean banned() {
        return exchange.barring();
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
