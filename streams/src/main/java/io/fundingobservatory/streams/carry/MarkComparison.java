package io.fundingobservatory.streams.carry;

import io.fundingobservatory.topics.records.ContractKey;
import java.math.BigDecimal;

/**
 * Two prices per coin, in quote currency, of two contracts that were read within an hour of each other.
 *
 * @param own the price of the contract that holds this comparison
 * @param with the other contract
 * @param withListingEpoch the listing number of the other contract
 * @param others the price of the other contract
 * @param atMs the later of the two observations, epoch ms
 */
public record MarkComparison(BigDecimal own, ContractKey with, long withListingEpoch, BigDecimal others, long atMs) {
    /** Two prices within this ratio of each other are prices of one coin. */
    private static final BigDecimal SAME_ASSET_RATIO = new BigDecimal("1.05");

    /** The same comparison, as the other contract has it. */
    MarkComparison seenFrom(Contract holder) {
        return new MarkComparison(/* own= */ others, holder.key(), holder.listingEpoch(), /* others= */ own, atMs);
    }

    /** Whether the prices show two different coins. */
    boolean differs() {
        return own.max(others).compareTo(own.min(others).multiply(SAME_ASSET_RATIO)) > 0;
    }
}
