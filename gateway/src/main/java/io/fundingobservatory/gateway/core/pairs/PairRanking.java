package io.fundingobservatory.gateway.core.pairs;

import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.topics.carry.CarryRefusal;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The pair tables of all assets as one ranking. Each is merged of the one before it and of what changed. Immutable.
 *
 * @param shown the tables whose pairs are ranked, by asset
 * @param complete complete pairs, the largest difference first
 * @param incomplete the others, those with the most days first
 * @param refused pairs that are not compared, with the reason of each
 * @param assets those with a table, in upper case
 * @param windowStartMs where the 30 days begin, not included; epoch ms UTC; null without a table
 * @param windowEndMs where the 30 days end, included; epoch ms UTC; null without a table
 * @param leftOut assets whose table is of another window, by more than two hours; their pairs are not shown
 * @param whyNone why there is no table at all; null where there is one
 */
public record PairRanking(
        Map<String, AssetPairs> shown,
        RankedList<RankedPair> complete,
        RankedList<RankedPair> incomplete,
        RankedList<Refused> refused,
        Set<String> assets,
        @Nullable Long windowStartMs,
        @Nullable Long windowEndMs,
        int leftOut,
        @Nullable String whyNone) {
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

    public record Refused(String asset, CarryRefusal refusal) implements RankedList.Entry {
        @Override
        public String oneVenue() {
            return refusal.venueA();
        }

        @Override
        public String otherVenue() {
            return refusal.venueB();
        }
    }

    /** Stands where there is no table to be ranked; why, in a line. */
    public static PairRanking none(String why) {
        return new PairRanking(
                Map.of(),
                new RankedList<>(BY_DIFFERENCE, table -> table.pairs().stream().filter(RankedPair::complete)),
                new RankedList<>(BY_DAYS, table -> table.pairs().stream().filter(pair -> !pair.complete())),
                new RankedList<>(REFUSED_BY_NAME, table -> table.refused().stream()),
                Set.of(),
                null,
                null,
                0,
                why);
    }

    /** The ranking of these assets; there is at least one. Of tables that this ranking has as well, no pair is sorted again. */
    public PairRanking with(Collection<AssetPairs> tables) {
        AssetPairs window = window(tables);
        Map<String, AssetPairs> next = tables.stream()
                .filter(table -> Math.abs(window.windowEndMs() - table.windowEndMs()) <= OTHER_WINDOW_MS)
                .collect(Collectors.toUnmodifiableMap(AssetPairs::asset, Function.identity()));
        return new PairRanking(
                next,
                complete.with(next),
                incomplete.with(next),
                refused.with(next),
                tables.stream().map(table -> Scope.upper(table.asset())).collect(Collectors.toUnmodifiableSet()),
                window.windowStartMs(),
                window.windowEndMs(),
                tables.size() - next.size(),
                null);
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

    /** Whether there is a table of an asset, named in upper case. */
    public boolean hasAsset(String upperCase) {
        return assets.contains(upperCase);
    }
}
