package io.fundingobservatory.gateway.core.delta;

import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.RowKey;
import io.fundingobservatory.gateway.core.rows.VenuePrint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The difference between a list that a client has and the list of a later snapshot.
 *
 * @param changed rows that are new or changed, sorted by venue and symbol
 * @param gone keys of rows that the later list does not have, in the same order
 */
public record SnapshotDelta(List<EncodedRow> changed, List<RowKey> gone) {
    /**
     * The rows of one venue in the later snapshot.
     *
     * @param print their print
     */
    public record VenueNow(String venue, VenuePrint print, List<EncodedRow> rows) {}

    /**
     * Compares two lists.
     *
     * @param then the prints of the list that the client has, by venue
     * @param now the venues of the later list, sorted; they are the venues of the former one
     */
    static SnapshotDelta between(Map<String, VenuePrint> then, List<VenueNow> now) {
        var changed = new ArrayList<EncodedRow>();
        var gone = new ArrayList<RowKey>();
        for (VenueNow venue : now) {
            VenuePrint former = then.get(venue.venue());
            if (former != venue.print()) {
                (former == null ? VenuePrint.none(venue.venue()) : former)
                        .compare(venue.print(), venue.rows(), changed, gone);
            }
        }
        return new SnapshotDelta(changed, gone);
    }
}
