package io.fundingobservatory.gateway.core.pairs;

import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The pair tables of all assets as one ranking. Each is merged of the one before it and of what changed. Immutable. */
public final class PairRanking {
    /** Tables of assets are renewed one after another; one that is two whole hours off is of another window. */
    private static final long OTHER_WINDOW_MS = 2 * 3_600_000L;

    private static final Comparator<RankedPair> BY_NAME = Comparator.comparing(RankedPair::asset)
            .thenComparing(pair -> pair.shortLeg().venue())
            .thenComparing(pair -> pair.shortLeg().symbol())
            .thenComparing(pair -> pair.longLeg().venue())
            .thenComparing(pair -> pair.longLeg().symbol());

    private static final Comparator<RankedPair> BY_DIFFERENCE =
            ((Comparator<RankedPair>) RankedPair::compareDifference).reversed().thenComparing(BY_NAME);

    private static final Comparator<RankedPair> BY_DAYS =
            Comparator.comparingInt(RankedPair::days).reversed().thenComparing(BY_NAME);

    private static final Comparator<Refused> REFUSED_BY_NAME = Comparator.comparing(Refused::asset)
            .thenComparing(entry -> entry.refusal().venueA())
            .thenComparing(entry -> entry.refusal().symbolA())
            .thenComparing(entry -> entry.refusal().venueB())
            .thenComparing(entry -> entry.refusal().symbolB());

    private static final PairRanking EMPTY = none("");

    private final Map<String, AssetPairs> shown;
    private final RankedList<RankedPair> complete;
    private final RankedList<RankedPair> incomplete;
    private final RankedList<Refused> refused;
    private final Set<String> assets;
    private final @Nullable Long windowStartMs;
    private final @Nullable Long windowEndMs;
    private final int leftOut;
    private final @Nullable String whyNone;

    public record Refused(String asset, CarryRefusal refusal) {}

    private PairRanking(String whyNone) {
        this.shown = Map.of();
        this.complete = new RankedList<>(BY_DIFFERENCE, RankedPair::asset, PairRanking::venues);
        this.incomplete = new RankedList<>(BY_DAYS, RankedPair::asset, PairRanking::venues);
        this.refused = new RankedList<>(
                REFUSED_BY_NAME,
                Refused::asset,
                entry -> RankedList.VenueSet.of(
                        entry.refusal().venueA(), entry.refusal().venueB()));
        this.assets = Set.of();
        this.windowStartMs = null;
        this.windowEndMs = null;
        this.leftOut = 0;
        this.whyNone = whyNone;
    }

    private PairRanking(PairRanking before, Collection<AssetPairs> tables) {
        AssetPairs window = window(tables);
        windowStartMs = window.windowStartMs();
        windowEndMs = window.windowEndMs();
        whyNone = null;
        assets = tables.stream().map(table -> Scope.upper(table.asset())).collect(Collectors.toUnmodifiableSet());
        shown = new HashMap<>();
        for (AssetPairs table : tables) {
            if (Math.abs(windowEndMs - table.windowEndMs()) <= OTHER_WINDOW_MS) {
                shown.put(table.asset(), table);
            }
        }
        leftOut = tables.size() - shown.size();
        var gone = new HashSet<String>();
        before.shown.forEach((asset, table) -> {
            if (!table.equals(shown.get(asset))) {
                gone.add(asset);
            }
        });
        var ranked = new ArrayList<RankedPair>();
        var others = new ArrayList<RankedPair>();
        var none = new ArrayList<Refused>();
        shown.forEach((asset, table) -> {
            if (!table.equals(before.shown.get(asset))) {
                table.pairs().forEach(pair -> (pair.complete() ? ranked : others).add(pair));
                table.refused().forEach(refusal -> none.add(new Refused(asset, refusal)));
            }
        });
        complete = before.complete.merge(gone, ranked);
        incomplete = before.incomplete.merge(gone, others);
        refused = before.refused.merge(gone, none);
    }

    /** A table of the window that most pairs have: one that lies ahead, or behind, hides no other. */
    private static AssetPairs window(Collection<AssetPairs> tables) {
        var pairs = new HashMap<Long, Long>();
        tables.forEach(
                table -> pairs.merge(table.windowEndMs(), 1L + table.pairs().size(), Long::sum));
        Comparator<AssetPairs> byPairs = Comparator.comparingLong(table -> pairs.getOrDefault(table.windowEndMs(), 0L));
        return tables.stream()
                .max(byPairs.thenComparingLong(AssetPairs::windowEndMs))
                .orElseThrow(() -> new IllegalArgumentException("a ranking needs a table"));
    }

    private static long venues(RankedPair pair) {
        return RankedList.VenueSet.of(pair.longLeg().venue(), pair.shortLeg().venue());
    }

    /** Ranks the pairs of these tables; there is at least one. */
    public static PairRanking of(Collection<CarryTable> tables) {
        return ofAssets(tables.stream().map(AssetPairs::of).toList());
    }

    /** Ranks the pairs of these assets; there is at least one. */
    public static PairRanking ofAssets(Collection<AssetPairs> tables) {
        return EMPTY.with(tables);
    }

    /** Stands where there is no table to be ranked; why, in a line. */
    public static PairRanking none(String why) {
        return new PairRanking(why);
    }

    /** The ranking of these assets; there is at least one. Of tables that this ranking has as well, no pair is sorted again. */
    public PairRanking with(Collection<AssetPairs> tables) {
        return new PairRanking(this, tables);
    }

    /** Why there is no table at all; null where there is one. */
    public @Nullable String whyNone() {
        return whyNone;
    }

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

    /** How many pairs assets have, named in upper case, whatever their venues; 0 where none is named. */
    public int pairsOf(@Nullable Set<String> upperCase) {
        return upperCase == null
                ? 0
                : upperCase.stream()
                        .mapToInt(asset -> complete.count(asset) + incomplete.count(asset))
                        .sum();
    }

    /** Whether there is a table of an asset, named in upper case. */
    public boolean hasAsset(String upperCase) {
        return assets.contains(upperCase);
    }

    /** Where the 30 days begin, not included; epoch ms UTC; null without a table. */
    public @Nullable Long windowStartMs() {
        return windowStartMs;
    }

    /** Where the 30 days end, included; epoch ms UTC; null without a table. */
    public @Nullable Long windowEndMs() {
        return windowEndMs;
    }

    /** Assets whose table is of another window, by more than two hours; their pairs are not shown. */
    public int leftOut() {
        return leftOut;
    }
}
