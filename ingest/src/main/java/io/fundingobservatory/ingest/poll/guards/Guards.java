package io.fundingobservatory.ingest.poll.guards;

import io.fundingobservatory.ingest.poll.guards.CommonFactor.RateSheet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The guards of all venues of this process, and the latest published 8-hour rates of each, with which the others are compared. A
 * process that polls fewer than six venues compares each with its own rates alone.
 */
public final class Guards {
    private static final long COUNTS_FOR_MS = Duration.ofMinutes(10).toMillis();

    private final Set<String> trusted;
    private final Map<String, VenueGuards> venues = new ConcurrentHashMap<>();
    private final Map<String, RateSheet> sheets = new ConcurrentHashMap<>();

    /** Guards that quarantine none of these venues: their rows are published against the decision of a guard. */
    public Guards(String... trusted) {
        this.trusted = Set.copyOf(List.of(trusted));
    }

    /** The guards of one venue, used by one poller at a time. They remember its polls when it goes and comes back. */
    public VenueGuards of(String venue) {
        return venues.computeIfAbsent(venue, id -> new VenueGuards(id, this, trusted.contains(id)));
    }

    /** The rates of the other venues' last polls, none older than ten minutes. */
    List<Map<String, Double>> others(String venue, long nowMs) {
        var others = new ArrayList<Map<String, Double>>();
        sheets.forEach((other, sheet) -> {
            if (!other.equals(venue) && sheet.isWithin(COUNTS_FOR_MS, nowMs)) {
                others.add(sheet.rates());
            }
        });
        return others;
    }

    void published(String venue, Map<String, Double> rates, long nowMs) {
        sheets.put(venue, new RateSheet(rates, nowMs));
    }

    /** Removes quarantined rates from the comparison of the others. */
    void quarantined(String venue) {
        sheets.remove(venue);
    }
}
