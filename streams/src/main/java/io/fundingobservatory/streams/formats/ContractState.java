package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.carry.Identity;
import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.carry.Observation;
import io.fundingobservatory.streams.core.LateObservation;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
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

    public static final Format<ContractState> FORMAT =
            new Format<>("contract", 2, ContractState::write, ContractState::read);

    private static final int LISTED = 1;
    private static final int RESTORED = 2;
    private static final int OFF = 4;
    private static final int SHOWN = 8;

    private static void write(ContractState state, DataOutput to) throws IOException {
        Listing listing = state.listing;
        Restored restored = state.restored;
        LateObservation off = state.lateObservation;
        to.writeByte((listing == null ? 0 : LISTED)
                | (restored == null ? 0 : RESTORED)
                | (off == null ? 0 : OFF)
                | (state.shown ? SHOWN : 0));
        if (listing != null) {
            write(listing, to);
        }
        if (restored != null) {
            to.writeLong(restored.listingEpoch);
            to.writeUTF(restored.asset);
            to.writeLong(restored.sinceMs);
            to.writeLong(restored.newestMs);
        }
        if (off != null) {
            to.writeLong(off.observedAtMs());
            to.writeLong(off.arrivedAtMs());
            to.writeByte(off.inARow());
        }
    }

    private static ContractState read(DataInput from) throws IOException {
        int parts = from.readUnsignedByte();
        return new ContractState(
                (parts & LISTED) == 0 ? null : listing(from),
                (parts & RESTORED) == 0
                        ? null
                        : new Restored(from.readLong(), from.readUTF(), from.readLong(), from.readLong()),
                (parts & OFF) == 0
                        ? null
                        : new LateObservation(from.readLong(), from.readLong(), from.readUnsignedByte()),
                (parts & SHOWN) != 0);
    }

    private static void write(Listing listing, DataOutput to) throws IOException {
        to.writeLong(listing.listingEpoch());
        to.writeLong(listing.sinceMs());
        write(listing.identity(), to);
        Observation last = listing.last();
        to.writeLong(last.observedAtMs());
        Fields.word(to, last.kind());
        Fields.decimal(to, last.rate());
        Fields.decimal(to, last.rate8h());
        Fields.decimal(to, last.intervalH());
        Fields.instant(to, last.nextFundingMs());
        Fields.decimal(to, last.coinPrice());
        Fields.instant(to, listing.settlementBeforeMs());
        to.writeLong(listing.venueReadMs());
        Listing.Pending pending = listing.pending();
        to.writeBoolean(pending != null);
        if (pending != null) {
            write(pending.identity(), to);
            to.writeLong(pending.sinceMs());
            to.writeLong(pending.newestMs());
        }
        Fields.decimal(to, listing.published().intervalH());
        Fields.decimal(to, listing.published().coinPrice());
        to.writeLong(listing.published().atMs());
    }

    private static Listing listing(DataInput from) throws IOException {
        return new Listing(
                from.readLong(),
                from.readLong(),
                identity(from),
                new Observation(
                        from.readLong(),
                        Fields.word(from, RateKind.class),
                        Fields.decimalOrNull(from),
                        Fields.decimalOrNull(from),
                        Fields.decimalOrNull(from),
                        Fields.instantOrNull(from),
                        Fields.decimalOrNull(from)),
                Fields.instantOrNull(from),
                from.readLong(),
                from.readBoolean() ? new Listing.Pending(identity(from), from.readLong(), from.readLong()) : null,
                new Listing.LastPublished(Fields.decimalOrNull(from), Fields.decimalOrNull(from), from.readLong()));
    }

    private static void write(Identity identity, DataOutput to) throws IOException {
        to.writeUTF(identity.base());
        to.writeUTF(identity.asset());
        Fields.word(to, identity.type());
        Fields.decimal(to, identity.priceScale());
        to.writeUTF(identity.quote());
    }

    private static Identity identity(DataInput from) throws IOException {
        return new Identity(
                from.readUTF(),
                from.readUTF(),
                Fields.word(from, ContractType.class),
                Fields.decimal(from),
                from.readUTF());
    }
}
