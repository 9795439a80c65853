package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.gateway.core.Completeness;
import io.fundingobservatory.gateway.core.PairRanking;
import io.fundingobservatory.gateway.core.Rhythm;
import io.fundingobservatory.gateway.core.Snapshot;
import io.fundingobservatory.gateway.core.VenueRows;
import io.fundingobservatory.topics.CarryTable;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.VenueQuality;
import io.fundingobservatory.topics.VenueStatus;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns what changed in the tables into the next snapshot. It keeps its own copy of every row, so that ages are told on and the
 * last list is served on while the tables are away. One thread uses it.
 */
final class SnapshotPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotPublisher.class);

    /** Every settlement changes a pair; all of them are ranked anew no more often than this. */
    private static final long RANKING_LASTS_MS = 5_000;

    private final Changes changes;
    private final InstantSource clock;
    private final long firstListDeadlineMs;
    private final Map<String, Collection<Rate>> rows = new HashMap<>();
    private final Map<String, VenueRows> fragments = new HashMap<>();
    private Map<String, VenueStatus> statuses = Map.of();
    private Map<String, VenueQuality> qualities = Map.of();
    private final Map<String, CarryTable> pairTables = new HashMap<>();
    private final Rhythm rhythm = new Rhythm();
    private @Nullable PairRanking carry;
    private long rankAgainMs;
    private @Nullable Tables merged;
    private Set<String> toMerge = Set.of();
    private long generatedMs;
    private boolean heldBack;

    SnapshotPublisher(Changes changes, InstantSource clock, long firstListDeadlineMs) {
        this.changes = changes;
        this.clock = clock;
        this.firstListDeadlineMs = firstListDeadlineMs;
    }

    /**
     * The next snapshot.
     *
     * @param tables the tables; null while they are away
     * @param last what is served now; null before the first
     * @return what is to be served from now on: null as long as the first list is not complete, the last one when the new one
     *     would be empty
     */
    @Nullable
    Snapshot next(@Nullable Tables tables, @Nullable Snapshot last) {
        // A clock that is set back does not take the generation time with it.
        generatedMs = Math.max(generatedMs, clock.millis());
        Set<String> changed = tables == null ? Set.of() : take(tables, last == null);
        for (ListedVenue venue : ListedVenue.ALL) {
            VenueRows before = fragments.get(venue.id());
            if (before == null || changed.contains(venue.id()) || !before.holdsAt(generatedMs)) {
                fragments.put(
                        venue.id(), VenueRows.of(venue.id(), rows.getOrDefault(venue.id(), List.of()), generatedMs));
            }
        }
        if (last == null
                && !Completeness.firstListReady(fragments, statuses.values(), generatedMs >= firstListDeadlineMs)) {
            return null;
        }
        Snapshot next = Snapshot.of(generatedMs, rhythm.next(generatedMs), fragments, statuses, qualities, carry);
        if (next.rows() == 0 && last != null) {
            if (!heldBack) {
                LOG.warn(
                        "no row is young enough to be shown; the last list is served on with its age rows={}",
                        last.rows());
            }
            heldBack = true;
            return last;
        }
        heldBack = false;
        if (last == null) {
            changes.lookAgain();
        }
        return next;
    }

    private Set<String> take(Tables tables, boolean first) {
        if (tables != merged) {
            merged = tables;
            toMerge = new HashSet<>(rows.keySet());
            ListedVenue.ALL.forEach(venue -> changes.rowsOf(venue.id()));
            changes.statuses();
            tables.assets().forEach(changes::pairsOf);
        }
        try {
            return takeFrom(tables, first);
        } catch (RuntimeException e) {
            // What could not be read is read with the next tables, all of it.
            merged = null;
            throw e;
        }
    }

    private Set<String> takeFrom(Tables tables, boolean first) {
        if (changes.takeStatuses()) {
            var known = new HashMap<>(statuses);
            known.putAll(tables.statuses());
            statuses = known;
            qualities = tables.qualities();
        }
        // The first list does not wait for its pairs.
        if (!first && generatedMs >= rankAgainMs) {
            rank(tables, changes.takeAssets());
        }
        Set<String> venues = changes.takeVenues();
        for (String venue : venues) {
            List<Rate> fresh = tables.rowsOf(venue);
            rows.put(venue, toMerge.remove(venue) ? merged(rows.getOrDefault(venue, List.of()), fresh) : fresh);
        }
        return venues;
    }

    /** A topic that was lost leaves the last ranking standing; its window says how old it is. */
    private void rank(Tables tables, Set<String> assets) {
        for (String asset : assets) {
            CarryTable pairs = tables.pairsOf(asset, pairTables.get(asset));
            if (pairs == null) {
                pairTables.remove(asset);
            } else {
                pairTables.put(asset, pairs);
            }
        }
        if (!assets.isEmpty() && !pairTables.isEmpty()) {
            carry = PairRanking.of(pairTables.values());
            rankAgainMs = generatedMs + RANKING_LASTS_MS;
        }
    }

    /** Tables that were opened anew may hold less than is shown, on a topic that was lost: rows then go by age alone. */
    private static Collection<Rate> merged(Collection<Rate> shown, Collection<Rate> fresh) {
        var newest = new HashMap<String, Rate>();
        shown.forEach(row -> newest.put(row.symbol(), row));
        fresh.forEach(row -> newest.merge(row.symbol(), row, (a, b) -> b.observedAtMs() >= a.observedAtMs() ? b : a));
        return newest.values();
    }
}
