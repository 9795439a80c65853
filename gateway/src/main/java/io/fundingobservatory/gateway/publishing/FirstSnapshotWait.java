package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.gateway.core.rows.Completeness;
import io.fundingobservatory.gateway.core.rows.PublishedStatus;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.tables.StreamsProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
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
 */
final class FirstSnapshotWait {
    private static final Logger LOG = LoggerFactory.getLogger(FirstSnapshotWait.class);

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
        Completeness arrived = Completeness.of(rows, statuses, nowMs);
        // The deadline runs from the first row of pollers that run now: until then there is nothing that could be
        // shown.
        if (begunMs == null && arrived.begun()) {
            begunMs = nowMs;
        }
        Long begun = begunMs;
        boolean late = begun != null && nowMs - begun >= deadlineMs;
        var behind = new TreeSet<>(arrived.rowsMissing());
        behind.removeIf(venue ->
                Objects.requireNonNull(statuses.get(venue)).publishedAtMs() + QUOTES_WITHIN_MS <= known.untilMs());
        var processed = new TreeSet<>(arrived.rowsMissing());
        if (!late || !known.failing()) {
            processed.removeAll(behind);
        }
        if (begun != null && arrived.firstListReady(processed, late)) {
            if (late && !(arrived.silent().isEmpty() && behind.isEmpty())) {
                LOG.warn(
                        "first snapshot is published incomplete after a wait waited_s={} silent={} rows_missing={}",
                        deadlineMs / 1_000,
                        new TreeSet<>(arrived.silent()),
                        behind);
            }
            return true;
        }
        progressNeeded |= !behind.isEmpty() && (late || arrived.silent().isEmpty());
        waitingFor =
                statuses.isEmpty() ? "no venue has been polled yet" : waitingFor(arrived, behind, known.quotesBehind());
        return false;
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
}
