package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.records.ContractKey;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * How far our last observation was from what the venue settled.
 *
 * @param settledMs the instant of the settlement, epoch ms UTC, on a whole minute
 * @param error |settled − estimate|, fraction of notional per 8 hours
 * @param before what was taken for it until now; null when nothing was
 */
public record EstimateError(
        ContractKey key,
        long settledMs,
        BigDecimal error,
        @Nullable BigDecimal before) {
    public static final JsonCodec<EstimateError> CODEC = JsonCodec.stored(EstimateError.class);

    /** The key under which all of a venue meet. */
    public byte[] venueKey() {
        return key.venue().getBytes(UTF_8);
    }
}
