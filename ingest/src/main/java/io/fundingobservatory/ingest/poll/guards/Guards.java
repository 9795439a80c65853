package io.fundingobservatory.ingest.poll.guards;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The guards of all venues of this process, and the 8-hour rates of each one's last poll, with which the others are
 * compared. A process that polls fewer than six venues compares each with its own rates alone.
 */
public final class Guards {
    private final Set<String> trusted;
    private final Map<String, VenueGuards> venues = new ConcurrentHashMap<>();
    private final Map<String, RateSheet> polls = new ConcurrentHashMap<>();

    /** Guards that quarantine none of these venues: their rows are published against the decision of a guard. */
    public Guards(String... trusted) {
        this.trusted = Set.copyOf(List.of(trusted));
    }

    /** The guards of one venue, used by one poller at a time. They remember its polls when it goes and comes back. */
    public VenueGuards of(String venue) {
        return venues.computeIfAbsent(venue, id -> new VenueGuards(id, this, trusted.contains(id)));
    }

    /** The rates of the other venues' last polls, none older than ten minutes. */
    List<RateSheet> others(String venue, long nowMs) {
        return polls.entrySet().stream()
                .filter(poll -> !poll.getKey().equals(venue) && poll.getValue().isRecent(nowMs))
                .map(Map.Entry::getValue)
                .toList();
    }

    /**
     * Takes the rates of a poll, in quarantine or not: one venue does not move a median. If all venues move together,
     * each one finds the others at its own level within a minute, and none stays in quarantine.
     */
    void polled(String venue, RateSheet poll) {
        polls.put(venue, poll);
    }
}
