package io.fundingobservatory.gateway.core.delta;

import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.VenuePrint;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.topics.records.ContractKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The difference between a list that a client has and the list of a later snapshot.
 *
 * @param changed rows that are new or changed, sorted by venue and symbol
 * @param gone keys of rows that the later list does not have, in the same order
 */
public record SnapshotDelta(List<EncodedRow> changed, List<ContractKey> gone) {
    /** Compares the prints of the list that a client has, by venue, with the same venues of the later list, sorted. */
    static SnapshotDelta between(Map<String, VenuePrint> then, List<VenueRows> now) {
        var changed = new ArrayList<EncodedRow>();
        var gone = new ArrayList<ContractKey>();
        for (VenueRows venue : now) {
            VenuePrint print = venue.prints();
            VenuePrint former = then.get(print.venue());
            if (former == null) {
                changed.addAll(venue.rows());
            } else if (!Arrays.equals(former.digest(), print.digest())) {
                former.compare(print, venue.rows(), changed, gone);
            }
        }
        return new SnapshotDelta(changed, gone);
    }
}
