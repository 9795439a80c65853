package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.topics.Basis;
import io.fundingobservatory.topics.ContractKey;
import io.fundingobservatory.topics.ContractType;
import io.fundingobservatory.topics.Settlement;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.kafka.common.serialization.Serde;

/** How notes stand on the internal topic between those who follow contracts and those who make tables. */
final class NoteFormat {
    private static final byte LISTED = 0;
    private static final byte GONE = 1;
    private static final byte PAID = 2;
    private static final byte EXPECTED = 3;

    private NoteFormat() {}

    static Serde<Note> serde() {
        return Binary.serde(NoteFormat::write, NoteFormat::read);
    }

    /** A listing that a table knows, in its store. */
    static Serde<Note.Listed> listedSerde() {
        return Binary.serde(NoteFormat::listed, NoteFormat::listed);
    }

    private static void write(Note note, DataOutput to) throws IOException {
        switch (note) {
            case Note.Listed listed -> {
                to.writeByte(LISTED);
                listed(listed, to);
            }
            case Note.Gone(ContractKey key, String asset) -> {
                to.writeByte(GONE);
                key(key, to);
                to.writeUTF(asset);
            }
            case Note.Paid(Settlement settlement) -> {
                to.writeByte(PAID);
                paid(settlement, to);
            }
            case Note.Expected(ContractKey key, long epoch, String asset, long settledMs) -> {
                to.writeByte(EXPECTED);
                key(key, to);
                to.writeLong(epoch);
                to.writeUTF(asset);
                to.writeLong(settledMs);
            }
        }
    }

    private static Note read(DataInput from) throws IOException {
        byte kind = from.readByte();
        return switch (kind) {
            case LISTED -> listed(from);
            case GONE -> new Note.Gone(key(from), from.readUTF());
            case PAID -> new Note.Paid(paid(from));
            case EXPECTED -> new Note.Expected(key(from), from.readLong(), from.readUTF(), from.readLong());
            default -> throw new IOException("no kind of note: " + kind);
        };
    }

    private static void listed(Note.Listed listed, DataOutput to) throws IOException {
        Contract contract = listed.contract();
        key(contract.key(), to);
        to.writeLong(contract.listingEpoch());
        to.writeLong(contract.listedSinceMs());
        to.writeUTF(contract.asset());
        to.writeUTF(contract.type().name());
        Binary.decimal(to, contract.currentIntervalH());
        Binary.decimal(to, contract.coinPrice());
        to.writeLong(listed.atMs());
    }

    private static Note.Listed listed(DataInput from) throws IOException {
        var contract = new Contract(
                key(from),
                from.readLong(),
                from.readLong(),
                from.readUTF(),
                ContractType.valueOf(from.readUTF()),
                Binary.decimalOrNull(from),
                Binary.decimalOrNull(from));
        return new Note.Listed(contract, from.readLong());
    }

    private static void paid(Settlement settlement, DataOutput to) throws IOException {
        key(settlement.key(), to);
        to.writeLong(settlement.listingEpoch());
        to.writeUTF(settlement.asset());
        to.writeLong(settlement.settledMs());
        to.writeLong(settlement.settledRawMs());
        Binary.decimal(to, settlement.fundingRate());
        to.writeUTF(settlement.basis().name());
        Binary.decimal(to, settlement.fundingIntervalH());
        to.writeLong(settlement.observedAtMs());
    }

    private static Settlement paid(DataInput from) throws IOException {
        ContractKey key = key(from);
        return new Settlement(
                key.venue(),
                key.symbol(),
                from.readLong(),
                from.readUTF(),
                from.readLong(),
                from.readLong(),
                Binary.decimal(from),
                Basis.valueOf(from.readUTF()),
                Binary.decimalOrNull(from),
                from.readLong());
    }

    private static void key(ContractKey key, DataOutput to) throws IOException {
        to.writeUTF(key.toString());
    }

    private static ContractKey key(DataInput from) throws IOException {
        return ContractKey.parse(from.readUTF());
    }
}
