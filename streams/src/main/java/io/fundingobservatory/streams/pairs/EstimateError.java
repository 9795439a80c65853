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
    public static final JsonCodec<EstimateError> CODEC = JsonCodec.<EstimateError>of("estimate-error", 4)
            .text("venue", error -> error.key().venue())
            .text("symbol", error -> error.key().symbol())
            .integer("settled_ms", EstimateError::settledMs)
            .decimal("error", EstimateError::error)
            .decimalOrNull("before", EstimateError::before)
            .build(f -> new EstimateError(
                    new ContractKey(f.text("venue"), f.text("symbol")),
                    f.integer("settled_ms"),
                    f.decimal("error"),
                    f.decimalOrNull("before")));

    /** The key under which all of a venue meet. */
    public byte[] venueKey() {
        return key.venue().getBytes(UTF_8);
    }
}
