package io.fundingobservatory.ingest.backfill;

import io.fundingobservatory.ingest.spec.Instants;
import io.fundingobservatory.topics.records.SettledRate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The three newest settlements of each contract of a venue, from its settled history, and the interval that they show.
 * Instants are epoch ms.
 */
public final class SettlementGaps {
    private static final long TOLERANCE_MS = Instants.INTERVALS_AGREE_WITHIN_MS;
    private static final long HOUR_MS = 3_600_000;
    private static final int KEPT = 3;

    private final Map<String, List<Long>> bySymbol = new HashMap<>();

    /** Settled rates in any order, as often as they are read. */
    public void settled(List<SettledRate> rates) {
        rates.forEach(rate -> settled(rate.symbol(), rate.settledMs()));
    }

    public void settled(String symbol, long settledMs) {
        List<Long> newest = bySymbol.computeIfAbsent(symbol, s -> new ArrayList<>());
        if (newest.stream().noneMatch(known -> Math.abs(known - settledMs) <= TOLERANCE_MS)) {
            newest.add(settledMs);
            newest.sort(Comparator.reverseOrder());
            newest.subList(Math.min(KEPT, newest.size()), newest.size()).clear();
        }
    }

    /** The newest settlements of a contract, newest first; three at most. */
    List<Long> newest(String symbol) {
        return List.copyOf(bySymbol.getOrDefault(symbol, List.of()));
    }

    /** The newest settlement of a contract; long past when none is known. */
    public long newestMs(String symbol) {
        List<Long> newest = newest(symbol);
        return newest.isEmpty() ? Long.MIN_VALUE : newest.getFirst();
    }

    /** Forgets a contract that is no longer listed. */
    void forget(String symbol) {
        bySymbol.remove(symbol);
    }

    /** Whether the two newest settlements of a contract are further apart or nearer than an interval; false when they are not known. */
    public boolean contradict(String symbol, long intervalMs) {
        List<Long> newest = newest(symbol);
        return newest.size() > 1 && !agree(newest.get(0) - newest.get(1), intervalMs);
    }

    /**
     * The interval that the two newest gaps of a contract show, whole hours in ms. Null when they differ, are not known,
     * or are of the past: a settlement has been missing for an hour.
     */
    public @Nullable Long agreedMs(String symbol, long nowMs) {
        List<Long> newest = newest(symbol);
        Long gap = gap(newest, nowMs);
        return gap != null && newest.size() > 2 && agree(newest.get(1) - newest.get(2), gap) ? gap : null;
    }

    /** The newest gap of a contract, if the announced next settlement is as far from the newest; whole hours in ms. */
    public @Nullable Long announcedMs(String symbol, long nextMs, long nowMs) {
        Long gap = gap(newest(symbol), nowMs);
        return gap != null && agree(nextMs - newestMs(symbol), gap) ? gap : null;
    }

    /** Whether an announced settlement is the next one after those that are known, at an interval. */
    public boolean follows(String symbol, long nextMs, long intervalMs, long nowMs) {
        List<Long> newest = newest(symbol);
        long apart = newest.isEmpty() ? 0 : Math.floorMod(nextMs - newest.getFirst(), intervalMs);
        return Math.min(apart, intervalMs - apart) <= TOLERANCE_MS && nextMs - nowMs <= intervalMs + TOLERANCE_MS;
    }

    /** The newest gap, if it is about a number of hours and no settlement has been missing since. */
    private static @Nullable Long gap(List<Long> newest, long nowMs) {
        if (newest.size() < 2) {
            return null;
        }
        long gap = Math.round((double) (newest.get(0) - newest.get(1)) / HOUR_MS) * HOUR_MS;
        boolean isOfToday = nowMs - newest.get(0) <= gap + HOUR_MS;
        return gap > 0 && isOfToday && agree(newest.get(0) - newest.get(1), gap) ? gap : null;
    }

    private static boolean agree(long gapMs, long intervalMs) {
        return Math.abs(gapMs - intervalMs) <= TOLERANCE_MS;
    }
}
