package io.fundingobservatory.gateway.core.pairs;

import io.fundingobservatory.gateway.core.pairs.PairRanking.Refused;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.carry.CarryTable;
import java.util.List;

/**
 * The table of one asset, as the ranking takes it: without pairs of exchanges that are listed no more.
 *
 * @param windowStartMs where its 30 days begin, not included; epoch ms UTC
 * @param windowEndMs where they end, included; epoch ms UTC
 */
public record AssetPairs(
        String asset, long windowStartMs, long windowEndMs, List<RankedPair> pairs, List<Refused> refused) {

    /** Takes over a table; one with days or a receipt that cannot be is an {@link IllegalArgumentException}. */
    public static AssetPairs of(CarryTable table) {
        String asset = table.asset();
        return new AssetPairs(
                asset,
                table.windowStartMs(),
                table.windowEndMs(),
                table.pairs().stream()
                        .filter(pair -> ListedVenue.isListed(pair.longLeg().venue())
                                && ListedVenue.isListed(pair.shortLeg().venue()))
                        .map(pair -> new RankedPair(asset, pair))
                        .toList(),
                table.refused().stream()
                        .filter(entry -> ListedVenue.isListed(entry.venueA()) && ListedVenue.isListed(entry.venueB()))
                        .map(entry -> new Refused(asset, entry))
                        .toList());
    }
}
