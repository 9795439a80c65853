package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pair tables of all assets as one ranking. Immutable: the next one has the entries of this one, and those of tables that changed.
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
        Map<String, Table> shown,
        List<RankedPair> complete,
        List<RankedPair> incomplete,
        List<Refused> refused,
        Set<String> assets,
        @Nullable Long windowStartMs,
        @Nullable Long windowEndMs,
        int leftOut,
        @Nullable String whyNone) {
    /** Tables of assets are renewed one after another; one that is two whole hours off is of another window. */
    private static final long OTHER_WINDOW_MS = 2 * 3_600_000L;

    /** Listed venues as bits: a request compares a number of each of some 220,000 pairs, and no names. There are fewer than 64. */
    private static final Map<String, Long> BITS = IntStream.range(0, ListedVenue.ALL.size())
            .boxed()
            .collect(Collectors.toUnmodifiableMap(i -> ListedVenue.ALL.get(i).id(), i -> Math.powExact(2L, i)));

    private static final long EVERY_VENUE = bits(BITS.keySet());

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

    /** An entry of one asset at two venues. */
    sealed interface Entry permits RankedPair, Refused {
        String asset();

        /** Both venues, as bits. */
        long venues();
    }

    record Refused(String asset, long venues, CarryRefusal refusal) implements Entry {}

    /**
     * The table of one asset, as the ranking takes it: without pairs of exchanges that are not listed.
     *
     * @param windowStartMs where its 30 days begin, not included; epoch ms UTC
     * @param windowEndMs where they end, included; epoch ms UTC
     */
    public record Table(
            String asset, long windowStartMs, long windowEndMs, List<RankedPair> pairs, List<Refused> refused) {
        /** Takes over a table; one with days or a receipt that cannot be is an {@link IllegalArgumentException}. */
        public static Table of(CarryTable table) {
            String asset = table.asset();
            return new Table(
                    asset,
                    table.windowStartMs(),
                    table.windowEndMs(),
                    table.pairs().stream()
                            .filter(pair -> listed(
                                    pair.longLeg().venue(), pair.shortLeg().venue()))
                            .map(pair -> RankedPair.of(asset, pair))
                            .toList(),
                    table.refused().stream()
                            .filter(entry -> listed(entry.venueA(), entry.venueB()))
                            .map(entry -> new Refused(asset, bits(List.of(entry.venueA(), entry.venueB())), entry))
                            .toList());
        }

        private static boolean listed(String one, String other) {
            return ListedVenue.isListed(one) && ListedVenue.isListed(other);
        }
    }

    /** Listed venues as a set. */
    static long bits(Collection<String> venues) {
        return venues.stream().mapToLong(venue -> BITS.getOrDefault(venue, 0L)).reduce(0, (set, bit) -> set | bit);
    }

    /** Stands where there is no table to be ranked; why, in a line. */
    public static PairRanking none(String why) {
        return new PairRanking(Map.of(), List.of(), List.of(), List.of(), Set.of(), null, null, 0, why);
    }

    /** The ranking of these assets; there is at least one. */
    public PairRanking with(Collection<Table> tables) {
        Table window = window(tables);
        Map<String, Table> next = tables.stream()
                .filter(table -> Math.abs(window.windowEndMs() - table.windowEndMs()) <= OTHER_WINDOW_MS)
                .collect(Collectors.toUnmodifiableMap(Table::asset, Function.identity()));
        List<Table> changed = next.values().stream()
                .filter(table -> !table.equals(shown.get(table.asset())))
                .toList();
        var same = new HashSet<>(next.keySet());
        changed.forEach(table -> same.remove(table.asset()));
        List<RankedPair> pairs =
                changed.stream().flatMap(table -> table.pairs().stream()).toList();
        return new PairRanking(
                next,
                sorted(complete, same, pairs.stream().filter(RankedPair::complete), BY_DIFFERENCE),
                sorted(incomplete, same, pairs.stream().filter(Predicate.not(RankedPair::complete)), BY_DAYS),
                sorted(refused, same, changed.stream().flatMap(table -> table.refused().stream()), REFUSED_BY_NAME),
                tables.stream().map(table -> Scope.upper(table.asset())).collect(Collectors.toUnmodifiableSet()),
                window.windowStartMs(),
                window.windowEndMs(),
                tables.size() - next.size(),
                null);
    }

    /** A table of the window that most pairs have: one that lies ahead, or behind, hides no other. */
    private static Table window(Collection<Table> tables) {
        var pairs = new HashMap<Long, Long>();
        tables.forEach(
                table -> pairs.merge(table.windowEndMs(), 1L + table.pairs().size(), Long::sum));
        Comparator<Table> byPairs = Comparator.comparingLong(table -> pairs.getOrDefault(table.windowEndMs(), 0L));
        return tables.stream()
                .max(byPairs.thenComparingLong(Table::windowEndMs))
                .orElseThrow(() -> new IllegalArgumentException("a ranking needs a table"));
    }

    /** The entries of assets that stay the same, and new ones. Java's sort merges what is in order already and copies only the rest. */
    private static <E extends Entry> List<E> sorted(
            List<E> former, Set<String> same, Stream<E> added, Comparator<E> order) {
        var next = new ArrayList<E>(former);
        next.removeIf(entry -> !same.contains(entry.asset()));
        added.forEach(next::add);
        next.sort(order);
        return Collections.unmodifiableList(next);
    }

    /** The entries of one of the lists whose venues and asset are in scope, in its order. */
    <E extends Entry> List<E> in(Scope scope, List<E> list) {
        long outside = ~bits(scope.venues());
        Set<String> named = scope.assets();
        if (named == null && (outside & EVERY_VENUE) == 0) {
            return list;
        }
        Set<String> assets = shown.keySet().stream()
                .filter(asset -> named == null || named.contains(Scope.upper(asset)))
                .collect(Collectors.toSet());
        return list.stream()
                .filter(entry -> (entry.venues() & outside) == 0 && (named == null || assets.contains(entry.asset())))
                .toList();
    }
}
