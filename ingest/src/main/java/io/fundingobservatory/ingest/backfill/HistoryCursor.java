package io.fundingobservatory.ingest.backfill;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.topics.records.SettledRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The position of a reading of one contract's history: its endpoint, and how far in its pages. Pure. */
final class HistoryCursor {
    private static final int MOST_PAGES = 100;

    /** What the sums over 30 days are made of, and a day more. */
    private static final Duration LEDGER = Duration.ofDays(31);

    private final List<Endpoint> endpoints;
    private final long fromMs;
    private final long toMs;
    private int at;
    private Window window;
    private Window page;
    private int pageNumber = 1;
    private String next = "";
    private boolean received;
    private boolean respondedHere;
    private boolean rowsHere;
    private @Nullable Long newestMs;
    private long oldestHereMs = Long.MAX_VALUE;
    private long newestHereMs = Long.MIN_VALUE;

    private record Window(long fromMs, long toMs) {}

    /** One of the endpoints that may have a contract's history, with the key that it takes. */
    record Endpoint(History history, String key) {
        /** Those of each live contract: an exchange has several endpoints when it has several books. */
        static Map<String, List<Endpoint>> bySymbol(
                List<History> histories, Set<String> live, VenueResponses responses) {
            var found = new HashMap<String, List<Endpoint>>();
            for (History history : histories) {
                Map<String, String> keys = history.keys() == null
                        ? live.stream().collect(toMap(identity(), identity()))
                        : history.keys().apply(responses);
                keys.forEach((key, symbol) -> {
                    if (live.contains(symbol)) {
                        found.computeIfAbsent(symbol, s -> new ArrayList<>()).add(new Endpoint(history, key));
                    }
                });
            }
            return found;
        }
    }

    /**
     * Covers the range from the first instant to the second, both included. A first instant in the future
     * follows a misread settlement. It does not show what has been read, so the whole ledger is read again.
     */
    HistoryCursor(List<Endpoint> endpoints, long fromMs, long toMs) {
        this.endpoints = List.copyOf(endpoints);
        this.fromMs = fromMs <= toMs ? fromMs : toMs - LEDGER.toMillis();
        this.toMs = toMs;
        this.window = first();
        this.page = window;
    }

    boolean hadEndpoints() {
        return !endpoints.isEmpty();
    }

    boolean hasMore() {
        return at < endpoints.size();
    }

    boolean gotResponse() {
        return received;
    }

    boolean isAmid() {
        return respondedHere;
    }

    /** The newest settlement seen in the range; null when there was none. */
    @Nullable
    Long newestMs() {
        return newestMs;
    }

    boolean covers(long settledMs) {
        return settledMs >= fromMs;
    }

    /** Whether the pages come oldest first, so that what has been read has no gap before its end. */
    boolean oldestFirst() {
        return hasMore() && !newerFirst();
    }

    History endpoint() {
        return endpoints.get(at).history();
    }

    VenueRequest request() {
        Endpoint current = endpoints.get(at);
        return VenueRequest.of(current.history(), current.key(), page.fromMs(), page.toMs(), pageNumber, next);
    }

    void refused() {
        nextEndpoint();
    }

    void received(Settlements read) {
        received = true;
        respondedHere = true;
        long[] instants = read.own().stream().mapToLong(SettledRate::settledMs).toArray();
        LongStream.of(instants)
                .filter(this::covers)
                .max()
                .ifPresent(max -> newestMs = newestMs == null ? max : Math.max(newestMs, max));
        rowsHere |= instants.length > 0;
        boolean another = hasAnother(read) && pageNumber < MOST_PAGES && advance(instants);
        pageNumber++;
        next = another && read.next() != null ? read.next() : "";
        if (!another && !advanceWindow()) {
            if (rowsHere) {
                at = endpoints.size();
            } else {
                nextEndpoint();
            }
        }
    }

    private boolean hasAnother(Settlements read) {
        return endpoint().paging() == History.Paging.NEXT
                ? read.next() != null
                : read.rows() >= endpoint().maxRows();
    }

    /** Moves to the next page; false when there is none or it would bring nothing new. */
    private boolean advance(long[] instants) {
        if (instants.length == 0) {
            return false;
        }
        long oldest = LongStream.of(instants).min().orElseThrow();
        long newest = LongStream.of(instants).max().orElseThrow();
        // an endpoint without pages returns the same one again
        boolean isNew = oldest < oldestHereMs || newest > newestHereMs;
        oldestHereMs = Math.min(oldestHereMs, oldest);
        newestHereMs = Math.max(newestHereMs, newest);
        return switch (endpoint().paging()) {
            case NONE -> false;
            case OLDER -> {
                boolean further = oldest > window.fromMs() && oldest - 1 < page.toMs();
                page = new Window(page.fromMs(), oldest - 1);
                yield further;
            }
            case NEWER -> {
                boolean further = newest < window.toMs() && newest + 1 > page.fromMs();
                page = new Window(newest + 1, page.toMs());
                yield further;
            }
            case PAGE, NEXT -> isNew && (instants[0] < instants[instants.length - 1] || oldest > fromMs);
        };
    }

    /** Moves to the next span of an endpoint that takes no longer one; false when the whole range has been requested. */
    private boolean advanceWindow() {
        Duration longest = endpoint().longest();
        boolean done = newerFirst() ? window.fromMs() <= fromMs : window.toMs() >= toMs;
        if (longest == null || done) {
            return false;
        }
        begin(
                newerFirst()
                        ? new Window(Math.max(fromMs, window.fromMs() - 1 - longest.toMillis()), window.fromMs() - 1)
                        : new Window(window.toMs() + 1, Math.min(toMs, window.toMs() + 1 + longest.toMillis())));
        return true;
    }

    private boolean newerFirst() {
        return endpoint().paging() != History.Paging.NEWER;
    }

    private Window first() {
        Duration longest = hasMore() ? endpoint().longest() : null;
        if (longest == null) {
            return new Window(fromMs, toMs);
        }
        return newerFirst()
                ? new Window(Math.max(fromMs, toMs - longest.toMillis()), toMs)
                : new Window(fromMs, Math.min(toMs, fromMs + longest.toMillis()));
    }

    private void begin(Window from) {
        window = from;
        page = from;
        pageNumber = 1;
        next = "";
        oldestHereMs = Long.MAX_VALUE;
        newestHereMs = Long.MIN_VALUE;
    }

    private void nextEndpoint() {
        at++;
        respondedHere = false;
        rowsHere = false;
        begin(first());
    }
}
