package io.fundingobservatory.streams.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.topics.records.ContractKey;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * How far our last observation was from what the venue settled.
 *
 * @param settledMs the instant of the settlement, epoch ms UTC, on a whole minute
 * @param error |settled − estimate|, fraction of notional per 8 hours
 * @param before what was taken for it until now; null when nothing was
 * @param partition of {@code contract.events} whose broker stamped the event; {@link #UNTIMED} where the stamp
 *     is not that of the settlement's arrival
 */
public record EstimateError(
        ContractKey key,
        long settledMs,
        BigDecimal error,
        @Nullable BigDecimal before,
        int partition) {
    /** Of an event that was loaded from the published ledger. */
    public static final int UNTIMED = -1;

    /** Format of an error on its internal topic. */
    public static final Format<EstimateError> FORMAT =
            new Format<>("estimate-error", 3, EstimateError::write, EstimateError::read);

    /** The key under which all of a venue meet. */
    public byte[] venueKey() {
        return key.venue().getBytes(UTF_8);
    }

    private static void write(EstimateError error, DataOutput to) throws IOException {
        Fields.key(to, error.key);
        to.writeLong(error.settledMs);
        Fields.decimal(to, error.error);
        Fields.decimal(to, error.before);
        to.writeShort(error.partition);
    }

    private static EstimateError read(DataInput from) throws IOException {
        return new EstimateError(
                Fields.key(from), from.readLong(), Fields.decimal(from), Fields.decimalOrNull(from), from.readShort());
    }
}
