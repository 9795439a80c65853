package io.fundingobservatory.standalone.plan;

import io.fundingobservatory.ingest.backfill.HistoryBackfill;
import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.RateLimitMode;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.VenueClient;
import io.fundingobservatory.ingest.client.VenueRequest;
import io.fundingobservatory.ingest.poll.VenueFetcher;
import io.fundingobservatory.ingest.poll.VenuePoller;
import io.fundingobservatory.ingest.poll.guards.Guards;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.RecordOutput;
import io.fundingobservatory.ingest.spec.RateLimit;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * An hour of one venue's requests. They are sent by the poller itself, on a clock that jumps, so the plan is the
 * one that the service follows.
 */
final class PlannedHour implements IngestEvents, RecordOutput {
    private static final Duration HOUR = Duration.ofHours(1);

    /**
     * A request that the poller sent.
     *
     * @param request the declared name of the request
     * @param name that name with its key
     * @param units what it draws on each pool
     */
    record Sent(Instant at, String request, String name, Map<String, Integer> units) {}

    private final Venue venue;
    private final List<Sent> sent = new ArrayList<>();
    private final Map<String, Double> highest = new TreeMap<>();
    private final Time time;
    private Map<String, Integer> units = Map.of();
    private long sentMs;
    private int contracts;

    /** A clock that jumps to the end of every pause, and interrupts after an hour. */
    private static final class JumpingTime implements Time {
        private final Instant start;
        private long elapsedMs;

        JumpingTime(Instant start) {
            this.start = start;
        }

        @Override
        public long nowMs() {
            return start.toEpochMilli() + elapsedMs;
        }

        @Override
        public long elapsedMs() {
            return elapsedMs;
        }

        @Override
        public void pause(Duration duration) throws InterruptedException {
            elapsedMs += duration.toMillis();
            if (elapsedMs >= HOUR.toMillis()) {
                throw new InterruptedException("the hour is over");
            }
        }
    }

    private PlannedHour(Venue venue, Instant start) {
        this.venue = venue;
        this.time = new JumpingTime(start);
    }

    /**
     * Polls for an hour. All settled history is still to be read.
     *
     * @param client makes the client that responds on a clock
     * @param start when the poller starts
     * @param interval the time between two polls
     */
    static PlannedHour of(Venue venue, Function<Time, VenueClient> client, Instant start, Duration interval) {
        var hour = new PlannedHour(venue, start);
        hour.poll(client.apply(hour.time), interval);
        return hour;
    }

    private void poll(VenueClient client, Duration interval) {
        VenueClient recorded = (of, request) -> fetch(client, of, request);
        var fetcher = new VenueFetcher(venue, recorded, time, new Random(1), RateLimitMode.PUBLISHED, this);
        var history = venue.spec().history() == null
                ? null
                : new HistoryBackfill(venue, fetcher, time, new Random(2), List.of(), this, this);
        new VenuePoller(
                        venue,
                        Source.SIMULATED,
                        new Guards(),
                        fetcher,
                        time,
                        interval,
                        new Random(3),
                        null,
                        history,
                        this,
                        this)
                .run();
        Thread.interrupted(); // the poller ends by an interrupt
    }

    private FetchResult fetch(VenueClient client, Venue of, VenueRequest request) throws InterruptedException {
        units = RateLimit.cost(request.url(), request.weight(), request.pools());
        sentMs = time.nowMs();
        return client.fetch(of, request);
    }

    /** All requests in their order. */
    List<Sent> sent() {
        return List.copyOf(sent);
    }

    /** The highest part of each pool's published limit that was in use at any moment. */
    Map<String, Double> highest() {
        return Map.copyOf(highest);
    }

    /** How many contracts had a rate in the last poll. */
    int contracts() {
        return contracts;
    }

    @Override
    public void requested(String of, String request, String name, RequestOutcome outcome, String reason) {
        sent.add(new Sent(Instant.ofEpochMilli(sentMs), request, name, units));
    }

    @Override
    public void drawn(String of, String pool, double fraction) {
        highest.merge(pool, fraction, Math::max);
    }

    @Override
    public void broke(String of, String step, Throwable bug) {
        throw new IllegalStateException(of + ' ' + step, bug);
    }

    @Override
    public boolean publish(List<Quote> quotes, VenueStatus status) {
        contracts = quotes.size();
        return true;
    }

    @Override
    public boolean publishSettled(List<SettledRate> settled) {
        return true;
    }

    @Override
    public void publishProgress(HistoryProgress progress) {}
}
