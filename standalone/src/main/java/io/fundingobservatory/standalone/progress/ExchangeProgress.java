package io.fundingobservatory.standalone.progress;

import io.fundingobservatory.topics.records.PollCounts;
import io.fundingobservatory.topics.records.VenueStatus;
import org.jspecify.annotations.Nullable;

/**
 * How far one exchange has come since the start.
 *
 * @param contracts rows of its newest poll; null before the first that yielded any
 * @param historyRead contracts whose settled history of 31 days has been read; null where that is not known
 * @param historyTotal contracts whose settled history is read; null likewise
 * @param reason why its poll failed or is incomplete, or what keeps its history from being read; null when nothing does
 */
record ExchangeProgress(
        String venue,
        State state,
        @Nullable Long contracts,
        @Nullable Long historyRead,
        @Nullable Long historyTotal,
        @Nullable String reason) {

    /** In the order in which they follow each other. */
    enum State {
        /** Not polled since the start. */
        WAITING,
        /** Polled in vain, or not to be polled now. */
        FAILED,
        /** Its rows are there; its settled history is being read. */
        READING_HISTORY,
        /** Its rows are there, and all of its settled history that can be read. */
        COMPLETE
    }

    static ExchangeProgress waiting(String venue) {
        return new ExchangeProgress(venue, State.WAITING, null, null, null, null);
    }

    /** Takes a status; polls before the start do not count. */
    static ExchangeProgress of(VenueStatus status, long startedMs) {
        boolean observed = since(status.lastSuccessMs(), startedMs);
        State state = observed
                ? isHistoryOver(status) ? State.COMPLETE : State.READING_HISTORY
                : since(status.lastFailureMs(), startedMs) || isPaused(status, startedMs)
                        ? State.FAILED
                        : State.WAITING;
        String reason = status.reason() != null ? status.reason() : status.historyProblem();
        return new ExchangeProgress(
                status.venue(),
                state,
                observed ? status.symbols() : null,
                status.historyDone(),
                status.historyTotal(),
                state == State.WAITING ? null : reason);
    }

    /** Whether a poll since the start sent nothing, for the reason given: a pause outlives a restart. */
    private static boolean isPaused(VenueStatus status, long startedMs) {
        PollCounts counts = status.pollCounts();
        return status.reason() != null && counts != null && counts.untilMs() >= startedMs;
    }

    private static boolean since(@Nullable Long at, long startedMs) {
        return at != null && at >= startedMs;
    }

    private static boolean isHistoryOver(VenueStatus status) {
        Long total = status.historyTotal();
        Long done = status.historyDone();
        return !status.settledHistory()
                || status.historyProblem() != null
                || (total != null && done != null && total > 0 && done >= total);
    }

    /** Such as {@code kraken failed (refused with 403)}. */
    String sentence() {
        return venue
                + ' '
                + switch (state) {
                    case WAITING -> "has not been polled";
                    case FAILED -> "failed";
                    case READING_HISTORY -> "responded with " + contracts + " contracts";
                    case COMPLETE ->
                        historyTotal == null || historyTotal == 0
                                ? "responded with " + contracts + " contracts"
                                : "is read back 30 days, " + historyRead + " contracts";
                }
                + (reason == null ? "" : " (" + reason + ')');
    }

    /** Whether a poll since the start has succeeded or failed. */
    boolean isPolled() {
        return state != State.WAITING;
    }

    /** Whether its rows are there. */
    boolean isObserved() {
        return state == State.READING_HISTORY || state == State.COMPLETE;
    }
}
