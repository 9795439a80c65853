package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.ingest.backfill.HistoryBackfill;
import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.TestVenue;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * One exchange of the test's own, polled in virtual time. Its requests are {@code rates} or {@code rate_{}} for values, and
 * {@code history_{}} for settled rates; {@link #exchange} says what it returns.
 */
abstract class VenuePollerFixture {
    static final String HOST = "https://api.example.com/";
    static final Duration MINUTE = Duration.ofMinutes(1);

    /** A request that went out. */
    record Sent(String name, long atMs) {}

    /** The exchange: null for its usual response. */
    interface Exchange {
        @Nullable
        FetchResult response(VenueRequest request) throws InterruptedException;
    }

    final List<Sent> sent = new ArrayList<>();
    final List<PollReport> reports = new ArrayList<>();
    /** What threw, as {@code step message}. */
    final List<String> bugs = new ArrayList<>();
    /** Outcomes of requests, counted as {@code request OUTCOME}. */
    final Map<String, Integer> outcomes = new TreeMap<>();
    /** Contracts whose settled history has been read whole. */
    final Set<String> whole = new HashSet<>();
    /** The newest settlement that counts as read, epoch ms by contract. */
    final Map<String, Long> newest = new TreeMap<>();

    /** Rows of settled history that were left out, by reason. */
    final Map<String, Long> skippedSettlements = new TreeMap<>();

    /** What was settled, as {@code symbol instant}. */
    final List<String> settled = new ArrayList<>();

    /** What the last poll published. */
    List<Quote> lastQuotes = List.of();

    List<String> symbols = List.of("A", "B");
    Exchange exchange = request -> null;
    Runnable onReport = () -> {};
    /** Whether the rates of a poll are on their way. */
    BooleanSupplier published = () -> true;

    private final Publisher output = new DiscardedRecords() {
        @Override
        public boolean publish(List<Quote> quotes, VenueStatus status) {
            lastQuotes = quotes;
            return published.getAsBoolean();
        }

        @Override
        public boolean publishSettled(List<SettledRate> rates) {
            rates.forEach(rate -> settled.add(rate.symbol() + ' ' + rate.settledMs()));
            return true;
        }

        @Override
        public void publishProgress(HistoryProgress progress) {
            if (progress.whole()) {
                whole.add(progress.symbol());
            }
            if (progress.newestMs() != null) {
                newest.put(progress.symbol(), progress.newestMs());
            }
        }
    };

    private final IngestEvents events = new IngestEvents() {
        @Override
        public void requested(String venue, String request, RequestOutcome outcome) {
            outcomes.merge(request + ' ' + outcome, 1, Integer::sum);
        }

        @Override
        public void polled(PollReport report, boolean sent, boolean banned) {
            reports.add(report);
            onReport.run();
        }

        @Override
        public void broke(String venue, String step, Throwable bug) {
            bugs.add(step + ' ' + bug.getMessage());
        }

        @Override
        public void skippedSettlements(String venue, SkipReason reason, long rows) {
            skippedSettlements.merge(reason.toString(), rows, Long::sum);
        }

        @Override
        public void unreadable(String venue, String request, RuntimeException why) {
            bugs.add("unreadable " + request);
        }
    };

    Duration latency = Duration.ZERO;

    /** Of the poller's random numbers. */
    long seed = 2;

    Duration interval = MINUTE;

    /** How long after the story's beginning the venue closes; null when it does not. */
    @Nullable
    Duration closesAfter;

    @Nullable
    VenueStatus before;

    VirtualTime time = new VirtualTime(Duration.ZERO);

    /** Those of the last story. */
    @SuppressWarnings("NullAway.Init")
    VenueFetcher responses;

    @AfterEach
    final void noInterruptIsLeftBehind() {
        Thread.interrupted();
    }

    static VenueSpec.Builder spec() {
        return TestVenue.sheet();
    }

    /** Rates, prices and settled history, far within its limit. */
    static VenueSpec.Builder usual() {
        return spec().limit("api.example.com", 6000, 60)
                .request(Request.get("rates", HOST + "rates"))
                .request(Request.get("index", HOST + "index"))
                .history(History.get("history_{}", HOST + "history?s={key}", History.Paging.NONE, 100));
    }

    FetchResult json(String text) {
        return TestVenue.received(text, time.nowMs());
    }

    FetchResult rates(String... of) {
        return TestVenue.list(
                "rows",
                time.nowMs(),
                Arrays.stream(of)
                        .map("{\"symbol\":\"%s\",\"rate\":\"0.0001\"}"::formatted)
                        .toArray(String[]::new));
    }

    private FetchResult response(VenueRequest request) throws InterruptedException {
        FetchResult special = exchange.response(request);
        if (special != null) {
            return special;
        }
        return request.name().startsWith("history_")
                ? json("{\"history\":[{\"at\":%d,\"rate\":\"0.0001\"}]}".formatted(time.nowMs() - 3_600_000))
                : rates(symbols.toArray(String[]::new));
    }

    void poll(VenueSpec spec, Duration story) {
        poll(new TestVenue(spec), story);
    }

    /** Polls until the story ends, with its settled history where it declares one. */
    void poll(Venue venue, Duration story) {
        time = new VirtualTime(story);
        responses = new VenueFetcher(
                venue,
                (v, request) -> {
                    sent.add(new Sent(request.name(), time.elapsedMs()));
                    time.pause(latency);
                    return response(request);
                },
                time,
                new Random(1),
                events);
        HistoryBackfill history = venue.spec().history() == null ? null : history(venue, responses);
        SimulatedPoller.of(venue, responses, time, interval, new Random(seed), before, history, output, events)
                .until(closesAfter == null ? Long.MAX_VALUE : time.nowMs() + closesAfter.toMillis())
                .run();
        assertEquals(closesAfter == null, Thread.interrupted(), "a poller ends by an interrupt or with its venue");
    }

    private HistoryBackfill history(Venue venue, VenueFetcher responses) {
        return new HistoryBackfill(venue, responses, time, new Random(2), List.of(), output, events);
    }

    /** When a request went out, by its name with its key. */
    List<Long> times(String name) {
        return sent.stream()
                .filter(request -> request.name().equals(name))
                .map(Sent::atMs)
                .toList();
    }
}
