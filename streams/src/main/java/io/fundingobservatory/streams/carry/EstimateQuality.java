package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.core.Decimals;
import io.fundingobservatory.streams.payments.Window;
import io.fundingobservatory.topics.records.VenueQuality;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an exchange's |settled − estimate| of one window come to. */
public final class EstimateQuality {
    private EstimateQuality() {}

    /**
     * The published figure.
     *
     * @param errors |settled − estimate| of each payment in the window, fractions of notional per 8 hours, in any order
     * @return null when there is none
     */
    public static @Nullable VenueQuality of(String venue, Window window, List<BigDecimal> errors) {
        if (errors.isEmpty()) {
            return null;
        }
        var sorted = new ArrayList<>(errors);
        Collections.sort(sorted);
        return new VenueQuality(
                venue, window.startMs(), window.endMs(), sorted.size(), atRank(sorted, 50), atRank(sorted, 95));
    }

    /** Nearest rank: the smallest error that so many percent of them do not exceed; it is one that occurred. */
    private static BigDecimal atRank(List<BigDecimal> sorted, int percent) {
        int rank = (int) Math.max(1, Math.ceilDiv((long) sorted.size() * percent, 100));
        return Decimals.plain(sorted.get(rank - 1));
    }
}
