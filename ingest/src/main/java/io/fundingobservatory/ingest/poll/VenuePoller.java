package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.backfill.HistoryBackfill;
import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.poll.guards.Guards;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.topics.records.PollCounts;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Polls one venue about once a minute until it is interrupted or the venue closes. Every poll starts on the venue's own beat; a poll that overruns
 * lets beats pass, it is never caught up with.
 */
public final class VenuePoller implements Runnable {
    /** Every venue's first poll starts within this time, so that an empty cluster fills quickly and not in one go. */
    private static final long FIRST_WITHIN_MS = 4_000;

    /** Settled history begins so long after the start: the first values of all venues come first. */
    private static final long FIRST_LISTS_MS = 20_000;

    private static final int FIRST_KEYS_SHARE = 6;
    private static final int SPREAD_SHARE = 4;

    /** The part of a minute in which values may be asked symbol by symbol; less while settled rates wait to be read. */
    private static final int KEYS_PERCENT = 75;

    private static final int SHARED_KEYS_PERCENT = 60;

    private final PollResultBuilder interpreter;
    private final ResponseSource responses;
    private final Time time;
    private final long intervalMs;
    private final RandomGenerator random;
    private final @Nullable HistoryBackfill history;
    private final PollListener listener;
    private @Nullable PollCounts counts;
    private long historyFromMs;
    private long closesAtMs = Long.MAX_VALUE;

    public VenuePoller(
            Venue venue,
            Source source,
            Guards guards,
            ResponseSource responses,
            Time time,
            Duration interval,
            RandomGenerator random,
            @Nullable VenueStatus before,
            @Nullable HistoryBackfill history,
            PollListener listener) {
        this.interpreter = new PollResultBuilder(venue, source, guards, before);
        this.responses = responses;
        this.time = time;
        this.intervalMs = interval.toMillis();
        this.random = random;
        this.history = history;
        this.listener = listener;
        if (before != null && before.source() == source) {
            responses.resume(before.closedUntilMs());
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
        historyFromMs = time.elapsedMs() + FIRST_LISTS_MS;
        time.pause(Duration.ofMillis(random.nextLong(Math.min(FIRST_WITHIN_MS, intervalMs))));
        if (!isOpen()) {
            return;
        }
        long beat = once(Duration.ofMillis(intervalMs / FIRST_KEYS_SHARE));
        // The second poll moves the venue to a phase of its own, away from where all of them started.
        beat += intervalMs - random.nextLong(intervalMs - intervalMs / SPREAD_SHARE);
        while (isOpen()) {
            long late = time.elapsedMs() - beat;
            if (late > 0) {
                beat += Math.ceilDiv(late, intervalMs) * intervalMs;
            }
            between(Math.min(beat - intervalMs / FIRST_KEYS_SHARE, time.elapsedMs() + untilClosing()));
            time.pause(Duration.ofMillis(Math.max(0, beat - time.elapsedMs())));
            if (!isOpen()) {
                return;
            }
            boolean shared = history != null && history.isBehind();
            once(Duration.ofMillis(intervalMs * (shared ? SHARED_KEYS_PERCENT : KEYS_PERCENT) / 100));
            beat += intervalMs;
        }
    }

    private long untilClosing() {
        return Math.clamp(closesAtMs - time.nowMs(), 0, intervalMs);
    }

    private boolean isOpen() {
        return time.nowMs() < closesAtMs;
    }

    /** One poll, whatever becomes of it; gives the moment at which it began. */
    private long once(Duration forKeys) throws InterruptedException {
        long begun = time.elapsedMs();
        try {
            if (history != null) {
                responses.sparingly(history.isBehind());
            }
            PollResponses given = ask(forKeys);
            PollReport report = interpreter.read(
                    given,
                    history == null ? new SettlementGaps() : history.gaps(),
                    time.nowMs(),
                    Duration.ofMillis(time.elapsedMs() - begun));
            if (interpreter.doubtsLists()) {
                responses.doubtLists();
            }
            if (history != null && !report.quotes().isEmpty()) {
                history.live(report.quotes(), given.responses());
            }
            report(report);
        } catch (RuntimeException e) {
            listener.broke("poll", e);
            report(interpreter.broken(e, time.nowMs(), Duration.ofMillis(time.elapsedMs() - begun)));
        }
        return begun;
    }

    private void report(PollReport report) {
        VenueStatus status = report.status().withClosedUntil(responses.closedUntilMs());
        if (history != null) {
            status = history.total() > 0 ? status.withHistory(history.done(), history.total()) : status;
            status = status.withHistoryProblem(history.problem());
        }
        long nowMs = time.nowMs();
        PollCounts before = counts == null ? PollCounts.since(nowMs) : counts;
        PollCounts after = before.with(nowMs, newestMs(report));
        counts = before.with(nowMs, null);
        try {
            if (listener.polled(report.withStatus(status.withPollCounts(after)))) {
                counts = after;
            }
        } catch (RuntimeException e) {
            // what is done with a poll must not end the polling of its venue
            listener.broke("publish", e);
        }
    }

    /** When the newest rate of a poll was observed; null when it has none. */
    private static @Nullable Long newestMs(PollReport report) {
        return report.quotes().stream()
                .map(Quote::observedAtMs)
                .max(Long::compare)
                .orElse(null);
    }

    /** A declaration that throws is a bug, and it must cost its venue no more than this poll. */
    private PollResponses ask(Duration forKeys) throws InterruptedException {
        try {
            return responses.round(forKeys);
        } catch (RuntimeException e) {
            listener.broke("ask", e);
            return new PollResponses(
                    new VenueResponses(),
                    false,
                    null,
                    1,
                    List.of("its asking broke off: " + e.getClass().getSimpleName()));
        }
    }

    /** What the polls leave of a minute: half of it at most goes to learning, as long as settled rates wait to be read. */
    private void between(long endMs) throws InterruptedException {
        long left = Math.max(0, endMs - time.elapsedMs());
        boolean shared = history != null && history.isBehind();
        try {
            responses.learn(Duration.ofMillis(shared ? left / 2 : left));
        } catch (RuntimeException e) {
            listener.broke("learn", e);
        }
        try {
            settle(endMs);
        } catch (RuntimeException e) {
            listener.broke("history", e);
        }
    }

    /** What is settled has time; the next poll does not wait for it. */
    private void settle(long endMs) throws InterruptedException {
        if (history == null) {
            return;
        }
        long early = Math.clamp(historyFromMs - time.elapsedMs(), 0, Math.max(0, endMs - time.elapsedMs()));
        if (early > 0) {
            time.pause(Duration.ofMillis(early));
        }
        history.work(Duration.ofMillis(Math.max(0, endMs - time.elapsedMs())));
    }
}
