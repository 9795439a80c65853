package io.fundingobservatory.gateway.core.pairs;

import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.topics.ListedVenue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Entries in a fixed order. A request looks at one bit set of venues and one asset number for each entry: 220,000 of them in about
 * 0.2 ms. Immutable: the next list is merged of this one and the entries of the assets that changed.
 */
public final class RankedList<E> {
    private final Comparator<E> order;
    private final Function<E, String> asset;
    private final ToLongFunction<E> venuesOf;
    private final AssetNumbers numbers;
    private final List<E> entries;
    private final long[] venues;
    private final int[] assets;

    /** The first entries that fit, and how many fit. */
    public record Selection<E>(List<E> first, int count) {}

    RankedList(Comparator<E> order, Function<E, String> asset, ToLongFunction<E> venuesOf) {
        this(order, asset, venuesOf, AssetNumbers.NONE, 0);
    }

    /** A list to be filled, with room for so many entries. */
    private RankedList(
            Comparator<E> order,
            Function<E, String> asset,
            ToLongFunction<E> venuesOf,
            AssetNumbers numbers,
            int size) {
        this.order = order;
        this.asset = asset;
        this.venuesOf = venuesOf;
        this.numbers = numbers;
        this.entries = new ArrayList<>(size);
        this.venues = new long[size];
        this.assets = new int[size];
    }

    /**
     * The list without the entries of the assets {@code gone} and with others: unchanged entries are copied, not compared.
     *
     * @param known numbers of all assets; those of this list are among them
     */
    RankedList<E> merge(BitSet gone, List<E> added, AssetNumbers known) {
        List<E> sorted = added.stream().sorted(order).toList();
        int kept = 0;
        for (int number : assets) {
            kept += gone.get(number) ? 0 : 1;
        }
        var merged = new RankedList<>(order, asset, venuesOf, known, kept + sorted.size());
        int from = 0;
        for (E entry : sorted) {
            int to = firstAfter(entry, from);
            merged.addAll(this, from, to, gone);
            merged.add(entry, venuesOf.applyAsLong(entry), known.of(asset.apply(entry)));
            from = to;
        }
        merged.addAll(this, from, assets.length, gone);
        return merged;
    }

    private void addAll(RankedList<E> other, int from, int to, BitSet gone) {
        for (int i = from; i < to; i++) {
            if (!gone.get(other.assets[i])) {
                add(other.entries.get(i), other.venues[i], other.assets[i]);
            }
        }
    }

    private void add(E entry, long venuesOfIt, int assetOfIt) {
        venues[entries.size()] = venuesOfIt;
        assets[entries.size()] = assetOfIt;
        entries.add(entry);
    }

    /** The first place from there on whose entry is behind this one. */
    private int firstAfter(E entry, int from) {
        int low = from;
        int high = assets.length;
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

    int size() {
        return assets.length;
    }

    /** The entries whose venues and asset are in scope, in order. */
    public Selection<E> select(Scope scope, int limit) {
        long outside = ~VenueSet.of(scope.venues());
        BitSet named = named(scope.assets());
        var first = new ArrayList<E>(Math.min(limit, 128));
        int count = 0;
        for (int i = 0; i < assets.length; i++) {
            if (fits(i, outside, named)) {
                if (count < limit) {
                    first.add(entries.get(i));
                }
                count++;
            }
        }
        return new Selection<>(first, count);
    }

    /** The assets, in upper case, that have an entry in scope. */
    public Set<String> assets(Scope scope) {
        long outside = ~VenueSet.of(scope.venues());
        BitSet named = named(scope.assets());
        var found = new BitSet();
        for (int i = 0; i < assets.length; i++) {
            if (fits(i, outside, named)) {
                found.set(assets[i]);
            }
        }
        return numbers.names(found);
    }

    private boolean fits(int i, long outside, @Nullable BitSet named) {
        return (venues[i] & outside) == 0 && (named == null || named.get(assets[i]));
    }

    private @Nullable BitSet named(@Nullable SortedSet<String> upperCase) {
        return upperCase == null ? null : numbers.named(upperCase);
    }

    /** Assets as small numbers, which do not change from one ranking to the next. Immutable. */
    record AssetNumbers(Map<String, Integer> byAsset) {
        static final AssetNumbers NONE = new AssetNumbers(Map.of());

        /** The same numbers, and new ones for assets that have none. */
        AssetNumbers with(Collection<String> assets) {
            if (byAsset.keySet().containsAll(assets)) {
                return this;
            }
            var more = new HashMap<>(byAsset);
            assets.forEach(asset -> more.putIfAbsent(asset, more.size()));
            return new AssetNumbers(more);
        }

        int of(String asset) {
            Integer number = byAsset.get(asset);
            if (number == null) {
                throw new IllegalArgumentException("an asset without a number");
            }
            return number;
        }

        /** The numbers of assets named in upper case. */
        BitSet named(Set<String> upperCase) {
            var numbers = new BitSet(byAsset.size());
            byAsset.forEach((asset, number) -> {
                if (upperCase.contains(Scope.upper(asset))) {
                    numbers.set(number);
                }
            });
            return numbers;
        }

        /** The assets of these numbers, in upper case. */
        Set<String> names(BitSet numbers) {
            var names = new TreeSet<String>();
            byAsset.forEach((asset, number) -> {
                if (numbers.get(number)) {
                    names.add(Scope.upper(asset));
                }
            });
            return names;
        }
    }

    /** Sets of listed exchanges as bits of a long. */
    static final class VenueSet {
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

        private VenueSet() {}

        static long of(Iterable<String> venues) {
            long set = 0;
            for (String venue : venues) {
                set |= bit(venue);
            }
            return set;
        }

        static long of(String a, String b) {
            return bit(a) | bit(b);
        }

        private static long bit(String venue) {
            Long bit = BITS.get(venue);
            return bit == null ? UNLISTED : bit;
        }
    }
}
