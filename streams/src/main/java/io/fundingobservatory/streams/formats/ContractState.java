package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.core.LateObservation;
import org.jspecify.annotations.Nullable;

/**
 * All that is remembered of one contract; it is written once for each new observation.
 *
 * @param listing identity, epoch and newest observation; null until the first quote
 * @param restored what the ledger of settlements says of the contract while no quote has come yet; null otherwise
 * @param lateObservation the last quote that was read minutes before it arrived; null after one that came in time
 * @param shown whether {@code rates.latest} holds a row of it; true where that is not known
 */
public record ContractState(
        @Nullable Listing listing,
        @Nullable Restored restored,
        @Nullable LateObservation lateObservation,
        boolean shown) {
    public static final Format<ContractState> FORMAT = Format.of("contract", 3, ContractState.class);

    /**
     * The newest listing of a contract, as the published ledger has it.
     *
     * @param sinceMs the newest settlement of an earlier listing, epoch ms
     * @param newestMs the newest settlement of this listing, epoch ms
     */
    public record Restored(long listingEpoch, String asset, long sinceMs, long newestMs) {}
}
