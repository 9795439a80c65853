package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.Query;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known at one instant, complete and immutable, with the whole list prepared in every
 * coding. Other responses are prepared on their first request and kept as long as the snapshot is served.
 */
public final class Snapshot {
    /** Caches count whole seconds, and from the arrival of a response. */
    private static final long CACHE_ROUNDING_S = 2;

    /**
     * A cache waits so long for gateways that do not respond, then shows the last response. By {@code deploy/nginx/gateway.conf} the second
     * one is tried within 2 s, and has 1 s to connect and 10 s to respond.
     */
    static final long SILENCE_S = 13;

    private static final int PREPARED = 256;
    /** A larger response is rendered again for each request. */
    private static final long PREPARED_BYTES = 4L << 20;

    private static final List<Source> NOT_LIVE_WINS = List.of(Source.LIVE, Source.REPLAY, Source.SIMULATED);

    private final long generatedAtMs;
    private final long nextAtMs;
    private final TreeMap<String, VenueState> venues = new TreeMap<>();
    private final @Nullable Source source;
    private final @Nullable PairRanking ranking;
    private final Content wholeList;
    private final long unmarkedUntilMs;
    private final Map<List<Boolean>, Content> commonLists = new HashMap<>();
    /** Responses by what they respond to. The one that has not been requested for longest makes room: no client keeps those of others out. */
    private final SequencedMap<Object, Content> prepared = new LinkedHashMap<>(16, 0.75f, true);

    private long preparedBytes;
    private boolean retired;

    /**
     * A snapshot of the venues {@code listed}; what is known of others is left out.
     *
     * @param generatedAtMs the instant as of which the rows' ages were computed, epoch ms UTC
     * @param nextAtMs when the next one is published, epoch ms UTC
     * @param ranking null as long as there is no table of pairs
     */
    public Snapshot(
            List<ListedVenue> listed,
            long generatedAtMs,
            long nextAtMs,
            Map<String, VenueRows> rows,
            Map<String, VenueStatus> statuses,
            Map<String, VenueQuality> qualities,
            @Nullable PairRanking ranking) {
        this.generatedAtMs = generatedAtMs;
        this.nextAtMs = nextAtMs;
        this.ranking = ranking;
        for (ListedVenue venue : listed) {
            VenueRows known = venue.isClosed(generatedAtMs) ? null : rows.get(venue.id());
            venues.put(
                    venue.id(),
                    new VenueState(
                            venue,
                            generatedAtMs,
                            known == null ? new VenueRows(venue.id(), List.of(), generatedAtMs, null) : known,
                            statuses.get(venue.id()),
                            qualities.get(venue.id())));
        }
        this.source = venues.values().stream()
                .map(VenueState::status)
                .filter(Objects::nonNull)
                .map(VenueStatus::source)
                .max(Comparator.comparingInt(NOT_LIVE_WINS::indexOf))
                .orElse(null);
        this.unmarkedUntilMs = venues.values().stream()
                        .flatMap(state -> state.rows().rows().stream())
                        .filter(row -> !row.rate().stale())
                        .mapToLong(row -> row.rate().observedAtMs())
                        .min()
                        .orElse(generatedAtMs)
                + Rate.STALE_AFTER_MS;
        // Every list of whole exchanges is joined of these; on a start they are all new, hence side by side.
        venues.values().parallelStream()
                .filter(VenueState::present)
                .forEach(state -> state.rows().part(false));
        this.wholeList = latest(Scope.DEFAULT, RowForm.WHOLE);
    }

    /** When it was put together, epoch ms UTC: never before the one that was served before it. */
    public long generatedAtMs() {
        return generatedAtMs;
    }

    /**
     * The date that requests are compared with, epoch ms UTC. Null after a clock was set back: until it has caught up, snapshots with
     * different rows have the same time of generation.
     */
    public @Nullable Long modifiedMs() {
        return nextAtMs > generatedAtMs ? generatedAtMs : null;
    }

    /**
     * How long a cache may show a response, as {@code Cache-Control} has it, in seconds. {@code max-age}: the whole seconds until the next
     * snapshot, at least 1; a clock that was set back makes it no longer than one interval. The other two end before the first row needs its
     * mark (RFC 5861). {@code stale-while-revalidate} is one interval at most. {@code stale-if-error} leaves time to wait for gateways.
     */
    public String cacheControl(long nowMs) {
        long intervalS = Math.max(1, Math.floorDiv(nextAtMs - generatedAtMs, 1_000L));
        long maxAgeS = Math.clamp(Math.floorDiv(nextAtMs - nowMs, 1_000L), 1, intervalS);
        long unmarkedS = Math.floorDiv(unmarkedUntilMs - nowMs, 1_000L) - maxAgeS - CACHE_ROUNDING_S;
        long errorS = Math.clamp(unmarkedS - SILENCE_S, 0, Rate.STALE_AFTER_MS / 1_000);
        return "public, max-age=" + maxAgeS + ", stale-while-revalidate=" + Math.clamp(unmarkedS, 0, intervalS)
                + ", stale-if-error=" + errorS;
    }

    public int rows() {
        return venues.values().stream().mapToInt(state -> state.rows().size()).sum();
    }

    /** When the newest row of each venue was observed, epoch ms UTC; a venue without rows is not there. */
    public Map<String, Long> newestObservations() {
        var newest = new TreeMap<String, Long>();
        venues.forEach((venue, state) -> state.rows().rows().stream()
                .mapToLong(row -> row.rate().observedAtMs())
                .max()
                .ifPresent(ms -> newest.put(venue, ms)));
        return newest;
    }

    public int coverage() {
        return coverage(Scope.ALL);
    }

    /** Exchanges of a scope with a row, whatever else it names. */
    int coverage(Scope scope) {
        return (int) states(scope).stream().filter(VenueState::present).count();
    }

    /** Exchanges of a scope with a row of what it names. */
    private int matched(Scope scope) {
        return (int) states(scope).stream()
                .filter(state -> !state.rows().rows(scope).isEmpty())
                .count();
    }

    /** Where the values come from: live, simulated or replayed exchanges; null until one has reported. */
    public @Nullable Source source() {
        return source;
    }

    /** The ranking of pairs; null as long as there is none. */
    public @Nullable PairRanking ranking() {
        return ranking;
    }

    /** What the rows of a scope lack. */
    public Missing missing(Scope scope) {
        return Missing.of(states(scope), scope);
    }

    /** The state of a venue; null where it is not listed. */
    @Nullable
    VenueState state(String venue) {
        return venues.get(venue);
    }

    List<VenueState> states(Scope scope) {
        return scope.venues().stream().map(venues::get).filter(Objects::nonNull).toList();
    }

    /** The scope of requested names; a name is known when the observation or the ranking of pairs has it. */
    public Scope scope(Query query) {
        return Scope.of(query, this::hasAsset, this::hasSymbol);
    }

    private boolean hasAsset(String upperCase) {
        return venues.values().stream().anyMatch(state -> state.rows().hasAsset(upperCase))
                || (ranking != null && ranking.assets().contains(upperCase));
    }

    private boolean hasSymbol(String upperCase) {
        return venues.values().stream().anyMatch(state -> state.rows().hasSymbol(upperCase));
    }

    /**
     * This snapshot is not served any more: releases the buffers of what the next one does not share. Requests that are still rendered of it
     * get buffers of their own.
     */
    public void retire(Snapshot next) {
        venues.forEach((venue, state) -> {
            VenueState after = next.venues.get(venue);
            if (after == null || after.rows() != state.rows()) {
                state.rows().close();
            }
        });
        synchronized (this) {
            retired = true;
            commonLists.values().forEach(Content::close);
        }
    }

    /**
     * The list of rates of a scope in a form. Those of the default scope and of all venues, as whole rows and as columns, are there once
     * for each snapshot.
     */
    public Content latest(Scope scope, RowForm form) {
        var page = new LatestPage(this, scope, form);
        if (!page.isCommon()) {
            return page.list();
        }
        synchronized (this) {
            Content list = commonLists.computeIfAbsent(List.of(scope.named(), form.columns()), key -> page.list());
            if (retired) {
                list.close();
            }
            return list;
        }
    }

    /** The list of the default scope, plain. */
    public Content wholeList() {
        return wholeList;
    }

    /** The response of a key; null where it is not made, or not kept. */
    public @Nullable Content prepared(Object key) {
        synchronized (prepared) {
            return prepared.get(key);
        }
    }

    /** Keeps a response as long as there is room. Returns the one to be sent: that of another thread where it was earlier. */
    public Content keep(Object key, Content made) {
        if (made.ownBytes() > PREPARED_BYTES) {
            return made;
        }
        synchronized (prepared) {
            Content earlier = prepared.putIfAbsent(key, made);
            if (earlier != null) {
                return earlier;
            }
            preparedBytes += made.ownBytes();
            while (prepared.size() > PREPARED || preparedBytes > PREPARED_BYTES) {
                preparedBytes -= prepared.pollFirstEntry().getValue().ownBytes();
            }
            return made;
        }
    }

    /** The envelope of a response with so many rows; {@code scope} is null where it concerns every listed venue, whatever is requested. */
    public Envelope envelope(@Nullable Scope scope, int rows, Map<String, String> units, Missing missing) {
        if (source == null) {
            missing.and("meta.source", "no exchange has reported yet");
        }
        var requested = scope == null
                ? null
                : new Envelope.Requested(scope, matched(scope), scope.meant(this::hasAsset, this::hasSymbol));
        int covered = coverage(scope == null ? Scope.ALL : scope);
        return new Envelope(generatedAtMs, source, covered, rows, units, missing, requested);
    }
}
