package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.PublishedList;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A published snapshot, made again from its record. Its lists of whole venues have the same bytes and tags; pairs are not in it. */
public final class FormerSnapshot {
    private FormerSnapshot() {}

    /**
     * Makes a snapshot again.
     *
     * @param list its record
     * @param rows the newest row of each contract up to the marks of the record; rows that were too old have no effect
     * @param statuses the statuses that the record names, by venue
     * @return empty when the tags of its lists differ from the recorded ones: a row or a status is another one, or another
     *     release published them
     */
    public static Optional<Snapshot> of(
            PublishedList list, Collection<EncodedRow> rows, Map<String, VenueStatus> statuses) {
        var byVenue = new HashMap<String, List<EncodedRow>>();
        for (EncodedRow row : rows) {
            Long deleted = list.deleted().get(row.rate().key().toString());
            if (deleted == null || row.rate().observedAtMs() > deleted) {
                byVenue.computeIfAbsent(row.rate().venue(), venue -> new ArrayList<>())
                        .add(row);
            }
        }
        var held = new HashMap<String, VenueRows>();
        for (ListedVenue venue : ListedVenue.ALL) {
            int removed = Math.toIntExact(list.removed().getOrDefault(venue.id(), 0L));
            held.put(
                    venue.id(),
                    VenueRows.again(venue.id(), byVenue.getOrDefault(venue.id(), List.of()), removed, list.asOfMs()));
        }
        var snapshot = new Snapshot(
                ListedVenue.ALL, list.generatedAtMs(), list.generatedAtMs(), held, statuses, Map.of(), null, null);
        return snapshot.tag(Scope.DEFAULT).equals(list.tag())
                        && snapshot.tag(Scope.ALL).equals(list.tagOfAll())
                ? Optional.of(snapshot)
                : Optional.empty();
    }
}
