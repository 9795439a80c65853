package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.ErrorHistogram;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.VenueQuality;
import org.jspecify.annotations.Nullable;

/** What a venue's |settled − estimate| of 30 days come to. */
public final class EstimateQuality {
    private EstimateQuality() {}

    /**
     * The published value.
     *
     * @param startMs the begin of the first of the days, epoch ms
     * @param endMs until when they are measured, epoch ms
     * @param errors |settled − estimate| of each settlement in them, fractions of notional per 8 hours
     * @return null when there is none
     */
    public static @Nullable VenueQuality of(String venue, long startMs, long endMs, ErrorHistogram errors) {
        int count = errors.size();
        return count == 0
                ? null
                : new VenueQuality(
                        venue,
                        startMs,
                        endMs,
                        count,
                        Decimals.plain(errors.atPercent(50)),
                        Decimals.plain(errors.atPercent(95)));
    }
}
