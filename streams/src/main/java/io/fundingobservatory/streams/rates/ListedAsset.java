package io.fundingobservatory.streams.rates;

import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.formats.ContractState;
import org.jspecify.annotations.Nullable;

/**
 * The asset that a symbol refers to, as far as a settlement has to know.
 *
 * @param sinceMs settlements up to this instant belong to an earlier listing, epoch ms
 */
record ListedAsset(long listingEpoch, String asset, long sinceMs) {
    static ListedAsset of(Listing listing) {
        return new ListedAsset(listing.listingEpoch(), listing.asset(), listing.sinceMs());
    }

    /** By the contract's quotes, else by the published ledger; null when neither knows the contract. */
    static @Nullable ListedAsset of(@Nullable ContractState state) {
        if (state == null) {
            return null;
        }
        if (state.listing() != null) {
            return of(state.listing());
        }
        ContractState.Restored restored = state.restored();
        return restored == null ? null : new ListedAsset(restored.listingEpoch(), restored.asset(), restored.sinceMs());
    }
}
