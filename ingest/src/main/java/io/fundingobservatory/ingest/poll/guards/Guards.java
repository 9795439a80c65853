package io.fundingobservatory.ingest.poll.guards;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The guards of all venues of this process. */
public final class Guards {
    private final Set<String> trusted;
    private final CommonFactorGuard commonFactor = new CommonFactorGuard();
    private final Map<String, VenueGuards> venues = new ConcurrentHashMap<>();

    /** Guards that quarantine none of these venues: their rows are published against the decision of a guard. */
    public Guards(String... trusted) {
        this.trusted = Set.copyOf(List.of(trusted));
    }

    /** The guards of one venue, used by one poller at a time. They remember its polls when it goes and comes back. */
    public VenueGuards of(String venue) {
        return venues.computeIfAbsent(venue, id -> new VenueGuards(id, commonFactor, trusted.contains(id)));
    }
}
