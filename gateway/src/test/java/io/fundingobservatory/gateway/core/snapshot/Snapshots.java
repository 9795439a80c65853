package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Snapshots of all listed venues whose lists are prepared as gzip alone. */
public final class Snapshots {
    private Snapshots() {}

    public static Snapshot of(
            long generatedAtMs,
            long nextAtMs,
            Map<String, VenueRows> rows,
            Map<String, VenueStatus> statuses,
            Map<String, VenueQuality> qualities,
            @Nullable PairRanking ranking) {
        return new Snapshot(ListedVenue.ALL, generatedAtMs, nextAtMs, rows, statuses, qualities, ranking, null);
    }
}
