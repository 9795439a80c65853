package io.fundingobservatory.topics.records;

import io.fundingobservatory.topics.json.JsonCodec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one exchange is doing: what it is, when it was last read, and why not.
 *
 * @param venue the exchange's identifier
 * @param source what is being observed under this name
 * @param rateKind usual kind of its rates; null while the venue has no reader
 * @param settledHistory whether it publishes its settled rates
 * @param docs the exchange's own documentation; null while the venue has no reader
 * @param lastAttemptMs the last poll, epoch ms UTC; null before the first
 * @param lastSuccessMs the last poll that yielded rows, epoch ms UTC; null before the first
 * @param lastFailureMs the last poll that failed, epoch ms UTC; null if none did
 * @param reason why the last poll failed or is incomplete, one readable line; null when it is neither
 * @param symbols rows that the last successful poll published; null before the first
 * @param skipped rows left out of that poll, counted by reason
 * @param completeSymbols rows that the last complete poll published; null before the first, and in records of earlier
 *     releases
 * @param historyDone contracts whose settled history of 31 days has been read; null while that is not known or there is none
 * @param historyTotal contracts whose settled history is read; null likewise
 * @param historyProblem what keeps settled rates from being read, one readable line; null when nothing does
 * @param closedUntilMs until when the venue allows no request, epoch ms UTC; by host, pool of a published limit or
 *     request
 * @param rateRequests the requests that its rates are read from; empty while that is not known
 * @param pollCounts its polls and the time without rates of it; null before the first poll that was counted
 */
public record VenueStatus(
        String venue,
        Source source,
        @Nullable RateKind rateKind,
        boolean settledHistory,
        @Nullable String docs,
        @Nullable Long lastAttemptMs,
        @Nullable Long lastSuccessMs,
        @Nullable Long lastFailureMs,
        @Nullable String reason,
        @Nullable Long symbols,
        Map<String, Long> skipped,
        @Nullable Long completeSymbols,
        @Nullable Long historyDone,
        @Nullable Long historyTotal,
        @Nullable String historyProblem,
        Map<String, Long> closedUntilMs,
        List<RateRequest> rateRequests,
        @Nullable PollCounts pollCounts) {

    public VenueStatus {
        skipped = Map.copyOf(skipped);
        closedUntilMs = Map.copyOf(closedUntilMs);
        rateRequests = List.copyOf(rateRequests);
    }

    /** A status without members about the settled history. */
    public VenueStatus(
            String venue,
            Source source,
            @Nullable RateKind rateKind,
            boolean settledHistory,
            @Nullable String docs,
            @Nullable Long lastAttemptMs,
            @Nullable Long lastSuccessMs,
            @Nullable Long lastFailureMs,
            @Nullable String reason,
            @Nullable Long symbols,
            Map<String, Long> skipped) {
        this(
                venue,
                source,
                rateKind,
                settledHistory,
                docs,
                lastAttemptMs,
                lastSuccessMs,
                lastFailureMs,
                reason,
                symbols,
                skipped,
                null,
                null,
                null,
                null,
                Map.of(),
                List.of(),
                null);
    }

    /** The same with the rows that the last complete poll published. */
    public VenueStatus withCompleteSymbols(@Nullable Long rows) {
        return with(rows, historyDone, historyTotal, historyProblem, closedUntilMs, rateRequests, pollCounts);
    }

    /** The same with how far its settled history has been read. */
    public VenueStatus withHistory(long done, long total) {
        return with(completeSymbols, done, total, historyProblem, closedUntilMs, rateRequests, pollCounts);
    }

    /** The same with what keeps its settled history from being read. */
    public VenueStatus withHistoryProblem(@Nullable String problem) {
        return with(completeSymbols, historyDone, historyTotal, problem, closedUntilMs, rateRequests, pollCounts);
    }

    /** The same with other instants until which no request is allowed. */
    public VenueStatus withClosedUntil(Map<String, Long> untilMs) {
        return with(completeSymbols, historyDone, historyTotal, historyProblem, untilMs, rateRequests, pollCounts);
    }

    /** The same with the requests that its rates are read from. */
    public VenueStatus withRateRequests(List<RateRequest> requests) {
        return with(completeSymbols, historyDone, historyTotal, historyProblem, closedUntilMs, requests, pollCounts);
    }

    /** The same with its polls and the time without rates of it. */
    public VenueStatus withPollCounts(PollCounts counts) {
        return with(completeSymbols, historyDone, historyTotal, historyProblem, closedUntilMs, rateRequests, counts);
    }

    private VenueStatus with(
            @Nullable Long complete,
            @Nullable Long done,
            @Nullable Long total,
            @Nullable String problem,
            Map<String, Long> untilMs,
            List<RateRequest> requests,
            @Nullable PollCounts counts) {
        return new VenueStatus(
                venue,
                source,
                rateKind,
                settledHistory,
                docs,
                lastAttemptMs,
                lastSuccessMs,
                lastFailureMs,
                reason,
                symbols,
                skipped,
                complete,
                done,
                total,
                problem,
                untilMs,
                requests,
                counts);
    }

    public static final JsonCodec<VenueStatus> CODEC = JsonCodec.<VenueStatus>of("venue-status", 1)
            .text("venue", VenueStatus::venue)
            .word("source", Source.class, VenueStatus::source)
            .wordOrNull("rate_kind", RateKind.class, VenueStatus::rateKind)
            .truth("settled_history", VenueStatus::settledHistory)
            .textOrNull("docs", VenueStatus::docs)
            .integerOrNull("last_attempt_ms", VenueStatus::lastAttemptMs)
            .integerOrNull("last_success_ms", VenueStatus::lastSuccessMs)
            .integerOrNull("last_failure_ms", VenueStatus::lastFailureMs)
            .textOrNull("reason", VenueStatus::reason)
            .integerOrNull("symbols", VenueStatus::symbols)
            .counts("skipped", VenueStatus::skipped)
            .integerOrNull("history_done", VenueStatus::historyDone)
            .integerOrNull("history_total", VenueStatus::historyTotal)
            .textOrNull("history_problem", VenueStatus::historyProblem)
            .countsIfAny("closed_until_ms", VenueStatus::closedUntilMs)
            .listIfAny("rate_requests", RateRequest.CODEC, VenueStatus::rateRequests)
            .recordIfAny("poll_counts", PollCounts.CODEC, VenueStatus::pollCounts)
            .integerIfAny("complete_symbols", VenueStatus::completeSymbols)
            .build(f -> new VenueStatus(
                    f.text("venue"),
                    f.word("source", Source.class),
                    f.wordOrNull("rate_kind", RateKind.class),
                    f.truth("settled_history"),
                    f.textOrNull("docs"),
                    f.integerOrNull("last_attempt_ms"),
                    f.integerOrNull("last_success_ms"),
                    f.integerOrNull("last_failure_ms"),
                    f.textOrNull("reason"),
                    f.integerOrNull("symbols"),
                    f.counts("skipped"),
                    f.integerOrNull("complete_symbols"),
                    f.integerOrNull("history_done"),
                    f.integerOrNull("history_total"),
                    f.textOrNull("history_problem"),
                    f.countsIfAny("closed_until_ms"),
                    f.listIfAny("rate_requests"),
                    f.recordIfAny("poll_counts", PollCounts.class)));
}
