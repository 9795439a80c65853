package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.backfill.HistoryBackfill;
import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.poll.guards.VenueGuards;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.topics.records.PollCounts;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Polls one venue about once a minute until it is interrupted or the venue closes. Polls start at multiples of the poll interval after
 * the venue's own offset. Starts that pass while a poll runs are left out.
 */
public final class VenuePoller implements Runnable {
    private final GuardedReader reader;
    private final ResponseSource responses;
    private final Time time;
    private final PollPlan plan;
    private final long intervalMs;
    private final RandomGenerator random;
    private final @Nullable HistoryBackfill history;
    private final Publisher output;
    private final IngestEvents events;
    private final String venueId;
    private @Nullable PollCounts counts;
    /** When this poller last counted a poll, by {@link Time#elapsedMs()}; null before the first. */
    private @Nullable Long countedMs;

    private long historyFromMs;
    private long closesAtMs = Long.MAX_VALUE;

    public VenuePoller(
            Venue venue,
            Source source,
            VenueGuards guards,
            ResponseSource responses,
            Time time,
            Duration interval,
            RandomGenerator random,
            @Nullable VenueStatus before,
            @Nullable HistoryBackfill history,
            Publisher output,
            IngestEvents events) {
        this.reader = new GuardedReader(venue, source, guards, before);
        this.responses = responses;
        this.time = time;
        this.plan = new PollPlan(interval);
        this.intervalMs = interval.toMillis();
        this.random = random;
        this.history = history;
        this.output = output;
        this.events = events;
        this.venueId = venue.spec().id();
        if (before != null && before.source() == source) {
            responses.backoffs().resume(before.closedUntilMs());
            counts = before.pollCounts();
        }
    }

    /** Requests nothing from an instant on, epoch ms UTC, and ends. */
    public VenuePoller until(long epochMs) {
        closesAtMs = epochMs;
        return this;
    }

    @Override
    public void run() {
        try {
            poll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void poll() throws InterruptedException {
        historyFromMs = time.elapsedMs() + PollPlan.HISTORY_AFTER.toMillis();
        time.pause(plan.firstPoll(random));
        if (!isOpen()) {
            return;
        }
        long nextMs = once(plan.firstKeys()) + plan.secondPoll(random).toMillis();
        while (isOpen()) {
            long late = time.elapsedMs() - nextMs;
            if (late > 0) {
                nextMs += Math.ceilDiv(late, intervalMs) * intervalMs;
            }
            between(Math.min(nextMs - plan.quiet().toMillis(), time.elapsedMs() + untilClosing()));
            time.pause(left(nextMs));
            if (!isOpen()) {
                return;
            }
            once(plan.keys(isBehind()));
            nextMs += intervalMs;
        }
    }

    private boolean isBehind() {
        return history != null && history.isBehind();
    }

    private long untilClosing() {
        return Math.clamp(closesAtMs - time.nowMs(), 0, intervalMs);
    }

    private boolean isOpen() {
        return time.nowMs() < closesAtMs;
    }

    /** Makes one poll, with or without success; returns the moment at which it began. */
    private long once(Duration forKeys) throws InterruptedException {
        long begun = time.elapsedMs();
        PollResponses given = null;
        try {
            responses.slowKeyedRates(isBehind());
            given = responses.poll(forKeys);
            PollReport report = reader.read(
                    given,
                    history == null ? new SettlementGaps() : history.gaps(),
                    time.nowMs(),
                    Duration.ofMillis(time.elapsedMs() - begun));
            if (reader.doubtsLists()) {
                responses.doubtLists();
            }
            if (history != null && !report.quotes().isEmpty()) {
                history.live(report.quotes(), given.responses());
            }
            report(report);
        } catch (RuntimeException e) {
            // a declaration or a reader that throws is a bug, and it must cost its venue no more than this poll
            events.broke(venueId, "poll", e);
            report(reader.broken(e, given, time.nowMs(), Duration.ofMillis(time.elapsedMs() - begun)));
        }
        return begun;
    }

    /** Publishes a poll, unless the venue was given up meanwhile: another process polls it then. */
    private void report(PollReport report) {
        if (Thread.currentThread().isInterrupted()) {
            return;
        }
        VenueStatus status =
                report.status().withClosedUntil(responses.backoffs().untilMs());
        if (history != null) {
            status = history.isTotalKnown() ? status.withHistory(history.done(), history.total()) : status;
            status = status.withHistoryProblem(history.problem());
        }
        long nowMs = time.nowMs();
        long elapsedMs = time.elapsedMs();
        PollCounts before = counts == null ? PollCounts.since(nowMs) : counts;
        if (countedMs != null) {
            before = before.lastPolledAt(nowMs - (elapsedMs - countedMs));
        }
        countedMs = elapsedMs;
        PollCounts after = before.with(nowMs, newestMs(report));
        counts = before.with(nowMs, null);
        try {
            PollReport counted = report.withStatus(status.withPollCounts(after));
            boolean sent = output.publish(counted.quotes(), counted.status());
            if (sent) {
                counts = after;
            }
            events.polled(counted, sent, responses.backoffs().isBanned());
        } catch (RuntimeException e) {
            // what is done with a poll must not end the polling of its venue
            events.broke(venueId, "publish", e);
        }
    }

    private static @Nullable Long newestMs(PollReport report) {
        return report.quotes().stream()
                .map(Quote::observedAtMs)
                .max(Long::compare)
                .orElse(null);
    }

    /** Uses the time between two polls, for details and then for settled history, which has time. */
    private void between(long endMs) throws InterruptedException {
        try {
            responses.fetchDetails(PollPlan.details(left(endMs), isBehind()));
        } catch (RuntimeException e) {
            events.broke(venueId, "details", e);
        }
        try {
            if (history != null) {
                time.pause(left(Math.min(historyFromMs, endMs)));
                history.work(left(endMs));
            }
        } catch (RuntimeException e) {
            events.broke(venueId, "history", e);
        }
    }

    private Duration left(long endMs) {
        return Duration.ofMillis(Math.max(0, endMs - time.elapsedMs()));
    }
}
