package io.fundingobservatory.ingest.poll.guards;

import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares intervals with the settlements of their contracts, and supplies an interval where the venue publishes none.
 *
 * <p>It checks intervals from the documentation and from instrument lists, which are requested once an hour. The
 * settlements that rows announce every minute contradict an interval when they move by anything but a multiple of it.
 * Settlements that have been read contradict it when the newest gap differs. Where rows announce the next one, two gaps
 * must agree, and the list must be older than them.
 *
 * <p>A contradicted interval is unknown until the list changes or the settlements agree with it again. If two gaps
 * agree, theirs is used instead.
 *
 * <p>Without an interval from the venue, two gaps that agree supply it, or one gap and the announced next settlement.
 * Contracts that accrue continuously have no settlements; their history has hours of its own.
 */
final class IntervalGuard {
    static final SkipReason CONTRADICTED = SkipReason.of("interval_contradicted");

    /** Sources of an interval that cannot change together with the row. */
    private static final Set<IntervalSource> SLOW =
            EnumSet.of(IntervalSource.INSTRUMENT_LIST, IntervalSource.DOCUMENTED);

    private static final BigDecimal HOUR_MS = BigDecimal.valueOf(3_600_000);

    /** The list was so when this process first read it. */
    private static final long ALWAYS = Long.MIN_VALUE;

    /** Announced instants carry some seconds of jitter. */
    private static final long TOLERANCE_MS = 60_000;

    /** Our clock may be behind the exchange's by some minutes; a changed interval is off by an hour at least. */
    private static final long CLOCKS_APART_MS = 5 * 60_000;

    /** A contract that has not been listed for so long is forgotten. */
    private static final long REMEMBERED_MS = 24 * 60 * 60_000;

    /** No venue settles more often. A listed interval below this is invalid. */
    private static final long SHORTEST_MS = 60_000;

    /**
     * What was last seen of a contract.
     *
     * @param nextMs the announced settlement, epoch ms
     * @param intervalMs the list's interval
     * @param doubted whether announced settlements have contradicted it
     * @param sinceMs when this interval was first seen, epoch ms
     * @param readMs when it was last read, epoch ms
     */
    private record LastAnnounced(long nextMs, long intervalMs, boolean doubted, long sinceMs, long readMs) {}

    /** The same raw quotes, those with a contradicted interval without one; {@code newly} when one was not before. */
    record Checked(List<Quote> quotes, int contradicted, boolean newly) {}

    private final Map<String, LastAnnounced> contracts = new HashMap<>();

    Checked check(List<Quote> quotes, long nowMs, SettlementGaps gaps) {
        contracts.values().removeIf(last -> nowMs - last.readMs() > REMEMBERED_MS);
        var checked = new ArrayList<Quote>(quotes.size());
        int contradicted = 0;
        boolean newly = false;
        for (Quote quote : quotes) {
            BigDecimal hours = quote.intervalH();
            Long next = quote.nextFundingMs();
            if (quote.rateKind() == RateKind.CONTINUOUS && (next == null || hours == null)) {
                checked.add(quote);
            } else if (hours == null) {
                Long shown = shown(quote, nowMs, gaps);
                checked.add(shown == null ? quote : with(quote, shown, next));
            } else if (quote.intervalSource() == null || !SLOW.contains(quote.intervalSource())) {
                checked.add(quote);
            } else {
                long interval = hours.multiply(HOUR_MS).longValue();
                LastAnnounced before = contracts.get(quote.symbol());
                boolean isAgreed;
                if (next == null) {
                    isAgreed = !gaps.contradict(quote.symbol(), interval);
                } else {
                    LastAnnounced now = remember(quote, next, interval, nowMs);
                    newly |= now.doubted() && (before == null || !before.doubted());
                    isAgreed = !now.doubted() && !isContradicted(quote.symbol(), now, gaps, nowMs);
                }
                contradicted += isAgreed ? 0 : 1;
                checked.add(isAgreed ? quote : settled(quote, hours, interval, nowMs, gaps));
            }
        }
        return new Checked(List.copyOf(checked), contradicted, newly);
    }

    /** A row whose interval is contradicted, with the one that its settlements show, or without one. */
    private static Quote settled(Quote quote, BigDecimal hours, long interval, long nowMs, SettlementGaps gaps) {
        Long next = quote.nextFundingMs();
        Long agreed = gaps.agreedMs(quote.symbol(), nowMs);
        if (agreed == null || agreed == interval) {
            return withoutInterval(quote, hours);
        }
        boolean announced = next != null && gaps.follows(quote.symbol(), next, agreed, nowMs);
        return with(withoutInterval(quote, hours), agreed, announced ? next : null);
    }

    /** The interval that settlements show of a contract whose venue publishes none; null when they show none. */
    private @Nullable Long shown(Quote quote, long nowMs, SettlementGaps gaps) {
        String symbol = quote.symbol();
        Long next = quote.nextFundingMs();
        Long agreed = gaps.agreedMs(symbol, nowMs);
        if (next == null) {
            return agreed;
        }
        boolean isNext = agreed != null
                && !remember(quote, next, agreed, nowMs).doubted()
                && gaps.follows(symbol, next, agreed, nowMs);
        return isNext ? agreed : gaps.announcedMs(symbol, next, nowMs);
    }

    private LastAnnounced remember(Quote quote, long next, long interval, long nowMs) {
        LastAnnounced before = contracts.get(quote.symbol());
        boolean doubted = isDoubted(before, next, interval, nowMs);
        long since = before == null ? ALWAYS : before.intervalMs() == interval ? before.sinceMs() : nowMs;
        var now = new LastAnnounced(next, interval, doubted, since, nowMs);
        contracts.put(quote.symbol(), now);
        return now;
    }

    /** Whether two gaps contradict a list that was the same when the last of them closed. */
    private static boolean isContradicted(String symbol, LastAnnounced now, SettlementGaps gaps, long nowMs) {
        Long agreed = gaps.agreedMs(symbol, nowMs);
        return agreed != null && agreed != now.intervalMs() && gaps.newestMs(symbol) >= now.sinceMs();
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

    private static Quote with(Quote quote, long intervalMs, @Nullable Long next) {
        BigDecimal hours = BigDecimal.valueOf(intervalMs).divide(HOUR_MS, 0, RoundingMode.UNNECESSARY);
        return changed(quote, quote.rateHours(), hours, IntervalSource.ANNOUNCED_SETTLEMENTS, next);
    }

    /** A value for "the interval" covers an unknown time as well. */
    private static Quote withoutInterval(Quote quote, BigDecimal interval) {
        BigDecimal covered = quote.rateHours();
        return changed(
                quote,
                covered == null || covered.compareTo(interval) == 0 ? null : covered,
                null,
                null,
                quote.nextFundingMs());
    }

    private static Quote changed(
            Quote quote,
            @Nullable BigDecimal covered,
            @Nullable BigDecimal interval,
            @Nullable IntervalSource source,
            @Nullable Long next) {
        return Quote.CODEC.with(
                quote,
                "rate_hours",
                covered,
                "interval_h",
                interval,
                "interval_source",
                source,
                "next_funding_ms",
                next);
    }
}
