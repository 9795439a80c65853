package io.fundingobservatory.standalone.exchanges;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.HttpExchange;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.VenueHttpClient;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.poll.VenueFetcher;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.topics.records.Quote;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes an exchange's requests once, within a fifth of its published limits, and reads the responses as a poll does. */
public final class VenueProbe {
    private static final long HISTORY_SPAN_MS = Duration.ofDays(3).toMillis();

    private final Venue venue;
    private final VenueHttpClient exchanges;
    private final @Nullable Recording recording;
    private final Time time = Time.real(InstantSource.system());
    private final List<ProbeResult.Request> requests = new ArrayList<>();
    private final Map<String, Double> used = new TreeMap<>();

    /**
     * A probe that has not polled.
     *
     * @param recording where the bodies of responses are written; null: nowhere
     */
    public VenueProbe(Venue venue, VenueHttpClient exchanges, @Nullable Recording recording) {
        this.venue = venue;
        this.exchanges = exchanges;
        this.recording = recording;
    }

    /**
     * Polls the venue once.
     *
     * @param forKeys how long the requests for single symbols may take where they are needed
     * @param histories for how many contracts settled history is requested
     */
    public ProbeResult probe(Duration forKeys, int histories) throws InterruptedException {
        long begun = time.elapsedMs();
        var responses = new VenueFetcher(venue, this::fetch, time, new Random(), usage());
        PollResponses polled = responses.poll(forKeys);
        var problems = new ArrayList<>(polled.missing());
        Rows rows = read(polled.responses(), problems);
        history(responses, polled.responses(), rows, histories, problems);
        Map.Entry<String, Double> most =
                used.entrySet().stream().max(Map.Entry.comparingByValue()).orElse(Map.entry("", 0.0));
        return new ProbeResult(
                venue.spec().id(),
                rows.quotes().size(),
                rows.skippedByReason(),
                List.copyOf(requests),
                List.copyOf(problems),
                time.elapsedMs() - begun,
                most.getKey(),
                (int) Math.ceil(most.getValue() * 100));
    }

    /** The largest part of each limit that was in use at any moment, in that limit's own window. */
    private IngestEvents usage() {
        return new IngestEvents() {
            @Override
            public void drawn(String of, String pool, double fraction) {
                used.merge(pool, fraction, Math::max);
            }
        };
    }

    private Rows read(VenueResponses responses, List<String> problems) {
        var rows = new Rows(venue.spec(), time.nowMs());
        try {
            venue.read(responses, rows);
            return rows;
        } catch (RuntimeException e) {
            problems.add(problem(e));
        }
        return new Rows(venue.spec(), time.nowMs());
    }

    private static String problem(RuntimeException e) {
        return e instanceof Skip skip
                ? "its responses are not as documented: " + skip.reason()
                : "its poll broke off: " + e;
    }

    private void history(VenueFetcher responses, VenueResponses at, Rows rows, int contracts, List<String> problems)
            throws InterruptedException {
        List<History> declared = venue.spec().history();
        if (declared == null || contracts == 0) {
            return;
        }
        for (History history : declared) {
            // of an exchange with two books the second one's contracts come last
            List<Quote> quotes = history.equals(declared.getFirst())
                    ? rows.quotes()
                    : rows.quotes().reversed();
            List<String> keys = keys(history, quotes, at, problems);
            for (String key : keys.subList(0, Math.min(contracts, keys.size()))) {
                Duration span = history.longest();
                long spanMs = span == null ? HISTORY_SPAN_MS : Math.min(HISTORY_SPAN_MS, span.toMillis());
                VenueRequest call = VenueRequest.of(history, key, time.nowMs() - spanMs, time.nowMs(), 1, "");
                if (!responses
                        .send(call, history.name(), Duration.ofSeconds(20))
                        .isSent()) {
                    return;
                }
            }
        }
    }

    private static List<String> keys(History history, List<Quote> quotes, VenueResponses at, List<String> problems) {
        if (history.keys() == null) {
            return quotes.stream().map(Quote::symbol).toList();
        }
        try {
            return List.copyOf(history.keys().apply(at).keySet());
        } catch (RuntimeException e) {
            problems.add(problem(e));
            return List.of();
        }
    }

    private FetchResult fetch(Venue of, VenueRequest call) throws InterruptedException {
        var sent = new ArrayList<HttpExchange>();
        FetchResult fetched = exchanges.fetch(of, call, sent::add);
        for (HttpExchange exchange : sent) {
            requests.add(new ProbeResult.Request(
                    call.name(),
                    exchange.status(),
                    exchange.body().length,
                    exchange.took().toMillis(),
                    reason(fetched)));
            if (recording != null && fetched instanceof FetchResult.Received) {
                recording.write(of.spec().id(), call.name(), exchange);
            }
        }
        return fetched;
    }

    private static @Nullable String reason(FetchResult fetched) {
        return fetched instanceof FetchResult.Received ? null : fetched.reason();
    }
}
