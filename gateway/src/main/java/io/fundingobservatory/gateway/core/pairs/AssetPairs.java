package io.fundingobservatory.gateway.core.pairs;

import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import java.util.List;

/** The table of one asset, as the ranking takes it. */
public final class AssetPairs {
    private final String asset;
    private final long windowStartMs;
    private final long windowEndMs;
    private final List<RankedPair> pairs;
    private final List<CarryRefusal> refused;

    private AssetPairs(CarryTable table) {
        this.asset = table.asset();
        this.windowStartMs = table.windowStartMs();
        this.windowEndMs = table.windowEndMs();
        this.pairs =
                table.pairs().stream().map(pair -> new RankedPair(this, pair)).toList();
        this.refused = table.refused();
    }

    /** Takes over a table; one with days or a receipt that cannot be is an {@link IllegalArgumentException}. */
    public static AssetPairs of(CarryTable table) {
        return new AssetPairs(table);
    }

    String asset() {
        return asset;
    }

    long windowStartMs() {
        return windowStartMs;
    }

    long windowEndMs() {
        return windowEndMs;
    }

    List<RankedPair> pairs() {
        return pairs;
    }

    List<CarryRefusal> refused() {
        return refused;
    }
}
