package io.fundingobservatory.streams.ledger;

import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.formats.ContractState;
import org.jspecify.annotations.Nullable;

/**
 * What a ticker stands for, as far as a payment has to know.
 *
 * @param epoch which listing of the ticker
 * @param asset the normalised asset name
 * @param sinceMs payments up to this instant belong to an earlier listing, epoch ms
 */
public record TickerIdentity(long epoch, String asset, long sinceMs) {
    /** What a listing says of its ticker. */
    public static TickerIdentity of(Listing listing) {
        return new TickerIdentity(listing.epoch(), listing.asset(), listing.sinceMs());
    }

    /** By its quotes, else by the published ledger; null when neither tells. */
    public static @Nullable TickerIdentity of(@Nullable ContractState state) {
        if (state == null) {
            return null;
        }
        if (state.listing() != null) {
            return of(state.listing());
        }
        ContractState.Restored restored = state.restored();
        return restored == null ? null : new TickerIdentity(restored.epoch(), restored.asset(), restored.sinceMs());
    }
}
