package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.snapshot.PairRanking;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.publishing.Tables.PublishedStatus;
import io.fundingobservatory.topics.ListedVenue;
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
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the tables into the next snapshot. It reads the rows of venues that have changed. While the tables are away, the rows that are shown
 * continue to age. One thread uses it.
 */
final class SnapshotPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotPublisher.class);

    private static final PairRanking NO_PAIRS = PairRanking.none("no table of 30-day pairs has been published yet");
    private static final PairRanking UNREADABLE =
            PairRanking.none("the tables of 30-day pairs cannot be read now; the service keeps trying");

    private final Tables tables;
    private final InstantSource clock;
    private final long intervalMs;
    private final FirstSnapshotWait firstList;
    private final Map<String, VenueRows> rows = new HashMap<>();
    private Map<String, PublishedStatus> statuses = Map.of();
    private Map<String, VenueQuality> qualities = Map.of();
    private @Nullable PairRanking ranking;
    private final Set<String> outdated = new HashSet<>();
    private boolean waiting;

    /**
     * Publishes at multiples of an interval of 1 to 10 whole seconds in wall-clock time, counted from 1970-01-01T00:00:00Z. All gateways
     * with the same setting do so at the same instants, and a cache in front of them keeps one list.
     */
    SnapshotPublisher(
            Tables tables,
            InstantSource clock,
            Duration interval,
            Duration firstListDeadline,
            Supplier<StreamsProgress.Known> progress) {
        this.tables = tables;
        this.clock = clock;
        this.intervalMs = interval.toMillis();
        this.firstList = new FirstSnapshotWait(firstListDeadline, progress);
    }

    /**
     * Creates the snapshot to serve from now on.
     *
     * @param open whether the tables have everything that was committed; otherwise the rows that are shown age
     * @param last what is served now; null before the first
     * @return null as long as the first one is not complete; the last one when the new one would be empty, or of the same interval
     */
    @Nullable
    Snapshot next(boolean open, @Nullable Snapshot last) {
        long nowMs = clock.millis();
        // The first one too: else a client of two gateways sees the time go back when one of them is started again.
        // Ages are taken from the clock unchanged; the time of generation never falls behind what was published.
        long asOfMs = atOrBefore(nowMs);
        long generatedAtMs = last == null ? asOfMs : Math.max(last.generatedAtMs(), asOfMs);
        if (last == null) {
            firstList.update();
        } else if (generatedAtMs == last.generatedAtMs() && generatedAtMs < after(nowMs)) {
            // Too early, as after a small step of the clock: two lists of one time would share the date that caches
            // compare.
            return last;
        }
        if (open) {
            statuses = tables.statuses();
            qualities = tables.qualities();
            outdated.addAll(tables.takeChangedVenues());
        }
        // On a start all of them are new, hence side by side.
        rows.putAll(ListedVenue.ALL.parallelStream()
                .map(ListedVenue::id)
                .filter(venue -> (open && outdated.contains(venue)) || !holds(venue, asOfMs))
                .collect(Collectors.toMap(
                        venue -> venue,
                        venue -> new VenueRows(
                                venue, open ? tables.rowsOf(venue) : shown(venue), asOfMs, rows.get(venue)))));
        if (open) {
            // Kept until their rows are made: a failure in between loses no change.
            outdated.clear();
        }
        if (last == null && !firstList.isOver(rows, statuses, nowMs)) {
            return null;
        }
        Snapshot next =
                new Snapshot(ListedVenue.ALL, generatedAtMs, after(nowMs), rows, plain(statuses), qualities, ranking);
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

    private long atOrBefore(long nowMs) {
        return Math.floorDiv(nowMs, intervalMs) * intervalMs;
    }

    /** The first snapshot time after an instant, both epoch ms UTC. */
    long after(long nowMs) {
        return atOrBefore(nowMs) + intervalMs;
    }

    private boolean holds(String venue, long asOfMs) {
        VenueRows made = rows.get(venue);
        return made != null && made.holdsAt(asOfMs);
    }

    private List<EncodedRow> shown(String venue) {
        VenueRows made = rows.get(venue);
        return made == null ? List.of() : made.rows();
    }

    private static Map<String, VenueStatus> plain(Map<String, PublishedStatus> statuses) {
        var plain = new HashMap<String, VenueStatus>();
        statuses.forEach((venue, published) -> plain.put(venue, published.status()));
        return plain;
    }

    /** What the first snapshot waits for, in a line; any thread may call it. */
    String waitingFor() {
        return firstList.waitingFor();
    }

    /**
     * Ranks the pairs whose tables have changed, for the next snapshot. The first ranking is made when all tables are there: one of some of
     * them would look like one of all. Where there is none, or the topic cannot be read, the ranking is empty and says why. A topic that was
     * lost leaves the last ranking unchanged; its window says how old it is.
     */
    void rank(TableFollower.State state) {
        boolean ranked = ranking != null && ranking.whyNone() == null;
        if (state == TableFollower.State.FAILED && !ranked) {
            ranking = UNREADABLE;
        }
        if (state != TableFollower.State.OPEN) {
            return;
        }
        boolean changed = tables.takePairsChanged();
        Collection<PairRanking.Table> pairs = tables.pairs();
        if (!pairs.isEmpty() && changed) {
            ranking = (ranking == null ? NO_PAIRS : ranking).with(pairs);
        } else if (!ranked) {
            ranking = NO_PAIRS;
        }
    }
}
