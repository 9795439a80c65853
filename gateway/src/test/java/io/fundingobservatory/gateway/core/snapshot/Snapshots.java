package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Snapshots of all listed venues. */
public final class Snapshots {
    private Snapshots() {}

    public static Snapshot of(
            long generatedAtMs,
            long nextAtMs,
            Map<String, VenueRows> rows,
            Map<String, VenueStatus> statuses,
            Map<String, VenueQuality> qualities,
            @Nullable PairRanking ranking) {
        return new Snapshot(ListedVenue.ALL, generatedAtMs, nextAtMs, rows, statuses, qualities, ranking);
    }

    /** The rows of every listed venue. */
    public static List<VenueRows> venues(Snapshot snapshot) {
        return new LatestPage(snapshot, Scope.ALL, RowForm.WHOLE).venues();
    }

    /**
     * Rows of venues as those that follow an earlier snapshot's. Without it, each of them would count as new.
     *
     * @param nowMs the instant as of which ages are computed, epoch ms UTC
     */
    public static Map<String, VenueRows> following(Snapshot former, Map<String, VenueRows> rows, long nowMs) {
        var following = new HashMap<>(rows);
        for (VenueRows before : venues(former)) {
            if (before.size() > 0) {
                String venue = before.rows().getFirst().rate().venue();
                List<EncodedRow> now = rows.containsKey(venue) ? rows.get(venue).rows() : List.of();
                following.put(venue, new VenueRows(venue, now, nowMs, before));
            }
        }
        return following;
    }
}
