package io.fundingobservatory.topics;

import java.util.List;

/**
 * The cross-exchange pairs of one asset over the 30-day window (T − 720 h, T].
 *
 * @param asset the normalised asset name
 * @param windowStartMs T − 720 h, epoch ms UTC, not included
 * @param windowEndMs T, the last whole UTC hour, epoch ms UTC, included
 * @param pairs every eligible pair, complete ones and others
 * @param refused pairs of one name whose prices do not agree
 */
public record CarryTable(
        String asset, long windowStartMs, long windowEndMs, List<CarryPair> pairs, List<CarryRefusal> refused) {

    public CarryTable {
        pairs = List.copyOf(pairs);
        refused = List.copyOf(refused);
    }

    public static final JsonCodec<CarryTable> CODEC = JsonCodec.<CarryTable>of("carry-table", 1)
            .text("asset", CarryTable::asset)
            .integer("window_start_ms", CarryTable::windowStartMs)
            .integer("window_end_ms", CarryTable::windowEndMs)
            .list("pairs", CarryPair.CODEC, CarryTable::pairs)
            .list("refused", CarryRefusal.CODEC, CarryTable::refused)
            .build(f -> new CarryTable(
                    f.text("asset"),
                    f.integer("window_start_ms"),
                    f.integer("window_end_ms"),
                    f.list("pairs", CarryPair.CODEC),
                    f.list("refused", CarryRefusal.CODEC)));
}
