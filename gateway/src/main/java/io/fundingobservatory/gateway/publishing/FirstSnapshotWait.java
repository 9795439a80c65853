package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.gateway.core.rows.Completeness;
import io.fundingobservatory.gateway.core.rows.PublishedStatus;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.tables.LoggedOnce;
import io.fundingobservatory.gateway.tables.TableReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when the first snapshot may be shown; the publisher's thread uses it. Venues that have not been polled delay it until the deadline.
 * Where one has fewer rows than its poll read, it waits while streams is behind, until the deadline only where Kafka does not report that.
 * Rejected quotes have no row and do not delay it.
 */
final class FirstSnapshotWait {
    private static final Logger LOG = LoggerFactory.getLogger(FirstSnapshotWait.class);

    /** A poll's quotes are sent before its status, to other partitions: within this long they are in the topic as well. */
    private static final long QUOTES_WITHIN_MS = 1_000;

    /** Delay before the progress of streams is requested again, when Kafka did not report it. */
    private static final long REQUEST_AGAIN_MS = 1_000;

    private static final int VENUES_NAMED = 10;

    private final long deadlineMs;
    private final LoggedOnce failures = new LoggedOnce(LOG);
    private final Set<String> processed = new HashSet<>();
    private Set<String> requestedFor = Set.of();
    private @Nullable Future<?> request;
    private @Nullable Long begunMs;
    private boolean progressUnknown;
    private volatile String waitingFor = "no venue has been polled yet";
    private long requestAfterMs = Long.MIN_VALUE;

    /** The deadline for venues that have not been polled runs from the first row on. */
    FirstSnapshotWait(Duration deadline) {
        this.deadlineMs = deadline.toMillis();
    }

    /** Takes in what Kafka has said meanwhile; to be called before rows are taken from the tables, which hold them by then. */
    void update(long nowMs) {
        Future<?> response = request;
        if (response == null || !response.isDone()) {
            return;
        }
        request = null;
        if (response.state() == Future.State.SUCCESS) {
            processed.addAll(requestedFor);
            progressUnknown = false;
            failures.overIfFailed("it is known again how far streams has come");
        } else {
            requestAfterMs = nowMs + REQUEST_AGAIN_MS;
            if (response.state() == Future.State.FAILED) {
                progressUnknown = true;
                Throwable cause = response.exceptionNow();
                failures.warn(
                        "how far streams has come is not known; the first snapshot may wait for its deadline",
                        Objects.requireNonNullElse(cause.getCause(), cause));
            }
        }
    }

    /** Whether the first snapshot may be shown; rows have their ages as of {@code nowMs}, and tables are null while they are away. */
    boolean isOver(
            Map<String, VenueRows> rows,
            Map<String, PublishedStatus> statuses,
            @Nullable TableReader tables,
            long nowMs) {
        Completeness arrived = Completeness.of(rows, statuses, nowMs);
        // The deadline runs from the first row of pollers that run now: until then there is nothing that could be
        // shown.
        if (begunMs == null && arrived.begun()) {
            begunMs = nowMs;
        }
        Long begun = begunMs;
        boolean late = begun != null && nowMs - begun >= deadlineMs;
        var behind = new TreeSet<>(arrived.rowsMissing());
        behind.removeAll(processed);
        if (begun != null && arrived.firstListReady(processed, late)) {
            end(late ? arrived.silent() : Set.of(), Set.of());
            return true;
        }
        if (late && progressUnknown && arrived.firstListReady(arrived.rowsMissing(), true)) {
            end(arrived.silent(), behind);
            return true;
        }
        if (tables != null
                && request == null
                && nowMs >= requestAfterMs
                && (late || arrived.silent().isEmpty())) {
            request(behind, statuses, tables, nowMs);
        }
        waitingFor = statuses.isEmpty()
                ? "no venue has been polled yet"
                : waitingFor(arrived, behind, tables == null ? -1 : tables.quotesBehind());
        return false;
    }

    private void end(Set<String> silent, Set<String> rowsMissing) {
        if (request != null) {
            request.cancel(true);
            request = null;
        }
        if (!silent.isEmpty() || !rowsMissing.isEmpty()) {
            LOG.warn(
                    "first snapshot is published incomplete after a wait waited_s={} silent={} rows_missing={}",
                    deadlineMs / 1_000,
                    new TreeSet<>(silent),
                    rowsMissing);
        }
    }

    /** What the first snapshot waits for, in a line for clients and operators. */
    String waitingFor() {
        return waitingFor;
    }

    private static String waitingFor(Completeness arrived, SortedSet<String> behind, long quotesBehind) {
        var reasons = new ArrayList<String>();
        if (!behind.isEmpty()) {
            reasons.add("streams is behind"
                    + (quotesBehind > 0 ? " by " + quotesBehind + " quotes" : "")
                    + "; rows are missing of " + first(behind));
        }
        if (!arrived.silent().isEmpty()) {
            reasons.add("not polled yet: " + first(new TreeSet<>(arrived.silent())));
        }
        if (!arrived.unreachable().isEmpty()) {
            reasons.add("cannot be reached: "
                    + arrived.unreachable().entrySet().stream()
                            .map(venue -> venue.getKey() + " (" + venue.getValue() + ")")
                            .collect(Collectors.joining(", ")));
        }
        return reasons.isEmpty() ? "no venue has a row" : String.join("; ", reasons);
    }

    private static String first(SortedSet<String> venues) {
        String named = venues.stream().limit(VENUES_NAMED).collect(Collectors.joining(", "));
        return venues.size() <= VENUES_NAMED ? named : named + " and " + (venues.size() - VENUES_NAMED) + " more";
    }

    private void request(Set<String> behind, Map<String, PublishedStatus> statuses, TableReader tables, long nowMs) {
        var venues = new HashSet<String>();
        for (String venue : behind) {
            PublishedStatus published = statuses.get(venue);
            if (published != null && nowMs - published.publishedAtMs() >= QUOTES_WITHIN_MS) {
                venues.add(venue);
            }
        }
        if (!venues.isEmpty()) {
            requestedFor = venues;
            request = tables.quotesProcessed();
        }
    }
}
