package io.fundingobservatory.gateway.core.pairs;

import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.topics.ListedVenue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Entries of all tables in a fixed order. A request without assets looks at one set of venues for each entry: 220,000 of them in about
 * 0.2 ms. One with assets looks at their tables alone. Immutable: the next list is merged of this one and of the tables that changed.
 */
public final class RankedList<E extends RankedList.Entry> {
    private final Comparator<E> order;
    private final Function<AssetPairs, Stream<E>> entriesOf;
    private final Map<String, AssetPairs> tables;
    /** The same by asset in upper case, as requests name it. */
    private final Map<String, List<AssetPairs>> byName;

    private final List<E> entries;
    /** The venues of each entry, as bits. */
    private final long[] venues;

    /** An entry of one asset at two venues. */
    public interface Entry {
        String asset();

        String oneVenue();

        String otherVenue();
    }

    /** An empty list, to which tables can be added. */
    RankedList(Comparator<E> order, Function<AssetPairs, Stream<E>> entriesOf) {
        this(order, entriesOf, Map.of(), 0);
    }

    private RankedList(
            Comparator<E> order, Function<AssetPairs, Stream<E>> entriesOf, Map<String, AssetPairs> tables, int most) {
        this.order = order;
        this.entriesOf = entriesOf;
        this.tables = tables;
        this.byName = tables.values().stream().collect(Collectors.groupingBy(table -> Scope.upper(table.asset())));
        this.entries = new ArrayList<>(most);
        this.venues = new long[most];
    }

    /** The list of these tables, by asset. Entries of tables that this list has as well are copied, not compared. */
    RankedList<E> with(Map<String, AssetPairs> next) {
        Set<String> same = next.values().stream()
                .filter(table -> table.equals(tables.get(table.asset())))
                .map(AssetPairs::asset)
                .collect(Collectors.toSet());
        List<E> added = next.values().stream()
                .filter(table -> !same.contains(table.asset()))
                .flatMap(entriesOf)
                .sorted(order)
                .toList();
        var merged = new RankedList<>(order, entriesOf, next, entries.size() + added.size());
        int from = 0;
        for (E entry : added) {
            int to = firstAfter(entry, from);
            merged.addAll(this, from, to, same);
            merged.add(entry, Venues.of(List.of(entry.oneVenue(), entry.otherVenue())));
            from = to;
        }
        merged.addAll(this, from, entries.size(), same);
        return merged;
    }

    private void addAll(RankedList<E> other, int from, int to, Set<String> assets) {
        for (int i = from; i < to; i++) {
            E entry = other.entries.get(i);
            if (assets.contains(entry.asset())) {
                add(entry, other.venues[i]);
            }
        }
    }

    private void add(E entry, long venuesOfIt) {
        venues[entries.size()] = venuesOfIt;
        entries.add(entry);
    }

    /** The first place from there on whose entry is behind this one. */
    private int firstAfter(E entry, int from) {
        int low = from;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (order.compare(entries.get(middle), entry) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The first entries whose venues and asset are in scope, in order. */
    public List<E> in(Scope scope, int limit) {
        Stream<E> all = scope.assets() == null
                ? places(scope).mapToObj(entries::get)
                : named(scope).sorted(order);
        return all.limit(limit).toList();
    }

    /** How many entries are in scope. */
    public int count(Scope scope) {
        return (int)
                (scope.assets() == null ? places(scope).count() : named(scope).count());
    }

    /** The assets that a scope names, in upper case, with an entry in it. */
    public Set<String> assets(Scope scope) {
        return named(scope).map(entry -> Scope.upper(entry.asset())).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The places of the entries at the venues of a scope. */
    private IntStream places(Scope scope) {
        long outside = ~Venues.of(scope.venues());
        return IntStream.range(0, entries.size()).filter(i -> (venues[i] & outside) == 0);
    }

    /** The entries of the assets that a scope names, at its venues, in any order. */
    private Stream<E> named(Scope scope) {
        Set<String> names = scope.assets();
        return names == null
                ? Stream.of()
                : names.stream()
                        .flatMap(name -> byName.getOrDefault(name, List.of()).stream())
                        .flatMap(entriesOf)
                        .filter(entry -> scope.venues().contains(entry.oneVenue())
                                && scope.venues().contains(entry.otherVenue()));
    }

    /** Sets of listed exchanges as bits of a long. */
    private static final class Venues {
        private static final Map<String, Long> BITS = new HashMap<>();
        /** No set of listed exchanges holds it. */
        private static final long UNLISTED = 1L << 63;

        static {
            for (ListedVenue venue : ListedVenue.ALL) {
                BITS.put(venue.id(), 1L << BITS.size());
            }
            if (BITS.size() >= Long.SIZE) {
                throw new IllegalStateException("more exchanges are listed than a long has bits");
            }
        }

        static long of(Iterable<String> venues) {
            long set = 0;
            for (String venue : venues) {
                set |= BITS.getOrDefault(venue, UNLISTED);
            }
            return set;
        }
    }
}
