package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.publishing.Tables.PublishedStatus;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when the first snapshot may be shown; the publisher's thread uses it. Venues that have not been polled delay it until the deadline.
 * Where one has fewer rows than its poll read, it waits while streams is behind, until the deadline only where Kafka does not report that.
 * Rejected quotes have no row and do not delay it.
 *
 * <p>After a stop the topics still hold a former run's records. Rows do not count once they have the age at which a row is marked stale.
 * Statuses do not count once they are older than two and a half polls. A running poller publishes one with every poll, also when it sent no
 * request.
 */
final class FirstSnapshotWait {
    private static final Logger LOG = LoggerFactory.getLogger(FirstSnapshotWait.class);

    /** A status this old is of a poller that runs no more. Polls are a minute apart, the first two up to 75 s. */
    private static final long STATUS_LASTS_MS = 150_000;

    /** A poll's quotes are sent before its status, to other partitions: within this long they are in the topic as well. */
    private static final long QUOTES_WITHIN_MS = 1_000;

    private static final int VENUES_NAMED = 10;

    private final long deadlineMs;
    private final Supplier<StreamsProgress.Known> progress;
    private StreamsProgress.Known known = StreamsProgress.Known.NOTHING;
    private boolean progressNeeded;
    private @Nullable Long begunMs;
    private volatile String waitingFor = "no venue has been polled yet";

    /** The deadline for venues that have not been polled runs from the first row on. Kafka reports {@code progress} once it is needed. */
    FirstSnapshotWait(Duration deadline, Supplier<StreamsProgress.Known> progress) {
        this.deadlineMs = deadline.toMillis();
        this.progress = progress;
    }

    /** Takes in how far streams has come; to be called before rows are taken from the tables, which hold them by then. */
    void update() {
        if (progressNeeded) {
            known = progress.get();
        }
    }

    /** Whether the first snapshot may be shown; rows have their ages as of {@code nowMs}. */
    boolean isOver(Map<String, VenueRows> rows, Map<String, PublishedStatus> statuses, long nowMs) {
        var silent = new TreeSet<String>();
        var behind = new TreeSet<String>();
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
            VenueRows shown = rows.get(id);
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
            } else if ((shown == null ? 0 : shown.fresh()) < Objects.requireNonNull(promised)
                    && published.publishedAtMs() + QUOTES_WITHIN_MS > known.untilMs()) {
                // Not processed by streams yet, as far as is known, or rejected.
                behind.add(id);
            }
        }
        // The deadline runs from the first row of pollers that run now: until then there is nothing that could be
        // shown.
        if (begunMs == null && rows.values().stream().anyMatch(shown -> shown.fresh() > 0)) {
            begunMs = nowMs;
        }
        boolean late = begunMs != null && nowMs - begunMs >= deadlineMs;
        boolean polled = late || (readers && silent.isEmpty());
        boolean processed = behind.isEmpty() || (late && known.failing());
        boolean any = rows.values().stream().anyMatch(shown -> shown.size() > 0);
        if (begunMs != null && any && polled && processed) {
            if (late && !(silent.isEmpty() && behind.isEmpty())) {
                LOG.warn(
                        "first snapshot is published incomplete after a wait waited_s={} silent={} rows_missing={}",
                        deadlineMs / 1_000,
                        silent,
                        behind);
            }
            return true;
        }
        progressNeeded |= !behind.isEmpty() && (late || silent.isEmpty());
        if (!statuses.isEmpty()) {
            waitingFor = waitingFor(silent, behind, unreachable, known.quotesBehind());
        }
        return false;
    }

    /** What the first snapshot waits for, in a line for clients and operators. */
    String waitingFor() {
        return waitingFor;
    }

    private static String waitingFor(
            SortedSet<String> silent, SortedSet<String> behind, Map<String, String> unreachable, long quotesBehind) {
        var reasons = new ArrayList<String>();
        if (!behind.isEmpty()) {
            reasons.add("streams is behind"
                    + (quotesBehind > 0 ? " by " + quotesBehind + " quotes" : "")
                    + "; rows are missing of " + first(behind));
        }
        if (!silent.isEmpty()) {
            reasons.add("not polled yet: " + first(silent));
        }
        if (!unreachable.isEmpty()) {
            reasons.add("cannot be reached: "
                    + unreachable.entrySet().stream()
                            .map(venue -> venue.getKey() + " (" + venue.getValue() + ")")
                            .collect(Collectors.joining(", ")));
        }
        return reasons.isEmpty() ? "no venue has a row" : String.join("; ", reasons);
    }

    private static String first(SortedSet<String> venues) {
        String named = venues.stream().limit(VENUES_NAMED).collect(Collectors.joining(", "));
        return venues.size() <= VENUES_NAMED ? named : named + " and " + (venues.size() - VENUES_NAMED) + " more";
    }
}
