package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.core.LateObservation;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * All that is remembered of one contract; it is written once for each new observation.
 *
 * @param listing identity, epoch and newest observation; null until the first quote
 * @param restored what the ledger of settlements says of the contract while no quote has come yet; null otherwise
 * @param lateObservation the last quote that was read minutes before it arrived; null after one that came in time
 * @param shown whether {@code rates.latest} holds a row of it
 */
public record ContractState(
        @Nullable Listing listing,
        @Nullable Restored restored,
        @Nullable LateObservation lateObservation,
        boolean shown) {

    /**
     * A contract as the published ledger has it.
     *
     * @param listingEpoch its newest listing epoch
     * @param asset of that epoch
     * @param sinceMs the newest settlement of an earlier epoch, epoch ms
     * @param newestMs the newest settlement of this epoch, epoch ms
     */
    public record Restored(long listingEpoch, String asset, long sinceMs, long newestMs) {}

    private static final Encoding<Listing> LISTING = Encoding.of(Listing.class);
    private static final Encoding<Restored> BY_LEDGER = Encoding.of(Restored.class);
    private static final int LISTED = 1;
    private static final int RESTORED = 2;
    private static final int OFF = 4;
    private static final int SHOWN = 8;

    static void write(ContractState state, DataOutput to) throws IOException, ReflectiveOperationException {
        LateObservation off = state.lateObservation;
        to.writeByte((state.listing == null ? 0 : LISTED)
                | (state.restored == null ? 0 : RESTORED)
                | (off == null ? 0 : OFF)
                | (state.shown ? SHOWN : 0));
        if (state.listing != null) {
            LISTING.writer().write(state.listing, to);
        }
        if (state.restored != null) {
            BY_LEDGER.writer().write(state.restored, to);
        }
        if (off != null) {
            to.writeLong(off.observedAtMs());
            to.writeLong(off.arrivedAtMs());
            to.writeByte(off.inARow());
        }
    }

    static ContractState read(DataInput from) throws IOException, ReflectiveOperationException {
        int parts = from.readUnsignedByte();
        return new ContractState(
                (parts & LISTED) == 0 ? null : LISTING.reader().read(from),
                (parts & RESTORED) == 0 ? null : BY_LEDGER.reader().read(from),
                (parts & OFF) == 0
                        ? null
                        : new LateObservation(from.readLong(), from.readLong(), from.readUnsignedByte()),
                (parts & SHOWN) != 0);
    }
}
