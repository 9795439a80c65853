package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.Window;
import java.util.HashMap;
import java.util.Map;

/**
 * For how long each venue has been read in all. A contract that is missing from its venue's responses for 7
 * days of that time is not listed there. The time does not advance while nothing of the venue is read,
 * whether we or the venue are down.
 */
public final class VenueReadTime {
    /** A venue is read about once a minute; a longer pause than this counts as so much. */
    static final long LONGEST_PAUSE_MS = Window.HOUR_MS;

    private final Map<String, Mark> byVenue = new HashMap<>();

    private record Mark(long observedAtMs, long readMs) {}

    /** Takes up what a contract's state says, after a start; the newest of a venue counts. */
    public synchronized void restore(String venue, Listing listing) {
        byVenue.merge(
                venue,
                new Mark(listing.observedAtMs(), listing.venueReadMs()),
                (a, b) -> b.observedAtMs > a.observedAtMs ? b : a);
    }

    /** For how long a venue had been read in all when one of its contracts was, ms. */
    public synchronized long at(String venue, long observedAtMs) {
        Mark before = byVenue.get(venue);
        if (before == null) {
            byVenue.put(venue, new Mark(observedAtMs, 0));
            return 0;
        }
        long pauseMs = observedAtMs - before.observedAtMs;
        if (pauseMs <= 0) {
            return before.readMs;
        }
        var now = new Mark(observedAtMs, before.readMs + Math.min(pauseMs, LONGEST_PAUSE_MS));
        byVenue.put(venue, now);
        return now.readMs;
    }
}
