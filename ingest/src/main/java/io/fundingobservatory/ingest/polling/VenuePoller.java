package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.history.SettledHistory;
import io.fundingobservatory.ingest.pacing.Time;
import io.fundingobservatory.ingest.reading.Answers;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.topics.Source;
import io.fundingobservatory.topics.VenueStatus;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Polls one venue about once a minute until it is interrupted. Every poll starts on the venue's own beat; a poll that overruns
 * lets beats pass, it is never caught up with.
 */
public final class VenuePoller implements Runnable {
    /** Every venue's first poll starts within this time, so that an empty cluster fills quickly and not in one go. */
    private static final long FIRST_WITHIN_MS = 4_000;

    /** The first lists of all venues come before anybody's history. */
    private static final long FIRST_LISTS_MS = 20_000;

    private static final int FIRST_KEYS_SHARE = 6;
    private static final int SPREAD_SHARE = 4;

    private final PollInterpreter reading;
    private final AnswerSource gathering;
    private final Time time;
    private final long intervalMs;
    private final RandomGenerator random;
    private final @Nullable SettledHistory history;
    private final Consumer<PollReport> reports;
    private long historyFromMs;

    public VenuePoller(
            Venue venue,
            Source source,
            RateBoard board,
            AnswerSource gathering,
            Time time,
            Duration interval,
            RandomGenerator random,
            @Nullable VenueStatus before,
            @Nullable SettledHistory history,
            Consumer<PollReport> reports) {
        this.reading = new PollInterpreter(venue, source, board, before);
        this.gathering = gathering;
        this.time = time;
        this.intervalMs = interval.toMillis();
        this.random = random;
        this.history = history;
        this.reports = reports;
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
        long beat = once(Duration.ofMillis(intervalMs / FIRST_KEYS_SHARE));
        // The second poll moves the venue to a phase of its own, away from where all of them started.
        beat += intervalMs - random.nextLong(intervalMs - intervalMs / SPREAD_SHARE);
        while (true) {
            long late = time.elapsedMs() - beat;
            if (late > 0) {
                beat += Math.ceilDiv(late, intervalMs) * intervalMs;
            }
            learn(Duration.ofMillis(Math.max(0, beat - time.elapsedMs() - intervalMs / FIRST_KEYS_SHARE)));
            settle(Duration.ofMillis(Math.max(0, beat - time.elapsedMs() - intervalMs / FIRST_KEYS_SHARE)));
            time.pause(Duration.ofMillis(Math.max(0, beat - time.elapsedMs())));
            once(Duration.ofMillis(intervalMs - intervalMs / SPREAD_SHARE));
            beat += intervalMs;
        }
    }

    /** One poll; gives the moment at which it began. */
    private long once(Duration forKeys) throws InterruptedException {
        long begun = time.elapsedMs();
        PollAnswers gathered = gather(forKeys);
        PollReport report = reading.read(gathered, time.nowMs(), Duration.ofMillis(time.elapsedMs() - begun));
        if (reading.doubtsLists()) {
            gathering.doubtLists();
        }
        if (history != null) {
            if (!report.quotes().isEmpty()) {
                history.live(report.quotes(), gathered.answers());
            }
            if (history.total() > 0) {
                report = report.withStatus(report.status().withHistory(history.done(), history.total()));
            }
        }
        reports.accept(report);
        return begun;
    }

    /** What is settled has time; the next poll does not wait for it. */
    private void settle(Duration may) throws InterruptedException {
        if (history == null) {
            return;
        }
        long early = Math.clamp(historyFromMs - time.elapsedMs(), 0, may.toMillis());
        try {
            if (early > 0) {
                time.pause(Duration.ofMillis(early));
            }
            history.work(may.minusMillis(early));
        } catch (RuntimeException e) {
            // a reader that throws is a bug, and it must not end the polling of its venue
            time.pause(Duration.ZERO);
        }
    }

    /** A declaration that throws is a bug, and it must cost its venue no more than this poll. */
    private PollAnswers gather(Duration forKeys) throws InterruptedException {
        try {
            return gathering.round(forKeys);
        } catch (RuntimeException e) {
            return new PollAnswers(
                    new Answers(),
                    false,
                    null,
                    1,
                    List.of("its asking broke off: " + e.getClass().getSimpleName()));
        }
    }

    private void learn(Duration forKeys) throws InterruptedException {
        try {
            gathering.learn(forKeys);
        } catch (RuntimeException e) {
            // the next round meets it again, and reports it
            time.pause(Duration.ZERO);
        }
    }
}
