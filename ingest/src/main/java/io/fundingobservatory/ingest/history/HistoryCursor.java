package io.fundingobservatory.ingest.history;

import io.fundingobservatory.ingest.fetching.Call;
import io.fundingobservatory.ingest.reading.History;
import io.fundingobservatory.ingest.reading.Settlements;
import io.fundingobservatory.topics.SettledRate;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Where the reading of one contract's history stands: at which address, and how far in its pages. Pure. */
final class HistoryCursor {
    private static final int MOST_PAGES = 100;

    private final List<HistoryAddress> places;
    private final long fromMs;
    private final long toMs;
    private int at;
    private long pageFromMs;
    private long pageToMs;
    private int page = 1;
    private boolean answered;
    private boolean rowsHere;
    private @Nullable Long newestMs;

    /** From the first instant to the second, both included. */
    HistoryCursor(List<HistoryAddress> places, long fromMs, long toMs) {
        this.places = List.copyOf(places);
        this.fromMs = fromMs;
        this.toMs = toMs;
        this.pageFromMs = fromMs;
        this.pageToMs = toMs;
    }

    boolean hadPlaces() {
        return !places.isEmpty();
    }

    boolean hasMore() {
        return at < places.size();
    }

    boolean wasAnswered() {
        return answered;
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
        return hasMore() && places.get(at).history().paging() == History.Paging.NEWER;
    }

    /** The address that is asked next. */
    History address() {
        return places.get(at).history();
    }

    Call call() {
        HistoryAddress place = places.get(at);
        return Call.of(place.history(), place.key(), pageFromMs, pageToMs, page);
    }

    /** This address does not know the contract: the next one may. */
    void refused() {
        next();
    }

    /** A page has been read. */
    void answered(Settlements read) {
        answered = true;
        List<SettledRate> settled = read.settled();
        long[] instants = settled.stream().mapToLong(SettledRate::settledMs).toArray();
        LongStream.of(instants)
                .filter(this::covers)
                .max()
                .ifPresent(max -> newestMs = newestMs == null ? max : Math.max(newestMs, max));
        rowsHere |= instants.length > 0;
        History history = places.get(at).history();
        // a row that is still to come is not among them
        boolean last = instants.length == 0
                || settled.size() + read.skipped().size() + 1 < history.maxRows()
                || ++page > MOST_PAGES;
        if (last || !turn(history.paging(), instants)) {
            if (rowsHere) {
                at = places.size();
            } else {
                next();
            }
        }
    }

    /** Turns to the next page; false when there is none or it would bring nothing new. */
    private boolean turn(History.Paging paging, long[] instants) {
        long oldest = LongStream.of(instants).min().orElseThrow();
        long newest = LongStream.of(instants).max().orElseThrow();
        return switch (paging) {
            case NONE -> false;
            case OLDER -> {
                boolean further = oldest > fromMs && oldest - 1 < pageToMs;
                pageToMs = oldest - 1;
                yield further;
            }
            case NEWER -> {
                boolean further = newest < toMs && newest + 1 > pageFromMs;
                pageFromMs = newest + 1;
                yield further;
            }
            case PAGE -> instants[0] < instants[instants.length - 1] || oldest > fromMs;
        };
    }

    private void next() {
        at++;
        pageFromMs = fromMs;
        pageToMs = toMs;
        page = 1;
        rowsHere = false;
    }
}
