package io.fundingobservatory.testbed.sim;

import io.fundingobservatory.topics.ContractType;
import java.util.List;
import java.util.Set;

/**
 * What an exchange can list and what its answers tell: the market model stays within it, and a round trip expects no more.
 *
 * @param intervals settlement intervals in hours that occur there
 * @param types margining that occurs there
 * @param quotes quote currencies of linear contracts, the first the usual one; inverse ones are quoted in USD
 * @param states states whose rows its answers carry (always with LIVE)
 * @param scales price scales that its names can express, e.g. 1 and 1000
 * @param untold what its answers never tell, so that a reader must leave it null
 * @param rateDecimals decimals of its published rate
 * @param contracts how many contracts a full simulated market of it has
 */
public record Traits(
        List<Integer> intervals,
        Set<ContractType> types,
        List<String> quotes,
        Set<Listing.State> states,
        List<Integer> scales,
        Set<Untold> untold,
        int rateDecimals,
        int contracts) {

    /** A fact that some exchange leaves out. */
    public enum Untold {
        /** No next settlement instant. */
        NEXT_FUNDING,
        /** No mark price. */
        MARK_PRICE,
        /** No index price. */
        INDEX_PRICE,
        /** No time of its own. */
        VENUE_TIME,
        /** The mark and the index are one figure. */
        INDEX_IS_MARK,
        /** The published figure is a quotient or product with a price: equal only to 15 digits. */
        EXACT_RATE
    }
}
