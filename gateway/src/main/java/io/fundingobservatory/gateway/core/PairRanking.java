package io.fundingobservatory.gateway.core;

import io.fundingobservatory.topics.CarryPair;
import io.fundingobservatory.topics.CarryRefusal;
import io.fundingobservatory.topics.CarryTable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The pair tables of all assets as one ranking, put together once for each change and shared by the snapshots after it. */
public final class PairRanking {
    /** Tables of assets are renewed one after another; one that missed two whole hours is not being renewed any more. */
    private static final long LEFT_BEHIND_MS = 2 * 3_600_000L;

    private static final Comparator<Entry> BY_NAME = Comparator.comparing(Entry::asset)
            .thenComparing(entry -> entry.pair().shortLeg().venue())
            .thenComparing(entry -> entry.pair().shortLeg().symbol())
            .thenComparing(entry -> entry.pair().longLeg().venue())
            .thenComparing(entry -> entry.pair().longLeg().symbol());

    private final List<Entry> complete;
    private final List<Entry> incomplete;
    private final List<Refused> refused;
    private final Set<String> assets = new HashSet<>();
    private final long windowStartMs;
    private final long windowEndMs;
    private final int leftBehind;

    /** A pair, with the window of its asset's table. */
    record Entry(String asset, long windowEndMs, CarryPair pair) {}

    /** A pair that is none. */
    record Refused(String asset, CarryRefusal refusal) {}

    private PairRanking(Collection<CarryTable> tables) {
        var ranked = new ArrayList<Entry>();
        var others = new ArrayList<Entry>();
        var none = new ArrayList<Refused>();
        CarryTable newest = tables.stream()
                .max(Comparator.comparingLong(CarryTable::windowEndMs))
                .orElseThrow(() -> new IllegalArgumentException("a ranking needs a table"));
        windowStartMs = newest.windowStartMs();
        windowEndMs = newest.windowEndMs();
        int behind = 0;
        for (CarryTable table : tables) {
            assets.add(Scope.upper(table.asset()));
            if (windowEndMs - table.windowEndMs() > LEFT_BEHIND_MS) {
                behind++;
                continue;
            }
            for (CarryPair pair : table.pairs()) {
                var entry = new Entry(table.asset(), table.windowEndMs(), pair);
                (pair.complete() && pair.fundingDifference() != null ? ranked : others).add(entry);
            }
            table.refused().forEach(refusal -> none.add(new Refused(table.asset(), refusal)));
        }
        leftBehind = behind;
        ranked.sort(Comparator.comparing(PairRanking::difference).reversed().thenComparing(BY_NAME));
        others.sort(Comparator.comparingLong((Entry entry) -> entry.pair().days())
                .reversed()
                .thenComparing(BY_NAME));
        none.sort(Comparator.comparing(Refused::asset)
                .thenComparing(entry -> entry.refusal().venueA())
                .thenComparing(entry -> entry.refusal().symbolA())
                .thenComparing(entry -> entry.refusal().venueB())
                .thenComparing(entry -> entry.refusal().symbolB()));
        complete = List.copyOf(ranked);
        incomplete = List.copyOf(others);
        refused = List.copyOf(none);
    }

    /** Ranks every pair; there is at least one table. */
    public static PairRanking of(Collection<CarryTable> tables) {
        return new PairRanking(tables);
    }

    private static BigDecimal difference(Entry entry) {
        BigDecimal difference = entry.pair().fundingDifference();
        return difference == null ? BigDecimal.ZERO : difference;
    }

    /** Complete pairs, the largest difference first. */
    List<Entry> complete() {
        return complete;
    }

    /** The others, those with the most days first. */
    List<Entry> incomplete() {
        return incomplete;
    }

    List<Refused> refused() {
        return refused;
    }

    /** Every asset with a table, upper case. */
    Set<String> assets() {
        return assets;
    }

    long windowStartMs() {
        return windowStartMs;
    }

    long windowEndMs() {
        return windowEndMs;
    }

    /** Assets whose table is older than that by more than two hours; their pairs are not shown. */
    int leftBehind() {
        return leftBehind;
    }
}
