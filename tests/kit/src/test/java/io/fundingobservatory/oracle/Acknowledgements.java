package io.fundingobservatory.oracle;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records acknowledged to a producer with one request in flight at a time, so that the offsets of a partition
 * arrive in order.
 */
public final class Acknowledgements {
    private final Map<Long, Integer> byPosition = new ConcurrentHashMap<>();
    private final Map<Integer, Long> newest = new ConcurrentHashMap<>();
    private final Set<Long> twice = ConcurrentHashMap.newKeySet();

    /** A record, by a hash of its value. */
    public void add(int partition, long offset, int hash) {
        long position = position(partition, offset);
        Long before = newest.put(partition, offset);
        if (before != null && before >= offset) {
            twice.add(position);
        }
        byPosition.put(position, hash);
    }

    /** One number for a partition and an offset. */
    public static long position(int partition, long offset) {
        return (long) partition << 48 | offset;
    }

    /**
     * Hash of each value by {@link #position}, the last one of a position. A reader that has seen the record on the
     * topic may remove it.
     */
    public Map<Long, Integer> byPosition() {
        return byPosition;
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
        return byPosition.size();
    }
}
