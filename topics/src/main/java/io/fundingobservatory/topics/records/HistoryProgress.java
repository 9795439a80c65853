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
 * @param secondMs the settlement before the newest, epoch ms UTC; null when it is not known. The gaps show the interval.
 * @param thirdMs the settlement before that
 */
public record HistoryProgress(
        String venue,
        String symbol,
        @Nullable Long newestMs,
        boolean whole,
        @Nullable Long secondMs,
        @Nullable Long thirdMs) {
    public static final JsonCodec<HistoryProgress> CODEC = JsonCodec.<HistoryProgress>of("history-progress", 1)
            .text("venue", HistoryProgress::venue)
            .text("symbol", HistoryProgress::symbol)
            .integerOrNull("newest_ms", HistoryProgress::newestMs)
            .truth("whole", HistoryProgress::whole)
            .integerIfAny("second_ms", HistoryProgress::secondMs)
            .integerIfAny("third_ms", HistoryProgress::thirdMs)
            .build(f -> new HistoryProgress(
                    f.text("venue"),
                    f.text("symbol"),
                    f.integerOrNull("newest_ms"),
                    f.truth("whole"),
                    f.integerOrNull("second_ms"),
                    f.integerOrNull("third_ms")));

    /** Progress without the settlements before the newest. */
    public HistoryProgress(String venue, String symbol, @Nullable Long newestMs, boolean whole) {
        this(venue, symbol, newestMs, whole, null, null);
    }

    public ContractKey key() {
        return new ContractKey(venue, symbol);
    }
}
