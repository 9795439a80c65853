package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.gateway.core.pairs.AssetPairs;
import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.PublishedStatus;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.SnapshotInterval;
import io.fundingobservatory.gateway.tables.Changes;
import io.fundingobservatory.gateway.tables.TableReader;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the changes of the tables into the next snapshot. It reads rows from the stores when a venue
 * has changed. While the tables are away, the rows that are shown continue to age. One thread uses it.
 */
final class SnapshotPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotPublisher.class);

    private static final PairRanking NO_PAIRS = PairRanking.none("no table of 30-day pairs has been published yet");

    private final Changes changes;
    private final InstantSource clock;
    private final SnapshotInterval interval;
    private final FirstSnapshotWait firstList;
    private final Map<String, VenueRows> rows = new HashMap<>();
    private Map<String, PublishedStatus> statuses = Map.of();
    private Map<String, VenueQuality> qualities = Map.of();
    private @Nullable PairRanking ranking;
    private @Nullable TableReader read;
    private long mergedUntilMs = Long.MIN_VALUE;
    private final Set<String> outdated = new HashSet<>();
    private boolean waiting;

    SnapshotPublisher(Changes changes, InstantSource clock, SnapshotInterval interval, Duration firstListDeadline) {
        this.changes = changes;
        this.clock = clock;
        this.interval = interval;
        this.firstList = new FirstSnapshotWait(firstListDeadline);
    }

    /**
     * Creates the snapshot to serve from now on.
     *
     * @param tables null while they are away
     * @param last what is served now; null before the first
     * @return null as long as the first one is not complete; the last one when the new one would be empty, or of the same interval
     */
    @Nullable
    Snapshot next(@Nullable TableReader tables, @Nullable Snapshot last) {
        long nowMs = clock.millis();
        // The first one too: else a client of two gateways sees the time go back when one of them is started again.
        // Ages are taken from the clock unchanged; the time of generation never falls behind what was published.
        long asOfMs = interval.atOrBefore(nowMs);
        long generatedAtMs = last == null ? asOfMs : Math.max(last.generatedAtMs(), asOfMs);
        if (last == null) {
            firstList.update(nowMs);
        } else if (generatedAtMs == last.generatedAtMs() && generatedAtMs < interval.after(nowMs)) {
            // Too early, as after a small step of the clock: two lists of one time would share the date that caches
            // compare.
            return last;
        }
        // Kept until their rows are made: a failure in between loses no change.
        Map<String, List<EncodedRow>> fresh =
                tables == null ? Map.of() : changes.whileStill(() -> take(tables, asOfMs));
        // On a start all of them are new, hence side by side.
        rows.putAll(ListedVenue.ALL.parallelStream()
                .map(ListedVenue::id)
                .filter(venue -> fresh.containsKey(venue) || !holds(venue, asOfMs))
                .collect(Collectors.toMap(
                        venue -> venue,
                        venue -> VenueRows.ofTable(
                                venue, table(venue, fresh.get(venue), asOfMs), asOfMs, rows.get(venue)))));
        outdated.clear();
        if (last == null && !firstList.isOver(rows, statuses, tables, nowMs)) {
            return null;
        }
        Snapshot next = new Snapshot(
                ListedVenue.ALL, generatedAtMs, interval.after(nowMs), rows, plain(statuses), qualities, ranking);
        if (next.rows() == 0 && last != null) {
            if (!waiting) {
                LOG.warn("no row is young enough, the last snapshot is served with its age rows={}", last.rows());
            }
            waiting = true;
            return last;
        }
        waiting = false;
        return next;
    }

    private boolean holds(String venue, long asOfMs) {
        VenueRows shown = rows.get(venue);
        return shown != null && shown.holdsAt(asOfMs);
    }

    private static Map<String, VenueStatus> plain(Map<String, PublishedStatus> statuses) {
        var plain = new HashMap<String, VenueStatus>();
        statuses.forEach((venue, published) -> plain.put(venue, published.status()));
        return plain;
    }

    /** The rows of venues that have changed, or whose marks have. */
    private Map<String, List<EncodedRow>> take(TableReader tables, long asOfMs) {
        if (!tables.equals(read)) {
            boolean nothingShown =
                    rows.values().stream().allMatch(shown -> shown.rows().isEmpty());
            mergedUntilMs = nothingShown ? Long.MIN_VALUE : asOfMs + Rate.REMOVED_AFTER_MS;
            read = tables;
            readAll();
        }
        try {
            if (changes.takeStatuses()) {
                var known = new HashMap<>(statuses);
                known.putAll(tables.statuses());
                statuses = known;
                qualities = tables.qualities();
            }
            outdated.addAll(changes.takeVenues());
            return ListedVenue.ALL.parallelStream()
                    .map(ListedVenue::id)
                    .filter(venue -> outdated.contains(venue) || !holds(venue, asOfMs))
                    .collect(Collectors.toMap(venue -> venue, tables::rowsOf));
        } catch (RuntimeException e) {
            // What could not be read is read at the next attempt, all of it.
            readAll();
            throw e;
        }
    }

    private void readAll() {
        ListedVenue.ALL.forEach(venue -> outdated.add(venue.id()));
        changes.statuses();
    }

    /**
     * The rows of a venue at any age. Tables that were opened again may hold fewer rows than are shown, on a topic that was lost. For ten
     * minutes rows then go by age alone.
     *
     * @param fresh what the tables have; null while they are away
     */
    private Collection<EncodedRow> table(String venue, @Nullable List<EncodedRow> fresh, long asOfMs) {
        VenueRows shown = rows.get(venue);
        List<EncodedRow> before = shown == null ? List.of() : shown.rows();
        if (fresh == null) {
            return before;
        }
        if (asOfMs > mergedUntilMs) {
            return fresh;
        }
        var newest = new HashMap<String, EncodedRow>();
        before.forEach(row -> newest.put(row.rate().symbol(), row));
        fresh.forEach(row -> newest.merge(
                row.rate().symbol(),
                row,
                (a, b) -> b.rate().observedAtMs() >= a.rate().observedAtMs() ? b : a));
        return newest.values();
    }

    /** What the first snapshot waits for, in a line; any thread may call it. */
    String waitingFor() {
        return firstList.waitingFor();
    }

    boolean isRanked() {
        return ranking != null && ranking.whyNone() == null;
    }

    /**
     * Ranks the pairs whose tables have changed, for the snapshot after this. The first ranking is made when all tables are there: one of
     * some of them would look like one of all. Where there is none, or the topic cannot be read, the ranking is empty and says why. A topic
     * that was lost leaves the last ranking as it is; its window says how old it is.
     */
    void rank() {
        Changes.PairTables state = changes.pairTables();
        if (!isRanked() && state != Changes.PairTables.RESTORED) {
            if (state == Changes.PairTables.UNREADABLE) {
                ranking = PairRanking.none("the tables of 30-day pairs cannot be read now; the service keeps trying");
            }
            return;
        }
        boolean changed = changes.takePairs();
        List<AssetPairs> pairs = changes.pairs();
        if (pairs.isEmpty()) {
            ranking = isRanked() ? ranking : NO_PAIRS;
        } else if (changed) {
            ranking = (ranking == null ? NO_PAIRS : ranking).with(pairs);
        }
    }
}
