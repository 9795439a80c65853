package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.Ledger;
import io.fundingobservatory.streams.settlements.LedgerSettlement;
import io.fundingobservatory.streams.settlements.Window;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is missing among the settlements of a contract, and what is too many. Instants are counted, never listed: an interval of a minute
 * has 43,200 of them in a window.
 */
final class Gaps {
    /** Stamps that differ by less are of one grid. */
    private static final long JITTER_MS = 60_000;

    /** Upper limit of a stamp's delay: the latest stamp that was seen came 559 s after its hour. */
    private static final long LATE_STAMP_MS = 10 * 60_000;

    /**
     * Two late stamps in a row. A distance that differs more from its interval means one missing or one too
     * many.
     */
    private static final long TOLERANCE_MS = 2 * LATE_STAMP_MS;

    private static final long NEVER_MS = Long.MAX_VALUE / 4;

    private final List<LedgerSettlement> settlements;
    private final @Nullable LedgerSettlement next;
    private final NavigableSet<Long> announced;
    private final Window window;
    private final @Nullable Long currentIntervalMs;
    private long missing;
    private long missingAtTheEnd;
    private long lastMissingMs = Long.MIN_VALUE;
    private long contradictionMs = Long.MIN_VALUE;
    private long surplusMs;

    /**
     * Counts what is missing and what is too many.
     *
     * @param settlements up to T, oldest first, close stamps merged
     * @param next the first one after T; null when none is known
     * @param announced the announced instants that took place
     * @param currentIntervalMs the contract's interval as announced now; null when unknown
     */
    Gaps(
            List<LedgerSettlement> settlements,
            @Nullable LedgerSettlement next,
            NavigableSet<Long> announced,
            Window window,
            @Nullable Long currentIntervalMs) {
        this.settlements = settlements;
        this.next = next;
        this.announced = announced;
        this.window = window;
        this.currentIntervalMs = currentIntervalMs;
        if (settlements.isEmpty()) {
            count(-NEVER_MS, NEVER_MS, null);
            missingAtTheEnd = missing;
            return;
        }
        for (int i = 1; i < settlements.size(); i++) {
            between(i);
        }
        long before = missing;
        afterTheLast();
        missingAtTheEnd = missing - before;
        tally();
    }

    List<LedgerSettlement> settlements() {
        return settlements;
    }

    /** How many are missing in the window. */
    long missing() {
        return missing;
    }

    /** The newest instant at which anything is missing or too many, epoch ms; {@link Long#MIN_VALUE} when nothing is. */
    long clearSinceMs() {
        return Math.max(lastMissingMs, contradictionMs);
    }

    /** The beginning of what the first settlement closed, epoch ms. */
    long coveredSinceMs() {
        LedgerSettlement first = settlements.getFirst();
        Long closed = first.intervalMs();
        Long second = settlements.size() > 1 ? Long.valueOf(stampsApart(1)) : currentIntervalMs;
        return first.settledMs() - (closed != null ? closed : second != null ? second : 0);
    }

    /** Why {@link #clearSinceMs} is not earlier. */
    String reason() {
        if (contradictionMs >= lastMissingMs) {
            return Coverage.CONTRADICTORY;
        }
        boolean onlyTheEnd = missingAtTheEnd == 1
                && (settlements.isEmpty()
                        || lastMissingMs > settlements.getLast().settledMs());
        return onlyTheEnd ? Coverage.SETTLEMENT_PENDING : Coverage.GAP;
    }

    private void between(int i) {
        long earlierMs = settlements.get(i - 1).settledMs();
        long laterMs = settlements.get(i).settledMs();
        if (laterMs <= window.startMs()) {
            return;
        }
        long apartMs = laterMs - earlierMs;
        long closedMs = closed(i);
        // One stamp can be late and the next on time; what is too early by more is one too many.
        surplusMs = Math.max(0, surplusMs + closedMs - apartMs);
        if (surplusMs > Math.min(TOLERANCE_MS, closedMs / 2)) {
            contradictionMs = laterMs;
            surplusMs = Math.max(0, surplusMs - closedMs);
        }
        count(earlierMs, laterMs, closedMs);
    }

    /**
     * The interval that a settlement closed, in ms. A published or announced interval is used unchanged.
     * Otherwise it is the distance to the settlement before, unless the neighbouring intervals are shorter.
     * Where an interval changes, a lost settlement looks like the longer interval (4, 8 for 4, 4, 4). Only
     * the venue's own interval distinguishes the two.
     */
    private long closed(int i) {
        Long published = settlements.get(i).intervalMs();
        if (published != null) {
            return published;
        }
        long apartMs = stampsApart(i);
        if (apartMs + JITTER_MS < Ledger.SHORTEST_INFERRED_MS) {
            return Ledger.SHORTEST_INFERRED_MS;
        }
        boolean isLast = i + 1 == settlements.size();
        long before = Objects.requireNonNullElse(intervalOf(i - 1), apartMs);
        long after = isLast ? Objects.requireNonNullElse(currentIntervalMs, before) : orApart(i + 1);
        long shorter = Math.min(before, after);
        // The last one closed a shorter interval than any before: so it did if that is the interval now.
        return apartMs > shorter + JITTER_MS || (isLast && apartMs < shorter) ? shorter : apartMs;
    }

    private @Nullable Long intervalOf(int i) {
        return i == 0 ? settlements.getFirst().intervalMs() : Long.valueOf(orApart(i));
    }

    private long orApart(int i) {
        Long published = settlements.get(i).intervalMs();
        return published != null ? published : stampsApart(i);
    }

    /** The distance to the settlement before, as far as an interval is inferred from it. */
    private long stampsApart(int i) {
        return Math.min(
                settlements.get(i).settledMs() - settlements.get(i - 1).settledMs(), Ledger.LONGEST_INFERRED_MS);
    }

    private void afterTheLast() {
        LedgerSettlement last = settlements.getLast();
        if (next != null) {
            count(last.settledMs(), next.settledMs(), next.intervalMs() != null ? next.intervalMs() : intervalNow());
            return;
        }
        long interval = intervalNow();
        // The last stamp may be late, and what takes place at T is not.
        long expected = (window.endMs() - last.settledMs() + Math.min(LATE_STAMP_MS, interval / 6)) / interval;
        // As if the next after T were known.
        count(last.settledMs(), Math.min(last.settledMs() + expected * interval, window.endMs()) + interval, interval);
    }

    private long intervalNow() {
        Long interval = currentIntervalMs != null ? currentIntervalMs : intervalOf(settlements.size() - 1);
        return interval != null ? interval : Ledger.LONGEST_INFERRED_MS;
    }

    /**
     * An interval that divides the day gives exactly so many settlements in every window. One more is at its beginning, stamped late. One
     * fewer, with none missing between them, is at its end: its stamp is late and lies after T.
     */
    private void tally() {
        long shortestMs = Long.MAX_VALUE;
        long longestMs = 0;
        int first = settlements.size();
        for (int i = settlements.size() - 1; i >= 0 && settlements.get(i).settledMs() > window.startMs(); i--) {
            first = i;
            if (i == 0) {
                break; // what the first one closed may be unknown
            }
            shortestMs = Math.min(shortestMs, closed(i));
            longestMs = Math.max(longestMs, closed(i));
        }
        long hours = wholeHours(shortestMs);
        if (longestMs == 0 || hours == 0 || hours > 24 || 24 % hours != 0) {
            return;
        }
        long tooMany = (settlements.size() - (long) first) * hours - Window.DAYS * 24L;
        if (tooMany > 0) {
            contradictionMs = Math.max(contradictionMs, settlements.get(first).settledMs());
        } else if (tooMany < 0
                && missing == 0
                && wholeHours(longestMs) == hours
                && coveredSinceMs() <= window.startMs()) {
            missing = 1;
            missingAtTheEnd = 1;
            lastMissingMs = window.endMs();
        }
    }

    private static long wholeHours(long intervalMs) {
        return (intervalMs + LATE_STAMP_MS) / Window.HOUR_MS;
    }

    /**
     * Counts the settlements that are missing up to T between two known ones. These are as many as the
     * interval has room for, and the announced ones in addition.
     *
     * @param earlierMs the one before, epoch ms
     * @param laterMs the one after
     * @param intervalMs the interval that the later one closed; null when unknown
     */
    private void count(long earlierMs, long laterMs, @Nullable Long intervalMs) {
        long room = 0;
        if (intervalMs != null) {
            long afterMs = Math.max(earlierMs + Math.min(TOLERANCE_MS, intervalMs / 2), window.startMs());
            room = Math.max(0, laterMs - afterMs - 1) / intervalMs;
            long beyond = Math.max(0, Math.ceilDiv(laterMs - window.endMs(), intervalMs) - 1);
            if (room > beyond) {
                missing += room - beyond;
                lastMissingMs = Math.max(lastMissingMs, laterMs - (beyond + 1) * intervalMs);
            }
        }
        for (long instant : announced.subSet(earlierMs, false, laterMs, false)) {
            if (instant > window.startMs()
                    && instant <= window.endMs()
                    && !known(instant, earlierMs, laterMs, intervalMs, room)) {
                missing++;
                lastMissingMs = Math.max(lastMissingMs, instant);
            }
        }
    }

    /** Whether an announced instant is that of a settlement, or one that the interval has room for: closer than half of the interval. */
    private static boolean known(long instant, long earlierMs, long laterMs, @Nullable Long intervalMs, long room) {
        long interval = intervalMs == null ? Ledger.SHORTEST_INFERRED_MS : intervalMs;
        if (2 * (instant - earlierMs) < interval || 2 * (laterMs - instant) < interval) {
            return true;
        }
        long back = (laterMs - instant + interval / 2) / interval;
        return back <= room && 2 * Math.abs(laterMs - back * interval - instant) < interval;
    }
}
