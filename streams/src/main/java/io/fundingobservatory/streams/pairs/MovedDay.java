package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.streams.records.DayEncoding;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.topics.records.ContractKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * A UTC day of settlements of a contract that has another asset now, on its way there.
 *
 * @param listingEpoch the listing that the settlements belong to from now on
 * @param sinceMs settlements up to this instant belong to an earlier listing and stay behind, epoch ms
 */
public record MovedDay(ContractKey key, long listingEpoch, long sinceMs, SettlementDay day) {
    byte[] bytes() {
        var bytes = new ByteArrayOutputStream();
        try (var to = new DataOutputStream(bytes)) {
            to.writeUTF(key.venue());
            to.writeUTF(key.symbol());
            to.writeLong(listingEpoch);
            to.writeLong(sinceMs);
            DayEncoding.write(day, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Null when the bytes are no moved day. */
    static @Nullable MovedDay read(byte[] bytes) {
        try (var from = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new MovedDay(
                    new ContractKey(from.readUTF(), from.readUTF()),
                    from.readLong(),
                    from.readLong(),
                    DayEncoding.read(from));
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }
}
