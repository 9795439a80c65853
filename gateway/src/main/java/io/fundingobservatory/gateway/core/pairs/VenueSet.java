package io.fundingobservatory.gateway.core.pairs;

import io.fundingobservatory.topics.ListedVenue;
import java.util.HashMap;
import java.util.Map;

/** Sets of listed exchanges as bits of a long. */
final class VenueSet {
    private static final Map<String, Long> BITS = new HashMap<>();

    /** No set of listed exchanges holds it. */
    private static final long UNLISTED = 1L << 63;

    static {
        for (ListedVenue venue : ListedVenue.ALL) {
            BITS.put(venue.id(), 1L << BITS.size());
        }
        if (BITS.size() >= Long.SIZE) {
            throw new IllegalStateException("more exchanges are listed than a long has bits");
        }
    }

    private VenueSet() {}

    static long of(Iterable<String> venues) {
        long set = 0;
        for (String venue : venues) {
            set |= bit(venue);
        }
        return set;
    }

    static long of(String a, String b) {
        return bit(a) | bit(b);
    }

    private static long bit(String venue) {
        Long bit = BITS.get(venue);
        return bit == null ? UNLISTED : bit;
    }
}
