package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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

    /** A snapshot of these rates, of whatever venues; the next one is published 2.5 s later. */
    public static Snapshot of(
            long nowMs, List<Rate> rates, Map<String, VenueStatus> statuses, @Nullable PairRanking ranking) {
        return of(nowMs, nowMs + 2_500, rows(rates, nowMs), statuses, Map.of(), ranking);
    }

    /** Rates as the rows of their venues. */
    public static Map<String, VenueRows> rows(List<Rate> rates, long nowMs) {
        var rows = new HashMap<String, VenueRows>();
        rates.stream()
                .collect(Collectors.groupingBy(Rate::venue))
                .forEach((venue, of) -> rows.put(venue, Samples.rows(venue, of, nowMs)));
        return rows;
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
