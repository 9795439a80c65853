package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.topics.records.ContractKey;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.BufferUnderflowException;

/**
 * A UTC day of settlements of a contract that has another asset now, on its way there.
 *
 * @param listingEpoch the listing that the settlements belong to from now on
 * @param sinceMs settlements up to this instant belong to an earlier listing and stay behind, epoch ms
 * @param dayMs the beginning of the day, epoch ms
 */
public record MovedDay(ContractKey key, long listingEpoch, long sinceMs, long dayMs, SettlementDay day) {
    /** Format of a day on its internal topic. */
    public static final Format<MovedDay> FORMAT = new Format<>("moved-day", 1, MovedDay::write, MovedDay::read);

    private static final int MOST_BYTES = 1 << 20;

    private static void write(MovedDay moved, DataOutput to) throws IOException {
        Fields.key(to, moved.key);
        to.writeLong(moved.listingEpoch);
        to.writeLong(moved.sinceMs);
        to.writeLong(moved.dayMs);
        byte[] day = moved.day.write();
        to.writeInt(day.length);
        to.write(day);
    }

    private static MovedDay read(DataInput from) throws IOException {
        ContractKey key = Fields.key(from);
        long listingEpoch = from.readLong();
        long sinceMs = from.readLong();
        long dayMs = from.readLong();
        int length = from.readInt();
        if (length < 0 || length > MOST_BYTES) {
            throw new IOException("no length of a day");
        }
        byte[] day = new byte[length];
        from.readFully(day);
        try {
            return new MovedDay(key, listingEpoch, sinceMs, dayMs, SettlementDay.read(dayMs, day));
        } catch (BufferUnderflowException | IllegalStateException e) {
            throw new IOException("no day of settlements", e);
        }
    }
}
