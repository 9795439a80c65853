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

    /** Looks at what has arrived; rows have their ages as of {@code nowMs}, epoch ms UTC. */
    public static Completeness of(Map<String, VenueRows> rows, Map<String, PublishedStatus> statuses, long nowMs) {
        var silent = new TreeSet<String>();
        var rowsMissing = new TreeSet<String>();
        var unreachable = new TreeMap<String, String>();
        boolean readers = false;
        for (ListedVenue venue : ListedVenue.ALL) {
            String id = venue.id();
            PublishedStatus published = statuses.get(id);
            if (published == null) {
                // It may still get one: only silence until the deadline counts as a response.
                silent.add(id);
                continue;
            }
            VenueStatus status = published.status();
            if (status.rateKind() == null) {
                continue;
            }
            readers = true;
            VenueRows known = rows.get(id);
            Long success = status.lastSuccessMs();
            Long promised = status.symbols();
            boolean responded = success != null && promised != null;
            // Without a reason it has not been polled yet, or the last success is that of a former run.
            boolean explained = status.reason() != null || (!responded && status.lastAttemptMs() != null);
            boolean recent = success != null && promised != null && nowMs - success <= Rate.STALE_AFTER_MS;
            if (nowMs - published.publishedAtMs() > STATUS_LASTS_MS || !(recent || explained)) {
                silent.add(id);
            } else if (!recent) {
                unreachable.put(id, Objects.requireNonNullElse(status.reason(), "no response"));
            } else if ((known == null ? 0 : known.fresh()) < Objects.requireNonNull(promised)) {
                rowsMissing.add(id);
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
}
