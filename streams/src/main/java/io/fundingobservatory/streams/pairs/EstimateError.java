package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.formats.Format;
import io.fundingobservatory.topics.records.ContractKey;
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
    public static final Format<EstimateError> FORMAT = Format.of("estimate-error", 3, EstimateError.class);

    /** Of an event that was loaded from the published ledger. */
    public static final int UNTIMED = -1;

    /** The key under which all of a venue meet. */
    public byte[] venueKey() {
        return key.venue().getBytes(UTF_8);
    }
}
