package io.fundingobservatory.ingest.publish;

import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.util.List;

/**
 * One poll of one venue, done.
 *
 * @param quotes what is to be published; none when the poll failed or is held back
 * @param status how the venue is doing now
 * @param outcome {@code ok}, {@code partial}, {@code failed} or {@code quarantined}
 * @param unusual quotes whose rate is beyond ±3 % per 8 hours
 * @param fieldMissing whether no row could be read because a field that must be there is absent or misshapen: it may have been renamed
 * @param decisions what the guards decided
 * @param took from the first request to the last response
 */
public record PollReport(
        List<Quote> quotes,
        VenueStatus status,
        Outcome outcome,
        int unusual,
        boolean fieldMissing,
        List<GuardDecision> decisions,
        Duration took) {
    public PollReport withStatus(VenueStatus other) {
        return new PollReport(quotes, other, outcome, unusual, fieldMissing, decisions, took);
    }

    public enum Outcome {
        OK,
        PARTIAL,
        FAILED,
        /** Held back whole: its values are off by a common factor. */
        QUARANTINED
    }
}
