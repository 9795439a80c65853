package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.HistoryReach;
import io.fundingobservatory.topics.records.Basis;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far back from the window's end a contract's settlements have no gap.
 *
 * @param days whole 24-hour days ending at T in which nothing is missing and nothing is too many; at most 30
 * @param missing how many settlements are missing in the window
 * @param reason why it is fewer than 30 days; null when it is 30
 */
public record Coverage(int days, long missing, @Nullable String reason) {
    /** The contract was listed inside the window: the venue's own history begins there. */
    public static final String LISTED_IN_WINDOW = "listed_in_window";

    /** We began to watch inside the window, and the venue publishes nothing from before. */
    public static final String SERVICE_STARTED = "service_started";

    /** The venue publishes only the newest rows of its history, and they begin inside the window. */
    public static final String HISTORY_CAPPED = "history_capped";

    /** A settlement between two others, or several at the end, are missing. */
    public static final String GAP = "gap";

    /** Another listing of the same symbol ended inside the window. */
    public static final String RELISTED = "relisted";

    /** Only the very last settlement has not arrived yet, or is stamped after the window that it belongs to by its interval. */
    public static final String SETTLEMENT_PENDING = "settlement_pending";

    /** More settlements than the intervals that they close have room for. */
    public static final String CONTRADICTORY = "contradictory";

    /** The venue's whole history has later settlements and not this one, of which we have an estimate: nothing confirms it. */
    public static final String UNCONFIRMED = "unconfirmed";

    /** A list of the newest rows was cut if it came with as many, one settled in between or not. */
    private static final int ROWS_MORE_OR_LESS = 1;

    /** {@code newestPublishedMs} is the newest settlement that the venue itself published, epoch ms; {@link Long#MIN_VALUE} without any. */
    static Coverage of(Contract contract, Gaps gaps, Window window, long newestPublishedMs, HistoryReach reach) {
        List<KnownSettlement> settlements = gaps.settlements();
        if (settlements.isEmpty()) {
            String reason = gaps.missing() == 0 ? beginning(contract, settlements, window, reach) : gaps.reason();
            return new Coverage(0, gaps.missing(), reason);
        }
        long unconfirmedMs = reach.extent() == HistoryReach.Extent.WHOLE
                ? newestUnconfirmedMs(settlements, newestPublishedMs)
                : Long.MIN_VALUE;
        long doubtedMs = Math.max(gaps.clearSinceMs(), unconfirmedMs);
        long clearSinceMs = Math.max(doubtedMs, gaps.coveredSinceMs());
        int days = Math.clamp((window.endMs() - clearSinceMs) / Window.DAY_MS, 0, Window.DAYS);
        String reason = days == Window.DAYS
                ? null
                : doubtedMs <= gaps.coveredSinceMs()
                        ? beginning(contract, settlements, window, reach)
                        : unconfirmedMs == doubtedMs ? UNCONFIRMED : gaps.reason();
        return new Coverage(days, gaps.missing(), reason);
    }

    /** The newest estimate that is older than what the venue has published since, epoch ms. */
    private static long newestUnconfirmedMs(List<KnownSettlement> settlements, long newestPublishedMs) {
        return settlements.reversed().stream()
                .filter(p -> p.basis() == Basis.ESTIMATE && p.settledMs() < newestPublishedMs)
                .mapToLong(KnownSettlement::settledMs)
                .findFirst()
                .orElse(Long.MIN_VALUE);
    }

    /** Why the settlements begin where they do. */
    private static String beginning(
            Contract contract, List<KnownSettlement> settlements, Window window, HistoryReach reach) {
        if (contract.listedSinceMs() > window.startMs()) {
            return RELISTED;
        }
        if (settlements.isEmpty() || settlements.getFirst().basis() == Basis.ESTIMATE) {
            return SERVICE_STARTED;
        }
        Integer newestRows = reach.newestRows();
        if (newestRows == null) {
            return LISTED_IN_WINDOW;
        }
        long listedWithIt = settlements.stream()
                .filter(p -> p.settledMs() <= settlements.getFirst().observedAtMs())
                .count();
        return listedWithIt >= newestRows - ROWS_MORE_OR_LESS ? HISTORY_CAPPED : LISTED_IN_WINDOW;
    }
}
