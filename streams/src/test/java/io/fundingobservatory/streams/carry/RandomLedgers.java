package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Settlements from a seed: constant or changing intervals, each basis, over the window and a day around it. */
final class RandomLedgers {
    static final long HOUR_MS = 3_600_000;
    static final long DAY_MS = 24 * HOUR_MS;
    static final long T = 1_790_000_000_000L / HOUR_MS * HOUR_MS;
    static final Window WINDOW = new Window(T);

    private static final int[] INTERVALS = {1, 4, 8};

    final Random random;

    RandomLedgers(long seed) {
        random = new Random(seed);
    }

    int interval() {
        return INTERVALS[random.nextInt(INTERVALS.length)];
    }

    BigDecimal rate() {
        return BigDecimal.valueOf(random.nextLong(40_001) - 20_000, 5 + random.nextInt(5));
    }

    KnownSettlement settlement(long settledMs, int intervalH) {
        return new KnownSettlement(
                settledMs, rate(), Basis.SETTLED, BigDecimal.valueOf(intervalH), settledMs + random.nextInt(60_000));
    }

    /** Every settlement of a constant interval from a day and more before the window to T, at a phase of its grid in whole hours. */
    List<KnownSettlement> constant(int intervalH, int phaseH) {
        var settlements = new ArrayList<KnownSettlement>();
        long last = T - Math.floorMod(phaseH, intervalH) * HOUR_MS;
        for (long at = last; at > WINDOW.startMs() - 24 * HOUR_MS; at -= intervalH * HOUR_MS) {
            settlements.add(settlement(at, intervalH));
        }
        Collections.reverse(settlements);
        return settlements;
    }

    /** A gapless run whose interval changes now and then, at any hour: a change need not fall on the grid of the new interval. */
    List<KnownSettlement> changing() {
        var settlements = new ArrayList<KnownSettlement>();
        int intervalH = interval();
        long at = WINDOW.startMs() - 30 * HOUR_MS;
        while (at + intervalH * HOUR_MS <= T) {
            at += intervalH * HOUR_MS;
            settlements.add(settlement(at, intervalH));
            if (random.nextInt(20) == 0) {
                intervalH = interval();
            }
        }
        return settlements;
    }

    /** The same settlements without the exchange's word on their intervals. */
    static List<KnownSettlement> withoutIntervals(List<KnownSettlement> settlements) {
        return settlements.stream()
                .map(p -> new KnownSettlement(p.settledMs(), p.rate(), p.basis(), null, p.observedAtMs()))
                .toList();
    }

    static KnownSettlement at(long settledMs, KnownSettlement p) {
        return new KnownSettlement(settledMs, p.rate(), p.basis(), p.intervalH(), p.observedAtMs());
    }

    static KnownSettlement as(Basis basis, BigDecimal rate, KnownSettlement p) {
        return new KnownSettlement(p.settledMs(), rate, basis, p.intervalH(), p.observedAtMs());
    }

    Contract contract(String venue, @Nullable Integer currentIntervalH) {
        return contract(venue, currentIntervalH, Long.MIN_VALUE);
    }

    Contract contract(String venue, @Nullable Integer currentIntervalH, long listedSinceMs) {
        return new Contract(
                new ContractKey(venue, "BTC-" + venue.toUpperCase(Locale.ROOT)),
                listedSinceMs == Long.MIN_VALUE ? 0 : 1,
                listedSinceMs,
                "BTC",
                "USDT",
                ContractType.LINEAR,
                currentIntervalH == null ? null : BigDecimal.valueOf(currentIntervalH),
                BigDecimal.valueOf(60_000 + random.nextInt(500)));
    }

    static ContractSettlements ledger(Iterable<KnownSettlement> settlements) {
        var ledger = new ContractSettlements();
        settlements.forEach(ledger::add);
        return ledger;
    }

    <E> List<E> shuffled(List<E> list) {
        var copy = new ArrayList<>(list);
        Collections.shuffle(copy, random);
        return copy;
    }
}
