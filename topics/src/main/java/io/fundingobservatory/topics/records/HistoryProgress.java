package io.fundingobservatory.topics.records;

import io.fundingobservatory.topics.json.JsonCodec;
import org.jspecify.annotations.Nullable;

/**
 * How far the settled history of one contract has been read, so that another process continues from there.
 *
 * @param venue the exchange's identifier
 * @param symbol the exchange's own spelling of the instrument
 * @param newestMs the newest settlement that was published, epoch ms UTC; null when the exchange has shown none
 * @param whole whether all that the exchange shows of the last 31 days has been published
 */
public record HistoryProgress(
        String venue, String symbol, @Nullable Long newestMs, boolean whole) {
    public static final JsonCodec<HistoryProgress> CODEC = JsonCodec.<HistoryProgress>of("history-progress", 1)
            .text("venue", HistoryProgress::venue)
            .text("symbol", HistoryProgress::symbol)
            .integerOrNull("newest_ms", HistoryProgress::newestMs)
            .truth("whole", HistoryProgress::whole)
            .build(f -> new HistoryProgress(
                    f.text("venue"), f.text("symbol"), f.integerOrNull("newest_ms"), f.truth("whole")));

    public ContractKey key() {
        return new ContractKey(venue, symbol);
    }
}
