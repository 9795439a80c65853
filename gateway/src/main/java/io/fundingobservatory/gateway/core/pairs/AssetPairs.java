package io.fundingobservatory.gateway.core.pairs;

import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import java.util.List;

/** The table of one asset, as the ranking takes it: without pairs of exchanges that are listed no more. */
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
        this.pairs = table.pairs().stream()
                .filter(pair -> ListedVenue.isListed(pair.longLeg().venue())
                        && ListedVenue.isListed(pair.shortLeg().venue()))
                .map(pair -> new RankedPair(this, pair))
                .toList();
        this.refused = table.refused().stream()
                .filter(entry -> ListedVenue.isListed(entry.venueA()) && ListedVenue.isListed(entry.venueB()))
                .toList();
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
