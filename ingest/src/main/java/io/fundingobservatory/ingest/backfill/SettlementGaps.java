package io.fundingobservatory.ingest.backfill;

import io.fundingobservatory.ingest.spec.Instants;
import io.fundingobservatory.topics.records.SettledRate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The gap between the two newest settlements of each contract of a venue, taken from its settled history. A
 * documented interval is compared with it where rows announce no settlement.
 */
public final class SettlementGaps {
    private static final long TOLERANCE_MS = Instants.INTERVALS_AGREE_WITHIN_MS;

    private record Newest(long ms, @Nullable Long beforeMs) {
        Newest with(long settledMs) {
            if (settledMs > ms + TOLERANCE_MS) {
                return new Newest(settledMs, ms);
            }
            boolean between = settledMs < ms - TOLERANCE_MS && (beforeMs == null || settledMs > beforeMs);
            return between ? new Newest(ms, settledMs) : this;
        }
    }

    private final Map<String, Newest> bySymbol = new HashMap<>();

    /** Settled rates in any order, as often as they are read. */
    public void settled(List<SettledRate> rates) {
        rates.forEach(rate -> settled(rate.symbol(), rate.settledMs()));
    }

    public void settled(String symbol, long settledMs) {
        bySymbol.merge(symbol, new Newest(settledMs, null), (known, one) -> known.with(one.ms()));
    }

    /** Whether the two newest settlements of a contract are further apart or nearer than an interval; false when they are not known. */
    public boolean contradict(String symbol, long intervalMs) {
        Newest newest = bySymbol.get(symbol);
        return newest != null
                && newest.beforeMs() != null
                && Math.abs(newest.ms() - newest.beforeMs() - intervalMs) > TOLERANCE_MS;
    }
}
