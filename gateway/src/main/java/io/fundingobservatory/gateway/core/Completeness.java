package io.fundingobservatory.gateway.core;

import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.VenueStatus;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;

/** Decides when the first list may be shown: complete, or as complete as it got within the deadline, but never empty. */
public final class Completeness {
    private Completeness() {}

    /**
     * Whether a first list may be shown.
     *
     * @param fragments rows by venue
     * @param statuses what each poller last said
     * @param deadlinePassed whether waiting has lasted as long as it may
     */
    public static boolean firstListReady(
            Map<String, VenueRows> fragments, Collection<VenueStatus> statuses, boolean deadlinePassed) {
        boolean anyRow = fragments.values().stream().anyMatch(fragment -> fragment.size() > 0);
        return anyRow && (deadlinePassed || everyReaderArrived(fragments, statuses));
    }

    private static boolean everyReaderArrived(Map<String, VenueRows> fragments, Collection<VenueStatus> statuses) {
        boolean anyReader = false;
        var heard = new HashSet<String>();
        for (VenueStatus status : statuses) {
            heard.add(status.venue());
            if (status.rateKind() == null) {
                continue;
            }
            anyReader = true;
            Long promised = status.symbols();
            VenueRows fragment = fragments.get(status.venue());
            int rows = fragment == null ? 0 : fragment.tableRows();
            boolean attempted = status.lastAttemptMs() != null;
            boolean arrived = status.lastSuccessMs() == null || promised == null || rows >= promised;
            if (!attempted || !arrived) {
                return false;
            }
        }
        // A venue that has said nothing yet may be about to: only silence until the deadline counts as an answer.
        return anyReader && ListedVenue.ALL.stream().allMatch(venue -> heard.contains(venue.id()));
    }
}
