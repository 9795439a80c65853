package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.carry.MarkComparison;
import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.topics.records.ContractType;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;

/** Format of an asset's contracts in their store. */
public final class PricedContractFormat {
    public static final Format<PricedContract> FORMAT =
            new Format<>("priced-contract", 2, PricedContractFormat::write, PricedContractFormat::read);

    private PricedContractFormat() {}

    private static void write(PricedContract priced, DataOutput to) throws IOException {
        contract(priced.contract(), to);
        to.writeLong(priced.publishedMs());
        to.writeLong(priced.pricedMs());
        to.writeShort(priced.kept().size());
        for (MarkComparison kept : priced.kept()) {
            Fields.decimal(to, kept.own());
            Fields.key(to, kept.with());
            to.writeLong(kept.withListingEpoch());
            Fields.decimal(to, kept.others());
            to.writeLong(kept.atMs());
        }
    }

    private static PricedContract read(DataInput from) throws IOException {
        Contract contract = contract(from);
        long publishedMs = from.readLong();
        long pricedMs = from.readLong();
        var kept = new ArrayList<MarkComparison>();
        for (int i = from.readShort(); i > 0; i--) {
            kept.add(new MarkComparison(
                    Fields.decimal(from), Fields.key(from), from.readLong(), Fields.decimal(from), from.readLong()));
        }
        return new PricedContract(contract, publishedMs, pricedMs, kept);
    }

    private static void contract(Contract contract, DataOutput to) throws IOException {
        Fields.key(to, contract.key());
        to.writeLong(contract.listingEpoch());
        to.writeLong(contract.listedSinceMs());
        to.writeUTF(contract.asset());
        to.writeUTF(contract.quote());
        Fields.word(to, contract.type());
        Fields.decimal(to, contract.currentIntervalH());
        Fields.decimal(to, contract.coinPrice());
    }

    private static Contract contract(DataInput from) throws IOException {
        return new Contract(
                Fields.key(from),
                from.readLong(),
                from.readLong(),
                from.readUTF(),
                from.readUTF(),
                Fields.word(from, ContractType.class),
                Fields.decimalOrNull(from),
                Fields.decimalOrNull(from));
    }
}
