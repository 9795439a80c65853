package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.polling.CommonFactor.Finding;
import io.fundingobservatory.ingest.polling.PollReport.Outcome;
import io.fundingobservatory.ingest.reading.Header;
import io.fundingobservatory.ingest.reading.Rows;
import io.fundingobservatory.ingest.reading.Skip;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.topics.Quote;
import io.fundingobservatory.topics.Source;
import io.fundingobservatory.topics.VenueStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes quotes and the venue's status of what was gathered. Pure but for the memory of what is usual. */
final class PollInterpreter {
    private static final int LONGEST_REASON = 300;

    private final Venue venue;
    private final Source source;
    private final UsualCount usual = new UsualCount();
    private final RateBoard board;
    private final IntervalWatch intervals = new IntervalWatch();
    private VenueStatus status;
    private boolean doubtsLists;

    PollInterpreter(Venue venue, Source source, RateBoard board, @Nullable VenueStatus before) {
        this.venue = venue;
        this.source = source;
        this.board = board;
        this.status = before != null && before.source() == source ? before : unread(venue.header(), source);
    }

    private static VenueStatus unread(Header header, Source source) {
        return new VenueStatus(
                header.id(),
                source,
                header.rateKind(),
                header.history() != null,
                header.docs(),
                null,
                null,
                null,
                null,
                null,
                Map.of());
    }

    /** Carries on from what an earlier process last said about the venue; of another source it means nothing here. */
    PollReport read(PollAnswers gathered, long nowMs, Duration took) {
        var reasons = new ArrayList<String>();
        Rows rows = new Rows(venue.header(), gathered.readAtMs() == null ? nowMs : gathered.readAtMs());
        if (gathered.fresh()) {
            try {
                venue.read(gathered.answers(), rows);
            } catch (Skip e) {
                // not a row but what holds the rows together is misshapen
                reasons.add("its answers are not as documented: " + e.reason());
                rows = new Rows(venue.header(), nowMs);
            } catch (RuntimeException e) {
                // a reader that throws is a bug, and it must not end the polling of its venue
                reasons.add("its reader broke off: " + e.getClass().getSimpleName());
                rows = new Rows(venue.header(), nowMs);
            }
        }
        reasons.addAll(gathered.missing());
        IntervalWatch.Checked checked = intervals.check(rows.quotes(), nowMs);
        doubtsLists = checked.newly();
        Guards.Sorted sorted = Guards.sort(checked.quotes(), nowMs);
        var skipped = new TreeMap<>(rows.skippedByReason());
        if (checked.contradicted() > 0) {
            skipped.put(IntervalWatch.CONTRADICTED, (long) checked.contradicted());
        }
        sorted.quarantined().forEach((reason, count) -> skipped.merge(reason, count, Long::sum));

        int count = sorted.passed().size();
        boolean few = count > 0 && Guards.isPartial(count, usual.median());
        if (few) {
            reasons.add("fewer rows than usual: " + count + " of " + usual.median());
        }
        if (count > 0) {
            usual.add(count);
        } else if (reasons.isEmpty()) {
            reasons.add(skipped.isEmpty() ? "no rows in its answers" : "no row could be used: " + inWords(skipped));
        }
        Finding finding = offByAFactor(sorted.passed(), nowMs);
        if (finding != null) {
            reasons.addFirst("held back: its rates are " + finding.words() + " what they should be on most of "
                    + finding.symbols() + " symbols");
        }
        Outcome outcome = finding != null
                ? Outcome.QUARANTINED
                : count == 0 ? Outcome.FAILED : reasons.isEmpty() ? Outcome.OK : Outcome.PARTIAL;
        status = next(gathered.asked() > 0, outcome, line(reasons), count, skipped, nowMs);
        return new PollReport(finding == null ? sorted.passed() : List.of(), status, outcome, sorted.unusual(), took);
    }

    /** Recordings are of different days and cannot be compared. */
    private @Nullable Finding offByAFactor(List<Quote> quotes, long nowMs) {
        return source == Source.REPLAY || quotes.isEmpty()
                ? null
                : board.compare(venue.header().id(), quotes, nowMs);
    }

    /** Whether the last reading found a list of instruments that can no longer be right. */
    boolean doubtsLists() {
        return doubtsLists;
    }

    /** What was last said about the venue. */
    VenueStatus status() {
        return status;
    }

    private VenueStatus next(
            boolean asked, Outcome outcome, @Nullable String reason, int count, Map<String, Long> skipped, long nowMs) {
        Header header = venue.header();
        boolean failed = outcome == Outcome.FAILED || outcome == Outcome.QUARANTINED;
        return new VenueStatus(
                header.id(),
                source,
                header.rateKind(),
                header.history() != null,
                header.docs(),
                asked ? Long.valueOf(nowMs) : status.lastAttemptMs(),
                failed ? status.lastSuccessMs() : Long.valueOf(nowMs),
                failed && asked ? Long.valueOf(nowMs) : status.lastFailureMs(),
                reason,
                failed ? status.symbols() : Long.valueOf(count),
                failed ? status.skipped() : skipped);
    }

    private static String inWords(Map<String, Long> skipped) {
        return skipped.entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey())
                .collect(Collectors.joining(", "));
    }

    private static @Nullable String line(List<String> reasons) {
        if (reasons.isEmpty()) {
            return null;
        }
        String line = String.join("; ", reasons);
        return line.length() > LONGEST_REASON ? line.substring(0, LONGEST_REASON - 1) + "…" : line;
    }
}
