package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.Window;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is missing among the settlements of a contract, and what is too many. Instants are counted, never listed: an interval of a minute
 * has 43,200 of them in a window.
 *
 * <p>Examples have a contract that settles every 8 hours, at 0, 8 and 16.
 *
 * @param settlements up to T, oldest first, close stamps merged
 * @param between missing between two settlements
 * @param atTheEnd missing after the last one, up to T; without settlements all
 * @param contradictionMs the newest instant at which there is one too many, epoch ms; {@link #NEVER} when there is none
 * @param coveredSinceMs the beginning of what the first settlement closed, epoch ms; without meaning where there is none
 */
record Gaps(
        List<KnownSettlement> settlements,
        Missing between,
        Missing atTheEnd,
        long contradictionMs,
        long coveredSinceMs) {
    static final long NEVER = Long.MIN_VALUE;

    /** Stamps that differ by less are of one grid. */
    private static final long JITTER_MS = 60_000;

    /** Upper limit of a stamp's delay: the latest stamp that was seen came 559 s after its hour. */
    private static final long LATE_STAMP_MS = 10 * 60_000;

    /**
     * Two late stamps in a row. A distance that differs more from its interval means one missing or one too
     * many.
     */
    private static final long TOLERANCE_MS = 2 * LATE_STAMP_MS;

    private static final long BEYOND_ANY_MS = Long.MAX_VALUE / 4;

    /**
     * Settlements that are missing in the window.
     *
     * @param count how many
     * @param lastMs the instant of the newest, epoch ms; {@link #NEVER} when none is
     */
    record Missing(long count, long lastMs) {
        static final Missing NONE = new Missing(0, NEVER);

        private Missing and(Missing other) {
            return new Missing(count + other.count, Math.max(lastMs, other.lastMs));
        }
    }

    /**
     * Counts what is missing and what is too many.
     *
     * @param settlements up to T, oldest first, close stamps merged
     * @param next the first one after T; null when none is known
     * @param announced the announced instants that took place
     * @param currentIntervalMs the contract's interval as announced now; null when unknown
     */
    static Gaps of(
            List<KnownSettlement> settlements,
            @Nullable KnownSettlement next,
            NavigableSet<Long> announced,
            Window window,
            @Nullable Long currentIntervalMs) {
        var expected = new Expected(announced, window);
        if (settlements.isEmpty()) {
            Missing all = expected.missing(-BEYOND_ANY_MS, BEYOND_ANY_MS, null);
            return new Gaps(settlements, Missing.NONE, all, NEVER, NEVER);
        }
        var intervals = new Intervals(settlements, currentIntervalMs);
        Missing between = between(settlements, intervals, expected);
        Missing atTheEnd = afterTheLast(settlements.getLast(), next, intervals, expected);
        long coveredSinceMs = intervals.coveredSinceMs();
        long contradictionMs = contradictionMs(settlements, intervals, window);
        long surplus = surplus(settlements, intervals, window);
        if (surplus > 0) {
            int first = firstAfter(settlements, window.startMs());
            contradictionMs = Math.max(contradictionMs, settlements.get(first).settledMs());
        }
        boolean lacksOne = surplus < 0
                && between.count() + atTheEnd.count() == 0
                && intervals.areEqualSince(firstAfter(settlements, window.startMs()))
                && coveredSinceMs <= window.startMs();
        return new Gaps(
                settlements,
                between,
                lacksOne ? new Missing(1, window.endMs()) : atTheEnd,
                contradictionMs,
                coveredSinceMs);
    }

    /** How many are missing in the window. */
    long missing() {
        return between.count() + atTheEnd.count();
    }

    private long lastMissingMs() {
        return Math.max(between.lastMs(), atTheEnd.lastMs());
    }

    /** The newest instant at which anything is missing or too many, epoch ms; {@link #NEVER} when nothing is. */
    long clearSinceMs() {
        return Math.max(lastMissingMs(), contradictionMs);
    }

    /** Why {@link #clearSinceMs} is not earlier. */
    String reason() {
        if (contradictionMs >= lastMissingMs()) {
            return Coverage.CONTRADICTORY;
        }
        boolean onlyTheEnd = atTheEnd.count() == 1
                && (settlements.isEmpty()
                        || lastMissingMs() > settlements.getLast().settledMs());
        return onlyTheEnd ? Coverage.SETTLEMENT_PENDING : Coverage.GAP;
    }

    /** Between two settlements. Of 0, 16 one is missing: that of 8. */
    private static Missing between(List<KnownSettlement> settlements, Intervals intervals, Expected expected) {
        var missing = Missing.NONE;
        for (int i = 1; i < settlements.size(); i++) {
            long laterMs = settlements.get(i).settledMs();
            if (laterMs > expected.window.startMs()) {
                missing = missing.and(
                        expected.missing(settlements.get(i - 1).settledMs(), laterMs, intervals.closedMs(i)));
            }
        }
        return missing;
    }

    /** After the last one. With T at 16:00 and the last of 8:00 one is missing, which may still come. */
    private static Missing afterTheLast(
            KnownSettlement last, @Nullable KnownSettlement next, Intervals intervals, Expected expected) {
        long nowMs = intervals.nowMs();
        if (next != null) {
            Long closed = next.intervalMs();
            return expected.missing(last.settledMs(), next.settledMs(), closed != null ? closed : Long.valueOf(nowMs));
        }
        long endMs = expected.window.endMs();
        // The last stamp may be late, and what takes place at T is not.
        long due = (endMs - last.settledMs() + Math.min(LATE_STAMP_MS, nowMs / 6)) / nowMs;
        // As if the next after T were known.
        return expected.missing(
                last.settledMs(), Math.min(last.settledMs() + due * nowMs, endMs) + nowMs, Long.valueOf(nowMs));
    }

    /**
     * The newest instant at which there is one too many, epoch ms; {@link #NEVER} when there is none. Of 0, 8, 12, 16 the one of 12 is: it
     * closes 8 hours and comes 4 after the one before. One stamp can be late and the next on time: early minutes add up.
     */
    private static long contradictionMs(List<KnownSettlement> settlements, Intervals intervals, Window window) {
        long earlyMs = 0;
        long contradictionMs = NEVER;
        for (int i = 1; i < settlements.size(); i++) {
            long laterMs = settlements.get(i).settledMs();
            if (laterMs <= window.startMs()) {
                continue;
            }
            long closedMs = intervals.closedMs(i);
            earlyMs = Math.max(
                    0, earlyMs + closedMs - (laterMs - settlements.get(i - 1).settledMs()));
            if (earlyMs > Math.min(TOLERANCE_MS, closedMs / 2)) {
                contradictionMs = laterMs;
                earlyMs = Math.max(0, earlyMs - closedMs);
            }
        }
        return contradictionMs;
    }

    /**
     * By how many hours the settlements are more, or fewer, than 720 hours have room for; 0 where that is not certain. An interval that
     * divides the day gives exactly so many in every window: 90 of 8 hours. With 91 the first is of the hour before, stamped late. With 89
     * and none missing between them, the last is stamped late and lies after T.
     */
    private static long surplus(List<KnownSettlement> settlements, Intervals intervals, Window window) {
        int first = firstAfter(settlements, window.startMs());
        long shortestMs = Long.MAX_VALUE;
        // What the first one of all closed may be unknown.
        for (int i = Math.max(1, first); i < settlements.size(); i++) {
            shortestMs = Math.min(shortestMs, intervals.closedMs(i));
        }
        long hours = shortestMs == Long.MAX_VALUE ? 0 : wholeHours(shortestMs);
        return hours == 0 || hours > 24 || 24 % hours != 0
                ? 0
                : (settlements.size() - (long) first) * hours - Window.DAYS * 24L;
    }

    private static int firstAfter(List<KnownSettlement> settlements, long instantMs) {
        int first = settlements.size();
        while (first > 0 && settlements.get(first - 1).settledMs() > instantMs) {
            first--;
        }
        return first;
    }

    private static long wholeHours(long intervalMs) {
        return (intervalMs + LATE_STAMP_MS) / Window.HOUR_MS;
    }

    /** The intervals that settlements closed, by their place in the list. */
    private record Intervals(
            List<KnownSettlement> settlements, @Nullable Long currentIntervalMs) {
        /**
         * The interval that a settlement closed, in ms; it is not the first one. A published or announced interval is used unchanged.
         * Otherwise it is the distance to the settlement before, unless the neighbouring intervals are shorter. Of 0, 8, 24 the
         * last one closed 8 hours, and one is missing. Where an interval changes, a lost settlement looks like the longer
         * interval (4, 8 for 4, 4, 4). Only the venue's own interval distinguishes the two.
         */
        long closedMs(int i) {
            Long published = settlements.get(i).intervalMs();
            if (published != null) {
                return published;
            }
            long apartMs = apartMs(i);
            if (apartMs + JITTER_MS < ContractSettlements.SHORTEST_INFERRED_MS) {
                return ContractSettlements.SHORTEST_INFERRED_MS;
            }
            boolean isLast = i + 1 == settlements.size();
            long before = Objects.requireNonNullElse(of(i - 1), apartMs);
            long after = isLast ? Objects.requireNonNullElse(currentIntervalMs, before) : orApart(i + 1);
            long shorter = Math.min(before, after);
            // The last one closed a shorter interval than any before: so it did if that is the interval now.
            return apartMs > shorter + JITTER_MS || (isLast && apartMs < shorter) ? shorter : apartMs;
        }

        private @Nullable Long of(int i) {
            return i == 0 ? settlements.getFirst().intervalMs() : Long.valueOf(orApart(i));
        }

        private long orApart(int i) {
            Long published = settlements.get(i).intervalMs();
            return published != null ? published : apartMs(i);
        }

        /** The distance to the settlement before, as far as an interval is inferred from it. */
        private long apartMs(int i) {
            return Math.min(
                    settlements.get(i).settledMs() - settlements.get(i - 1).settledMs(),
                    ContractSettlements.LONGEST_INFERRED_MS);
        }

        /** The interval of the next settlement. */
        long nowMs() {
            Long interval = currentIntervalMs != null ? currentIntervalMs : of(settlements.size() - 1);
            return interval != null ? interval : ContractSettlements.LONGEST_INFERRED_MS;
        }

        /** The beginning of what the first settlement closed, epoch ms. */
        long coveredSinceMs() {
            KnownSettlement first = settlements.getFirst();
            Long closed = first.intervalMs();
            Long second = settlements.size() > 1 ? Long.valueOf(apartMs(1)) : currentIntervalMs;
            return first.settledMs() - (closed != null ? closed : second != null ? second : 0);
        }

        /** Whether all from a place on closed as many whole hours. */
        boolean areEqualSince(int first) {
            return IntStream.range(Math.max(1, first), settlements.size())
                            .mapToLong(i -> wholeHours(closedMs(i)))
                            .distinct()
                            .count()
                    == 1;
        }
    }

    /** The settlements that a window has room for. */
    private record Expected(NavigableSet<Long> announced, Window window) {
        /**
         * Counts the settlements that are missing up to T between two known ones. These are as many as the
         * interval has room for, and the announced ones in addition. Of 0, 8 it is the one that was announced for 4.
         *
         * @param earlierMs the one before, epoch ms
         * @param laterMs the one after
         * @param intervalMs the interval that the later one closed; null when unknown
         */
        Missing missing(long earlierMs, long laterMs, @Nullable Long intervalMs) {
            long room = 0;
            var missing = Missing.NONE;
            if (intervalMs != null) {
                long afterMs = Math.max(earlierMs + Math.min(TOLERANCE_MS, intervalMs / 2), window.startMs());
                room = Math.max(0, laterMs - afterMs - 1) / intervalMs;
                long beyond = Math.max(0, Math.ceilDiv(laterMs - window.endMs(), intervalMs) - 1);
                if (room > beyond) {
                    missing = new Missing(room - beyond, laterMs - (beyond + 1) * intervalMs);
                }
            }
            for (long instant : announced.subSet(earlierMs, false, laterMs, false)) {
                if (instant > window.startMs()
                        && instant <= window.endMs()
                        && !isKnown(instant, earlierMs, laterMs, intervalMs, room)) {
                    missing = missing.and(new Missing(1, instant));
                }
            }
            return missing;
        }

        /** Whether an announced instant is that of a settlement, or one that the interval has room for: closer than half of the interval. */
        private static boolean isKnown(
                long instant, long earlierMs, long laterMs, @Nullable Long intervalMs, long room) {
            long interval = intervalMs == null ? ContractSettlements.SHORTEST_INFERRED_MS : intervalMs;
            if (2 * (instant - earlierMs) < interval || 2 * (laterMs - instant) < interval) {
                return true;
            }
            long back = (laterMs - instant + interval / 2) / interval;
            return back <= room && 2 * Math.abs(laterMs - back * interval - instant) < interval;
        }
    }
}
