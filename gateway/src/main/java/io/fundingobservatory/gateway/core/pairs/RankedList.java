package io.fundingobservatory.gateway.core.pairs;

import io.fundingobservatory.gateway.core.request.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Entries in a fixed order, found by asset through an index and by exchange through one bit set for each entry: a question without
 * assets looks at one long for each entry (220,000 of them in about 0.2 ms), one with assets at those entries alone.
 */
public final class RankedList<E> {
    private final List<E> entries;
    private final long[] venues;
    private final Map<String, int[]> places;

    /** The first entries that fit, and how many fit. */
    public record Selection<E>(List<E> first, int count) {
        /** How many fit and are not among the first. */
        public int cut() {
            return count - first.size();
        }
    }

    RankedList(List<E> unordered, Comparator<E> order, Function<E, String> asset, ToLongFunction<E> venuesOf) {
        entries = unordered.stream().sorted(order).toList();
        venues = entries.stream().mapToLong(venuesOf).toArray();
        var byAsset = new HashMap<String, List<Integer>>();
        for (int i = 0; i < venues.length; i++) {
            byAsset.computeIfAbsent(Scope.upper(asset.apply(entries.get(i))), name -> new ArrayList<>())
                    .add(i);
        }
        places = new HashMap<>();
        byAsset.forEach((name, list) ->
                places.put(name, list.stream().mapToInt(Integer::intValue).toArray()));
    }

    int size() {
        return venues.length;
    }

    /** The entries whose exchanges and asset are in scope, in order. */
    public Selection<E> select(Scope scope, int limit) {
        long outside = ~VenueSet.of(scope.venues());
        var first = new ArrayList<E>(Math.min(limit, 128));
        int count = 0;
        SortedSet<String> assets = scope.assets();
        int[] candidates = assets == null ? null : candidates(assets);
        int length = candidates == null ? venues.length : candidates.length;
        for (int i = 0; i < length; i++) {
            int place = candidates == null ? i : candidates[i];
            if ((venues[place] & outside) == 0) {
                if (count < limit) {
                    first.add(entries.get(place));
                }
                count++;
            }
        }
        return new Selection<>(first, count);
    }

    private int[] candidates(SortedSet<String> assets) {
        return assets.stream()
                .map(places::get)
                .filter(found -> found != null)
                .flatMapToInt(Arrays::stream)
                .sorted()
                .toArray();
    }
}
