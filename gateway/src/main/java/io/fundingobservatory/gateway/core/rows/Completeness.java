package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * State of the venues before the first snapshot, which is never empty.
 *
 * <p>After a stop the topics still hold a former run's records. Rows do not count once they have the age at which a row is marked stale.
 * Statuses do not count once they are older than two and a half polls. A running poller publishes one with every poll, once a minute, also when it sent no request.
 *
 * @param begun whether any row is young enough to be of pollers that run now
 * @param readers whether any venue has a reader
 * @param silent venues whose poller has not published a status in this run
 * @param rowsMissing venues with fewer rows than their last poll read: not processed by streams yet, or rejected
 * @param unreachable why polled venues have not responded for longer than the age at which a row becomes stale, by venue
 */
public record Completeness(
        boolean shown,
        boolean begun,
        boolean readers,
        Set<String> silent,
        Set<String> rowsMissing,
        SortedMap<String, String> unreachable) {
    /** A status this old is of a poller that runs no more. Polls are a minute apart, the first two up to 75 s. */
    static final long STATUS_LASTS_MS = 150_000;

    public Completeness {
        silent = Set.copyOf(silent);
        rowsMissing = Set.copyOf(rowsMissing);
        unreachable = Collections.unmodifiableSortedMap(new TreeMap<>(unreachable));
    }

    private enum Arrival {
        WHOLE,
        ROWS_MISSING,
        SILENT,
        UNREACHABLE
    }

    /** Looks at what has arrived; rows have their ages as of {@code nowMs}, epoch ms UTC. */
    public static Completeness of(Map<String, VenueRows> rows, Map<String, PublishedStatus> statuses, long nowMs) {
        var silent = new TreeSet<String>();
        var rowsMissing = new TreeSet<String>();
        var unreachable = new TreeMap<String, String>();
        boolean readers = false;
        for (ListedVenue venue : ListedVenue.ALL) {
            PublishedStatus published = statuses.get(venue.id());
            // A venue without a status may still get one: only silence until the deadline counts as a response.
            if (published == null) {
                silent.add(venue.id());
            } else if (published.status().rateKind() != null) {
                readers = true;
                VenueRows known = rows.get(venue.id());
                switch (arrival(published, known == null ? 0 : known.fresh(), nowMs)) {
                    case SILENT -> silent.add(venue.id());
                    case ROWS_MISSING -> rowsMissing.add(venue.id());
                    case UNREACHABLE ->
                        unreachable.put(
                                venue.id(),
                                Objects.requireNonNullElse(published.status().reason(), "no response"));
                    case WHOLE -> {}
                }
            }
        }
        return new Completeness(
                rows.values().stream().anyMatch(known -> known.size() > 0),
                rows.values().stream().anyMatch(known -> known.fresh() > 0),
                readers,
                silent,
                rowsMissing,
                unreachable);
    }

    /**
     * Whether a first snapshot may be shown.
     *
     * @param processed exchanges whose rows are all there, however many their poll read: streams has worked it off
     */
    public boolean firstListReady(Set<String> processed, boolean deadlinePassed) {
        return shown && (deadlinePassed || (readers && silent.isEmpty())) && processed.containsAll(rowsMissing);
    }

    private static Arrival arrival(PublishedStatus published, int freshRows, long nowMs) {
        VenueStatus status = published.status();
        if (nowMs - published.publishedAtMs() > STATUS_LASTS_MS) {
            return Arrival.SILENT;
        }
        Long success = status.lastSuccessMs();
        Long promised = status.symbols();
        if (success == null || promised == null) {
            // Polled without a response, or not to be polled now; without a reason it has not been polled yet.
            boolean tried = status.lastAttemptMs() != null || status.reason() != null;
            return tried ? Arrival.UNREACHABLE : Arrival.SILENT;
        }
        if (nowMs - success > Rate.STALE_AFTER_MS) {
            // The status of a venue without a response for so long has the reason: there is nothing to wait
            // for.
            return status.reason() != null ? Arrival.UNREACHABLE : Arrival.SILENT;
        }
        return freshRows >= promised ? Arrival.WHOLE : Arrival.ROWS_MISSING;
    }
}
