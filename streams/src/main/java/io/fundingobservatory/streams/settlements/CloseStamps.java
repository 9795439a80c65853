package io.fundingobservatory.streams.settlements;

import java.util.ArrayList;
import java.util.List;

/**
 * Merges settlements closer than half of the interval that they close: they are one settlement. One of them is
 * stamped a minute later than its own estimate, or published again under another stamp. The better basis is
 * kept, with its instant.
 */
public final class CloseStamps {
    /** Where no interval is published, none is taken to be shorter: venues settle every 1, 4 or 8 hours. */
    public static final long SHORTEST_INFERRED_MS = Window.HOUR_MS;

    private CloseStamps() {}

    /** The settlements of a contract, those of almost the same instant merged; oldest first both before and after. */
    static List<LedgerSettlement> merged(List<LedgerSettlement> stamped) {
        var settlements = new ArrayList<LedgerSettlement>(stamped.size());
        long firstStampMs = 0; // of the last settlement
        for (LedgerSettlement settlement : stamped) {
            LedgerSettlement last = settlements.isEmpty() ? null : settlements.getLast();
            if (last != null
                    && 2 * (settlement.settledMs() - firstStampMs) < Math.min(closed(last), closed(settlement))) {
                boolean replaces = settlement.ranksBefore(last);
                LedgerSettlement better = replaces ? settlement : last;
                LedgerSettlement other = replaces ? last : settlement;
                settlements.set(settlements.size() - 1, better.closing(other.intervalH()));
            } else {
                settlements.add(settlement);
                firstStampMs = settlement.settledMs();
            }
        }
        return settlements;
    }

    private static long closed(LedgerSettlement settlement) {
        Long published = settlement.intervalMs();
        return published == null ? SHORTEST_INFERRED_MS : published;
    }
}
