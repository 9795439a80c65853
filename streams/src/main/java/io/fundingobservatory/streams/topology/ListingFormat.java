package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.carry.Identity;
import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.carry.Reading;
import io.fundingobservatory.topics.ContractType;
import io.fundingobservatory.topics.RateKind;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.kafka.common.serialization.Serde;

/** How a listing stands in its store; it is written once for every new reading. */
final class ListingFormat {
    private ListingFormat() {}

    static Serde<Listing> serde() {
        return Binary.serde(ListingFormat::write, ListingFormat::read);
    }

    private static void write(Listing listing, DataOutput to) throws IOException {
        to.writeLong(listing.epoch());
        to.writeLong(listing.sinceMs());
        write(listing.identity(), to);
        Reading last = listing.last();
        to.writeLong(last.observedAtMs());
        to.writeUTF(last.kind().name());
        Binary.decimal(to, last.rate());
        Binary.decimal(to, last.rate8h());
        Binary.decimal(to, last.intervalH());
        Binary.instant(to, last.nextFundingMs());
        Binary.decimal(to, last.coinPrice());
        Binary.instant(to, listing.chargedMs());
        to.writeLong(listing.venueReadMs());
        Listing.Pending pending = listing.pending();
        to.writeBoolean(pending != null);
        if (pending != null) {
            write(pending.identity(), to);
            to.writeLong(pending.sinceMs());
            to.writeLong(pending.newestMs());
        }
        Binary.decimal(to, listing.published().intervalH());
        Binary.decimal(to, listing.published().coinPrice());
        to.writeLong(listing.published().atMs());
    }

    private static Listing read(DataInput from) throws IOException {
        return new Listing(
                from.readLong(),
                from.readLong(),
                identity(from),
                new Reading(
                        from.readLong(),
                        RateKind.valueOf(from.readUTF()),
                        Binary.decimalOrNull(from),
                        Binary.decimalOrNull(from),
                        Binary.decimalOrNull(from),
                        Binary.instantOrNull(from),
                        Binary.decimalOrNull(from)),
                Binary.instantOrNull(from),
                from.readLong(),
                from.readBoolean() ? new Listing.Pending(identity(from), from.readLong(), from.readLong()) : null,
                new Listing.LastPublished(Binary.decimalOrNull(from), Binary.decimalOrNull(from), from.readLong()));
    }

    private static void write(Identity identity, DataOutput to) throws IOException {
        to.writeUTF(identity.base());
        to.writeUTF(identity.asset());
        to.writeUTF(identity.type().name());
        Binary.decimal(to, identity.priceScale());
    }

    private static Identity identity(DataInput from) throws IOException {
        return new Identity(from.readUTF(), from.readUTF(), ContractType.valueOf(from.readUTF()), Binary.decimal(from));
    }
}
