package io.fundingobservatory.gateway.core.pairs;

import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The pair tables of all assets as one ranking, put together once for each change and shared by the snapshots after it. */
public final class PairRanking {
    /** Tables of assets are renewed one after another; one that missed two whole hours is not being renewed any more. */
    private static final long LEFT_BEHIND_MS = 2 * 3_600_000L;

    private static final Comparator<RankedPair> BY_NAME = Comparator.comparing(RankedPair::asset)
            .thenComparing(pair -> pair.shortLeg().venue())
            .thenComparing(pair -> pair.shortLeg().symbol())
            .thenComparing(pair -> pair.longLeg().venue())
            .thenComparing(pair -> pair.longLeg().symbol());

    private static final Comparator<RankedPair> BY_DIFFERENCE = Comparator.comparing(
                    (RankedPair pair) -> Objects.requireNonNullElse(pair.difference(), BigDecimal.ZERO))
            .reversed()
            .thenComparing(BY_NAME);

    private static final Comparator<RankedPair> BY_DAYS =
            Comparator.comparingInt(RankedPair::days).reversed().thenComparing(BY_NAME);

    private static final Comparator<Refused> REFUSED_BY_NAME = Comparator.comparing(Refused::asset)
            .thenComparing(entry -> entry.refusal().venueA())
            .thenComparing(entry -> entry.refusal().symbolA())
            .thenComparing(entry -> entry.refusal().venueB())
            .thenComparing(entry -> entry.refusal().symbolB());

    private final RankedList<RankedPair> complete;
    private final RankedList<RankedPair> incomplete;
    private final RankedList<Refused> refused;
    private final Set<String> assets = new HashSet<>();
    private final long windowStartMs;
    private final long windowEndMs;
    private final int leftBehind;

    /** Two contracts under one name that are no pair. */
    public record Refused(String asset, CarryRefusal refusal) {}

    private PairRanking(Collection<AssetPairs> tables) {
        var ranked = new ArrayList<RankedPair>();
        var others = new ArrayList<RankedPair>();
        var none = new ArrayList<Refused>();
        AssetPairs newest = tables.stream()
                .max(Comparator.comparingLong(AssetPairs::windowEndMs))
                .orElseThrow(() -> new IllegalArgumentException("a ranking needs a table"));
        windowStartMs = newest.windowStartMs();
        windowEndMs = newest.windowEndMs();
        int behind = 0;
        for (AssetPairs table : tables) {
            assets.add(Scope.upper(table.asset()));
            if (windowEndMs - table.windowEndMs() > LEFT_BEHIND_MS) {
                behind++;
                continue;
            }
            table.pairs().forEach(pair -> (pair.complete() ? ranked : others).add(pair));
            table.refused().forEach(refusal -> none.add(new Refused(table.asset(), refusal)));
        }
        leftBehind = behind;
        complete = list(ranked, BY_DIFFERENCE);
        incomplete = list(others, BY_DAYS);
        refused = new RankedList<>(
                none,
                REFUSED_BY_NAME,
                Refused::asset,
                entry -> VenueSet.of(entry.refusal().venueA(), entry.refusal().venueB()));
    }

    private static RankedList<RankedPair> list(List<RankedPair> pairs, Comparator<RankedPair> order) {
        return new RankedList<>(
                pairs,
                order,
                RankedPair::asset,
                pair -> VenueSet.of(pair.longLeg().venue(), pair.shortLeg().venue()));
    }

    /** Ranks the pairs of these tables; there is at least one. */
    public static PairRanking of(Collection<CarryTable> tables) {
        return ofAssets(tables.stream().map(AssetPairs::of).toList());
    }

    /** Ranks the pairs of these assets; there is at least one. */
    public static PairRanking ofAssets(Collection<AssetPairs> tables) {
        return new PairRanking(tables);
    }

    /** How many pairs are ranked. */
    public int size() {
        return complete.size();
    }

    /** Complete pairs, the largest difference first. */
    public RankedList<RankedPair> complete() {
        return complete;
    }

    /** The others, those with the most days first. */
    public RankedList<RankedPair> incomplete() {
        return incomplete;
    }

    /** Pairs that are not compared, with the reason of each. */
    public RankedList<Refused> refused() {
        return refused;
    }

    /** Whether there is a table of an asset, named in upper case. */
    public boolean hasAsset(String upperCase) {
        return assets.contains(upperCase);
    }

    /** Where the 30 days begin, not included; epoch ms UTC. */
    public long windowStartMs() {
        return windowStartMs;
    }

    /** Where the 30 days end, included; epoch ms UTC. */
    public long windowEndMs() {
        return windowEndMs;
    }

    /** Assets whose table is older than that by more than two hours; their pairs are not shown. */
    public int leftBehind() {
        return leftBehind;
    }
}
