package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.ingest.json.ReasonText;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.poll.guards.VenueGuards;
import io.fundingobservatory.ingest.publish.GuardDecision;
import io.fundingobservatory.ingest.publish.GuardDecision.Guard;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.publish.PollReport.Outcome;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the responses of one venue's polls, judges them by its guards, and keeps its status. Pure. */
final class GuardedReader {
    private static final int LONGEST_REASON = 300;

    /** Guards whose decisions the venue's reason names: all but the one that only counts. */
    private static final Set<Guard> NAMED = EnumSet.complementOf(EnumSet.of(Guard.UNUSUAL_RATE));

    private final Venue venue;
    private final VenueSpec spec;
    private final Source source;
    private final VenueGuards guards;
    private VenueStatus status;
    private boolean doubtsLists;

    GuardedReader(Venue venue, Source source, VenueGuards guards, @Nullable VenueStatus before) {
        this.venue = venue;
        this.spec = venue.spec();
        this.source = source;
        this.guards = guards;
        this.status = before != null && before.source() == source
                ? before
                : new VenueStatus(spec.id(), source, null, false, null, null, null, null, null, null, Map.of());
        if (status.completeSymbols() != null) {
            guards.resume(status.completeSymbols().intValue());
        }
    }

    /** Reads and judges the responses of one poll; the gaps are those of the venue's settled history. */
    PollReport read(PollResponses poll, SettlementGaps gaps, long nowMs, Duration took) {
        var reasons = new ArrayList<String>();
        Rows rows = new Rows(spec, poll.readAtMs() == null ? nowMs : poll.readAtMs());
        boolean misshapen = false;
        if (poll.fresh()) {
            try {
                venue.read(poll.responses(), rows);
            } catch (Skip e) {
                // not a row but what holds the rows together is misshapen
                reasons.add("its responses are not as documented: " + e.reason());
                misshapen = true;
                rows = new Rows(spec, nowMs);
            }
        }
        reasons.addAll(poll.missing());
        VenueGuards.Guarded guarded = guards.check(rows.quotes(), nowMs, source != Source.REPLAY, gaps);
        boolean few = rows.quotes().isEmpty()
                || guarded.decisions().stream().anyMatch(decision -> decision.guard() == Guard.ROW_COUNT);
        doubtsLists =
                guarded.doubtsLists() || (few && poll.fresh() && poll.missing().isEmpty());
        var skipped = new TreeMap<>(rows.skippedByReason());
        guarded.skipped().forEach((reason, skips) -> skipped.merge(reason, skips, Long::sum));
        int count = guarded.passed().size();
        boolean complete = reasons.isEmpty();
        for (GuardDecision decision : guarded.decisions()) {
            complete &= decision.guard() != Guard.ROW_COUNT;
            if (NAMED.contains(decision.guard())) {
                reasons.add(decision.reason());
            }
        }
        boolean fieldMissing = misshapen || (rows.quotes().isEmpty() && lacksField(rows.skippedByReason()));
        if (count == 0 && complete) {
            reasons.add(
                    skipped.isEmpty()
                            ? "no rows in its responses"
                            : "no row could be used" + (fieldMissing ? ", a field may have been renamed: " : ": ")
                                    + inWords(skipped));
        }
        Outcome outcome = guarded.isQuarantined()
                ? Outcome.QUARANTINED
                : count == 0 ? Outcome.FAILED : complete ? Outcome.OK : Outcome.PARTIAL;
        status = next(poll.requestCount() > 0, outcome, line(reasons), count, skipped, nowMs);
        return new PollReport(
                guarded.isQuarantined() ? List.of() : guarded.passed(),
                status,
                outcome,
                guarded.unusual(),
                fieldMissing,
                guarded.decisions(),
                took);
    }

    /** Whether rows were left out because they lack their rate or another field that must be there. */
    private static boolean lacksField(Map<SkipReason, Long> skipped) {
        return skipped.keySet().stream().anyMatch(SkipReason::isMissingField);
    }

    /**
     * Reports a poll that an internal error ended. Nothing of it is published, and the reason names the error.
     *
     * @param poll null where its requests broke off: some may have been sent
     */
    PollReport broken(RuntimeException bug, @Nullable PollResponses poll, long nowMs, Duration took) {
        var reasons = new ArrayList<String>();
        reasons.add("its poll broke off: " + bug.getClass().getSimpleName());
        reasons.addAll(poll == null ? List.of() : poll.missing());
        boolean requested = poll == null || poll.requestCount() > 0;
        status = next(requested, Outcome.FAILED, line(reasons), 0, Map.of(), nowMs);
        return new PollReport(List.of(), status, Outcome.FAILED, 0, false, List.of(), took);
    }

    /**
     * Whether the last reading found a list of instruments that can no longer be right. Rows contradict it, or whole and
     * fresh responses gave no rows or too few: it was read while contracts were suspended.
     */
    boolean doubtsLists() {
        return doubtsLists;
    }

    VenueStatus status() {
        return status;
    }

    private VenueStatus next(
            boolean requested,
            Outcome outcome,
            @Nullable String reason,
            int count,
            Map<SkipReason, Long> skipped,
            long nowMs) {
        var skippedByName = new TreeMap<String, Long>();
        skipped.forEach((why, rows) -> skippedByName.put(why.toString(), rows));
        boolean failed = outcome == Outcome.FAILED || outcome == Outcome.QUARANTINED;
        return new VenueStatus(
                        spec.id(),
                        source,
                        spec.rateKind(),
                        spec.history() != null,
                        spec.docs(),
                        requested ? Long.valueOf(nowMs) : status.lastAttemptMs(),
                        failed || !requested ? status.lastSuccessMs() : Long.valueOf(nowMs),
                        failed && requested ? Long.valueOf(nowMs) : status.lastFailureMs(),
                        reason,
                        failed ? status.symbols() : Long.valueOf(count),
                        failed ? status.skipped() : skippedByName)
                .withCompleteSymbols(outcome == Outcome.OK ? Long.valueOf(count) : status.completeSymbols())
                .withRateRequests(spec.rateRequests());
    }

    private static String inWords(Map<SkipReason, Long> skipped) {
        return skipped.entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey())
                .collect(Collectors.joining(", "));
    }

    private static @Nullable String line(List<String> reasons) {
        if (reasons.isEmpty()) {
            return null;
        }
        return ReasonText.oneLine(String.join("; ", reasons), LONGEST_REASON);
    }
}
