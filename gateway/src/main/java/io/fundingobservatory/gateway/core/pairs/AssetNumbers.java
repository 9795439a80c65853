package io.fundingobservatory.gateway.core.pairs;

import io.fundingobservatory.gateway.core.request.Scope;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

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
