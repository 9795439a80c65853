package io.fundingobservatory.streams.topology;

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
        to.writeUTF(listing.asset());
        to.writeUTF(listing.type().name());
        Binary.decimal(to, listing.priceScale());
        Reading last = listing.last();
        to.writeLong(last.observedAtMs());
        to.writeUTF(last.kind().name());
        Binary.decimal(to, last.rate());
        Binary.decimal(to, last.rate8h());
        Binary.decimal(to, last.intervalH());
        Binary.instant(to, last.nextFundingMs());
        Binary.decimal(to, last.coinPrice());
        Binary.decimal(to, listing.told().intervalH());
        Binary.decimal(to, listing.told().coinPrice());
        to.writeLong(listing.told().atMs());
    }

    private static Listing read(DataInput from) throws IOException {
        return new Listing(
                from.readLong(),
                from.readLong(),
                from.readUTF(),
                ContractType.valueOf(from.readUTF()),
                Binary.decimal(from),
                new Reading(
                        from.readLong(),
                        RateKind.valueOf(from.readUTF()),
                        Binary.decimalOrNull(from),
                        Binary.decimalOrNull(from),
                        Binary.decimalOrNull(from),
                        Binary.instantOrNull(from),
                        Binary.decimalOrNull(from)),
                new Listing.Told(Binary.decimalOrNull(from), Binary.decimalOrNull(from), from.readLong()));
    }
}
