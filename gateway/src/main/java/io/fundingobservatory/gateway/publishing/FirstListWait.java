package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.gateway.core.rows.Completeness;
import io.fundingobservatory.gateway.core.rows.PublishedStatus;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.tables.LoggedOnce;
import io.fundingobservatory.gateway.tables.TableReader;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when the first list may be shown. Where an exchange has fewer rows than its poll read, Kafka is asked how far streams has
 * come: what streams refused has no row, and is not waited for. The publisher's thread uses it.
 */
final class FirstListWait {
    private static final Logger LOG = LoggerFactory.getLogger(FirstListWait.class);

    /** A poll's quotes are sent before its status, to other partitions: within this long they are in the topic as well. */
    private static final long QUOTES_WITHIN_MS = 1_000;

    /** When Kafka did not say how far streams has come, it is asked again after this long. */
    private static final long ASK_AGAIN_MS = 1_000;

    private final long deadlineMs;
    private final LoggedOnce failures = new LoggedOnce(LOG);
    private final Set<String> processed = new HashSet<>();
    private Set<String> askedFor = Set.of();
    private @Nullable Future<?> asked;
    private @Nullable Long begunMs;
    private long askAfterMs = Long.MIN_VALUE;

    /**
     * A wait that has not begun.
     *
     * @param deadline how long the first list may wait for exchanges that have not arrived, from the first row on
     */
    FirstListWait(Duration deadline) {
        this.deadlineMs = deadline.toMillis();
    }

    /** Takes in what Kafka has said meanwhile; to be called before rows are taken from the tables, which hold them by then. */
    void update(long nowMs) {
        Future<?> answer = asked;
        if (answer == null || !answer.isDone()) {
            return;
        }
        asked = null;
        if (answer.state() == Future.State.SUCCESS) {
            processed.addAll(askedFor);
            failures.overIfFailed("it is known again how far streams has come");
        } else {
            askAfterMs = nowMs + ASK_AGAIN_MS;
            if (answer.state() == Future.State.FAILED) {
                Throwable cause = answer.exceptionNow();
                failures.warn(
                        "how far streams has come is not known; the first list may wait for its deadline",
                        Objects.requireNonNullElse(cause.getCause(), cause));
            }
        }
    }

    /**
     * Whether the first list may be shown.
     *
     * @param rows rows by venue, their ages told as of {@code nowMs}
     * @param statuses what each poller last said, by venue
     * @param tables the tables; null while they are away
     */
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
        if (begun == null) {
            return false;
        }
        if (arrived.firstListReady(processed, false)) {
            return true;
        }
        if (arrived.firstListReady(processed, nowMs - begun >= deadlineMs)) {
            Set<String> missing = new TreeSet<>(arrived.rowsMissing());
            missing.removeAll(processed);
            LOG.warn(
                    "the first list waited for {} s and is shown without silent={} rows_missing={}",
                    deadlineMs / 1_000,
                    arrived.silent(),
                    missing);
            return true;
        }
        if (tables != null
                && asked == null
                && nowMs >= askAfterMs
                && arrived.silent().isEmpty()) {
            ask(arrived.rowsMissing(), statuses, tables, nowMs);
        }
        return false;
    }

    private void ask(Set<String> rowsMissing, Map<String, PublishedStatus> statuses, TableReader tables, long nowMs) {
        var venues = new HashSet<String>();
        for (String venue : rowsMissing) {
            PublishedStatus published = statuses.get(venue);
            if (published != null
                    && nowMs - published.publishedAtMs() >= QUOTES_WITHIN_MS
                    && !processed.contains(venue)) {
                venues.add(venue);
            }
        }
        if (!venues.isEmpty()) {
            askedFor = venues;
            asked = tables.quotesProcessed();
        }
    }
}
