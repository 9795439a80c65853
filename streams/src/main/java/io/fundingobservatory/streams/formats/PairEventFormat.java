package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.carry.MarkComparison;
import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Settlement;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;

/** Format of pair events on their internal topic, and of listed contracts in the store of the pair tables. */
public final class PairEventFormat {
    public static final Format<Routed<PairEvent>> EVENTS =
            new Format<>("pair-event", 2, PairEventFormat::write, PairEventFormat::read);
    public static final Format<PricedContract> PRICED =
            new Format<>("priced-contract", 2, PairEventFormat::priced, PairEventFormat::priced);

    private static final byte CONTRACT_LISTED = 0;
    private static final byte CONTRACT_REMOVED = 1;
    private static final byte SETTLEMENT_RECORDED = 2;
    private static final byte SETTLEMENT_EXPECTED = 3;

    private PairEventFormat() {}

    private static void write(Routed<PairEvent> routed, DataOutput to) throws IOException {
        to.writeShort(routed.input());
        switch (routed.event()) {
            case PairEvent.ContractListed listed -> {
                to.writeByte(CONTRACT_LISTED);
                listed(listed, to);
            }
            case PairEvent.ContractRemoved(ContractKey key, String asset) -> {
                to.writeByte(CONTRACT_REMOVED);
                Fields.key(to, key);
                to.writeUTF(asset);
            }
            case PairEvent.SettlementRecorded(Settlement settlement) -> {
                to.writeByte(SETTLEMENT_RECORDED);
                settlement(settlement, to);
            }
            case PairEvent.SettlementExpected(ContractKey key, long epoch, String asset, long settledMs) -> {
                to.writeByte(SETTLEMENT_EXPECTED);
                Fields.key(to, key);
                to.writeLong(epoch);
                to.writeUTF(asset);
                to.writeLong(settledMs);
            }
        }
    }

    private static Routed<PairEvent> read(DataInput from) throws IOException {
        int partition = from.readShort();
        byte kind = from.readByte();
        PairEvent event = switch (kind) {
            case CONTRACT_LISTED -> listed(from);
            case CONTRACT_REMOVED -> new PairEvent.ContractRemoved(Fields.key(from), from.readUTF());
            case SETTLEMENT_RECORDED -> new PairEvent.SettlementRecorded(settlement(from));
            case SETTLEMENT_EXPECTED ->
                new PairEvent.SettlementExpected(Fields.key(from), from.readLong(), from.readUTF(), from.readLong());
            default -> throw new IOException("no kind of event: " + kind);
        };
        return new Routed<>(partition, event);
    }

    private static void listed(PairEvent.ContractListed listed, DataOutput to) throws IOException {
        contract(listed.contract(), to);
        to.writeLong(listed.atMs());
    }

    private static PairEvent.ContractListed listed(DataInput from) throws IOException {
        return new PairEvent.ContractListed(contract(from), from.readLong());
    }

    private static void priced(PricedContract priced, DataOutput to) throws IOException {
        contract(priced.contract(), to);
        to.writeLong(priced.publishedMs());
        to.writeLong(priced.pricedMs());
        to.writeShort(priced.kept().size());
        for (MarkComparison kept : priced.kept()) {
            Fields.decimal(to, kept.own());
            Fields.key(to, kept.with());
            to.writeLong(kept.withEpoch());
            Fields.decimal(to, kept.others());
            to.writeLong(kept.atMs());
        }
    }

    private static PricedContract priced(DataInput from) throws IOException {
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

    private static void settlement(Settlement settlement, DataOutput to) throws IOException {
        Fields.key(to, settlement.key());
        to.writeLong(settlement.listingEpoch());
        to.writeUTF(settlement.asset());
        to.writeLong(settlement.settledMs());
        to.writeLong(settlement.settledRawMs());
        Fields.decimal(to, settlement.fundingRate());
        Fields.word(to, settlement.basis());
        Fields.decimal(to, settlement.fundingIntervalH());
        to.writeLong(settlement.observedAtMs());
    }

    private static Settlement settlement(DataInput from) throws IOException {
        ContractKey key = Fields.key(from);
        return new Settlement(
                key.venue(),
                key.symbol(),
                from.readLong(),
                from.readUTF(),
                from.readLong(),
                from.readLong(),
                Fields.decimal(from),
                Fields.word(from, Basis.class),
                Fields.decimalOrNull(from),
                from.readLong());
    }
}
