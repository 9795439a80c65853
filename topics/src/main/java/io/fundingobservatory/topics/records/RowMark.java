package io.fundingobservatory.topics.records;

import io.fundingobservatory.topics.json.JsonCodec;

/**
 * The last row of one partition of {@code rates.latest} that a list was made from. {@code rates.normalised} has the same rows
 * in the same partitions and the same order. No contract has two rows of one observation, so the mark names a position there
 * as well.
 *
 * @param partition the partition
 * @param venue the venue's identifier
 * @param symbol the venue's own spelling of the contract
 * @param observedAtMs when the row was observed, epoch ms UTC
 */
public record RowMark(long partition, String venue, String symbol, long observedAtMs) {
    static final JsonCodec<RowMark> CODEC = JsonCodec.<RowMark>of("row-mark", 1)
            .integer("partition", RowMark::partition)
            .text("venue", RowMark::venue)
            .text("symbol", RowMark::symbol)
            .integer("observed_at_ms", RowMark::observedAtMs)
            .build(f -> new RowMark(
                    f.integer("partition"), f.text("venue"), f.text("symbol"), f.integer("observed_at_ms")));
}
