package io.fundingobservatory.ingest.poll.guards;

import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.ingest.publish.GuardDecision;
import io.fundingobservatory.ingest.publish.GuardDecision.Action;
import io.fundingobservatory.ingest.publish.GuardDecision.Guard;
import io.fundingobservatory.topics.records.Quote;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All guards of one venue, in order: intervals, rows, frozen rows, the number of rows, the rates as a whole. Remembers earlier polls,
 * also while another process polls the venue. Used by one poller at a time.
 */
public final class VenueGuards {
    private final String venue;
    private final boolean trusted;
    private final IntervalGuard intervals = new IntervalGuard();
    private final FreezeGuard freeze = new FreezeGuard();
    private final RowCountGuard rowCount;
    private final CommonFactorGuard commonFactor;

    /**
     * Guards of a venue that remember nothing yet.
     *
     * @param commonFactor compares the venues of this process
     * @param trusted whether its rows are published against the decision of a guard
     */
    public VenueGuards(String venue, CommonFactorGuard commonFactor, boolean trusted) {
        this.venue = venue;
        this.commonFactor = commonFactor;
        this.trusted = trusted;
        this.rowCount = new RowCountGuard(trusted);
    }

    /**
     * A poll behind the guards.
     *
     * @param passed quotes that may be published, with those of {@link #isQuarantined} polls still in it
     * @param skipped rows that were skipped or lost their interval, counted by reason
     * @param decisions what the guards decided, none when all is as usual
     * @param unusual rows of {@code passed} whose rate is beyond ±3 % per 8 hours
     * @param doubtsLists whether a list of instruments has just been contradicted and should be requested again
     */
    public record Guarded(
            List<Quote> passed,
            Map<SkipReason, Long> skipped,
            List<GuardDecision> decisions,
            int unusual,
            boolean doubtsLists) {
        /** Whether nothing of this poll is published. */
        public boolean isQuarantined() {
            return decisions.stream().anyMatch(d -> d.guard() == Guard.COMMON_FACTOR && d.action() == Action.HELD);
        }
    }

    /** Takes the number of rows of the last whole poll for usual, unless this process has made three polls itself. */
    public void resume(int rows) {
        rowCount.resume(rows);
    }

    /** Judges one poll; recordings are not {@code current}, so neither the clock nor other venues judge them. */
    public Guarded check(List<Quote> quotes, long nowMs, boolean current, SettlementGaps gaps) {
        var decisions = new ArrayList<GuardDecision>();
        var skipped = new TreeMap<SkipReason, Long>();
        IntervalGuard.Checked checked = intervals.check(quotes, nowMs, gaps);
        List<Quote> timed = checked.quotes();
        if (checked.contradicted() > 0) {
            String reason = checked.contradicted() + " listed intervals are contradicted by the settlements";
            decisions.add(judged(Guard.INTERVAL, reason));
            if (trusted) {
                timed = quotes;
            } else {
                skipped.put(IntervalGuard.CONTRADICTED, (long) checked.contradicted());
            }
        }
        RowGuard.Sorted sorted = RowGuard.sort(timed, nowMs, trusted);
        sorted.refused().forEach((reason, count) -> skipped.merge(reason, count, Long::sum));
        if (sorted.ahead() > 0) {
            decisions.add(judged(Guard.VENUE_TIME, sorted.ahead() + " rows are ahead of our clock"));
        }
        if (sorted.unusual() > 0) {
            String reason = sorted.unusual() + " rates are beyond 3 % per 8 hours";
            decisions.add(new GuardDecision(Guard.UNUSUAL_RATE, Action.WARNED, reason));
        }
        List<Quote> passed = current ? live(sorted.passed(), skipped, decisions) : sorted.passed();
        GuardDecision few = rowCount.check(passed.size());
        if (few != null) {
            decisions.add(few);
        }
        if (current && !passed.isEmpty()) {
            GuardDecision compared = commonFactor.judge(venue, RateSheet.of(passed, nowMs), trusted);
            if (compared != null) {
                decisions.add(compared);
            }
        }
        return new Guarded(
                passed, Map.copyOf(skipped), List.copyOf(decisions), sorted.unusual(), checked.newly() && !trusted);
    }

    private List<Quote> live(List<Quote> quotes, Map<SkipReason, Long> skipped, List<GuardDecision> decisions) {
        FreezeGuard.Checked checked = freeze.check(quotes);
        if (checked.count() == 0) {
            return quotes;
        }
        String reason = checked.count() + " rows are not live: "
                + checked.skipped().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(skip -> skip.getValue() + " " + skip.getKey())
                        .collect(Collectors.joining(", "));
        decisions.add(judged(Guard.FROZEN, reason));
        if (trusted) {
            return quotes;
        }
        checked.skipped().forEach((why, count) -> skipped.merge(why, count, Long::sum));
        return checked.live();
    }

    private GuardDecision judged(Guard guard, String reason) {
        return new GuardDecision(guard, trusted ? Action.OVERRULED : Action.HELD, reason);
    }
}
