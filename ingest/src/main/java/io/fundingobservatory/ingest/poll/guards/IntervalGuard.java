package io.fundingobservatory.ingest.poll.guards;

import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares intervals with the settlements that rows announce every minute. It checks intervals from the
 * documentation and from instrument lists, which are requested once an hour. Where rows announce no
 * settlement, it uses the two newest settlements that have been read. A contradicted interval is unknown
 * until the list changes or the settlements agree with it again. Contracts that accrue continuously have no
 * settlements; their history has hours of its own.
 */
final class IntervalGuard {
    static final SkipReason CONTRADICTED = SkipReason.of("interval_contradicted");

    /** Sources of an interval that cannot change together with the row. */
    private static final Set<IntervalSource> SLOW =
            EnumSet.of(IntervalSource.INSTRUMENT_LIST, IntervalSource.DOCUMENTED);

    private static final BigDecimal HOUR_MS = BigDecimal.valueOf(3_600_000);

    /** Announced instants carry some seconds of jitter. */
    private static final long TOLERANCE_MS = 60_000;

    /** Our clock may be behind the exchange's by some minutes; a changed interval is off by an hour at least. */
    private static final long CLOCKS_APART_MS = 5 * 60_000;

    /** No venue settles more often. A listed interval below this is invalid. */
    private static final long SHORTEST_MS = 60_000;

    /**
     * What was last seen of a contract.
     *
     * @param nextMs the announced settlement, epoch ms
     * @param intervalMs the list's interval
     * @param doubted whether announced settlements have contradicted it
     */
    private record LastAnnounced(long nextMs, long intervalMs, boolean doubted) {}

    /** The same raw quotes, those with a contradicted interval without one; {@code newly} when one was not before. */
    record Checked(List<Quote> quotes, int contradicted, boolean newly) {}

    private final Map<String, LastAnnounced> contracts = new HashMap<>();

    Checked check(List<Quote> quotes, long nowMs, SettlementGaps gaps) {
        var checked = new ArrayList<Quote>(quotes.size());
        int contradicted = 0;
        boolean newly = false;
        for (Quote quote : quotes) {
            Long next = quote.nextFundingMs();
            BigDecimal hours = quote.intervalH();
            if (hours == null
                    || quote.intervalSource() == null
                    || !SLOW.contains(quote.intervalSource())
                    || (next == null && quote.rateKind() == RateKind.CONTINUOUS)) {
                checked.add(quote);
                continue;
            }
            long interval = hours.multiply(HOUR_MS).longValue();
            if (next == null) {
                boolean contradict = gaps.contradict(quote.symbol(), interval);
                contradicted += contradict ? 1 : 0;
                checked.add(contradict ? withoutInterval(quote, hours) : quote);
                continue;
            }
            LastAnnounced before = contracts.get(quote.symbol());
            boolean doubted = isDoubted(before, next, interval, nowMs);
            contracts.put(quote.symbol(), new LastAnnounced(next, interval, doubted));
            newly |= doubted && (before == null || !before.doubted());
            contradicted += doubted ? 1 : 0;
            checked.add(doubted ? withoutInterval(quote, hours) : quote);
        }
        return new Checked(List.copyOf(checked), contradicted, newly);
    }

    private static boolean isDoubted(@Nullable LastAnnounced before, long next, long interval, long nowMs) {
        if (interval < SHORTEST_MS || next - nowMs > interval + CLOCKS_APART_MS) {
            return true; // none, or the settlement is further away than one
        }
        if (before == null || before.intervalMs() != interval) {
            return false;
        }
        long step = next - before.nextMs();
        if (Math.abs(step) <= TOLERANCE_MS) {
            return before.doubted();
        }
        // a settlement that was passed over unseen makes it a multiple
        long beside = Math.floorMod(step, interval);
        return step < 0 || Math.min(beside, interval - beside) > TOLERANCE_MS;
    }

    /** A value for "the interval" covers an unknown time as well. */
    private static Quote withoutInterval(Quote quote, BigDecimal interval) {
        BigDecimal covered = quote.rateHours();
        return Quote.CODEC.with(
                quote,
                "rate_hours",
                covered == null || covered.compareTo(interval) == 0 ? null : covered,
                "interval_h",
                null,
                "interval_source",
                null);
    }
}
