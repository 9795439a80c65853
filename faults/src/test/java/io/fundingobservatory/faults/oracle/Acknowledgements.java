package io.fundingobservatory.faults.oracle;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records acknowledged to a producer with one request in flight at a time, so that the offsets of a partition
 * arrive in order.
 */
public final class Acknowledgements {
    private final Map<Long, Integer> byPlace = new ConcurrentHashMap<>();
    private final Map<Integer, Long> newest = new ConcurrentHashMap<>();
    private final Set<Long> twice = ConcurrentHashMap.newKeySet();

    /** A record, by a hash of its value. */
    public void add(int partition, long offset, int hash) {
        long place = place(partition, offset);
        Long before = newest.put(partition, offset);
        if (before != null && before >= offset) {
            twice.add(place);
        }
        byPlace.put(place, hash);
    }

    /** One number for a place in the topic. */
    public static long place(int partition, long offset) {
        return (long) partition << 48 | offset;
    }

    /**
     * Hash of each value by {@link #place}, the last one of a place. A reader that has seen the record on the
     * topic may remove it.
     */
    public Map<Long, Integer> byPlace() {
        return byPlace;
    }

    /**
     * Places of a second record where, or behind which, one had been acknowledged before. That one is gone: a new leader has gone on from
     * its own last record.
     */
    public Set<Long> twice() {
        return Set.copyOf(twice);
    }

    /** Records that are acknowledged and not taken out. */
    public int size() {
        return byPlace.size();
    }
}
