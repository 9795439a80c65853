package io.fundingobservatory.topics;

/**
 * The cross-exchange pairs of one asset over the 30-day window (T − 720 h, T].
 *
 * <p>The topic and its key are settled; legs and pairs join this record together with the topology that fills them. Until then
 * nothing is published to {@code carry.pairs}.
 *
 * @param asset the normalised asset name
 * @param windowStartMs T − 720 h, epoch ms UTC, not included
 * @param windowEndMs T, the last whole UTC hour, epoch ms UTC, included
 */
public record CarryTable(String asset, long windowStartMs, long windowEndMs) {

    public static final JsonCodec<CarryTable> CODEC = JsonCodec.<CarryTable>of("carry-table", 1)
            .text("asset", CarryTable::asset)
            .integer("window_start_ms", CarryTable::windowStartMs)
            .integer("window_end_ms", CarryTable::windowEndMs)
            .build(f -> new CarryTable(f.text("asset"), f.integer("window_start_ms"), f.integer("window_end_ms")));
}
