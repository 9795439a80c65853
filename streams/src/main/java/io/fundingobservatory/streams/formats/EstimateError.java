package io.fundingobservatory.streams.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.topics.records.ContractKey;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * How far our last reading was from what the exchange settled.
 *
 * @param settledMs the instant of the charge, epoch ms UTC, on a whole minute
 * @param error |settled − estimate|, fraction of notional per 8 hours
 * @param before what was taken for it until now; null when nothing was
 */
public record EstimateError(
        ContractKey key,
        long settledMs,
        BigDecimal error,
        @Nullable BigDecimal before) {
    /** Format of an error on its internal topic. */
    public static final Format<Routed<EstimateError>> FORMAT =
            new Format<>("estimate-error", 2, EstimateError::write, EstimateError::read);

    /** The key under which all of an exchange meet. */
    public byte[] venueKey() {
        return key.venue().getBytes(UTF_8);
    }

    private static void write(Routed<EstimateError> routed, DataOutput to) throws IOException {
        to.writeShort(routed.input());
        Fields.key(to, routed.event().key);
        to.writeLong(routed.event().settledMs);
        Fields.decimal(to, routed.event().error);
        Fields.decimal(to, routed.event().before);
    }

    private static Routed<EstimateError> read(DataInput from) throws IOException {
        return new Routed<>(
                from.readShort(),
                new EstimateError(Fields.key(from), from.readLong(), Fields.decimal(from), Fields.decimalOrNull(from)));
    }
}
