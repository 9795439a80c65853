package io.fundingobservatory.streams.clock;

import java.util.TreeMap;

/**
 * The time according to the partitions of one input topic: how far the brokers' stamps are from a steady
 * clock.
 *
 * <p>Each partition votes with the newest stamp of its last one to two minutes; the lower median of the votes
 * counts. It is certain once two thirds of the partitions have voted. Then a third of them may be led by
 * brokers whose clocks are ahead by any amount. Where fewer are read, it is certain 10 s after the first
 * vote. One record moves its partition's vote by at most two minutes.
 */
final class TopicVotes {
    static final long MOST_FORWARD_MS = 120_000;
    private static final long BUCKET_MS = 60_000;
    private static final long FEWER_ARE_ENOUGH_AFTER_MS = 10_000;

    private final int enough;
    private final TreeMap<Integer, Vote> votes = new TreeMap<>();
    private long firstAtMs;

    TopicVotes(int partitions) {
        this.enough = Math.ceilDiv(2 * partitions, 3);
    }

    /** A partition's broker stamps, less the steady time at which they were read. */
    private static final class Vote {
        private long bucketAtMs;
        private long newest = Long.MIN_VALUE;
        private long before = Long.MIN_VALUE;

        private void arrived(long offset, long nowMs) {
            long bounded = newest == Long.MIN_VALUE ? offset : Math.min(offset, value() + MOST_FORWARD_MS);
            if (newest == Long.MIN_VALUE) {
                bucketAtMs = nowMs;
            } else if (nowMs - bucketAtMs >= BUCKET_MS) {
                bucketAtMs = nowMs;
                before = newest;
                newest = bounded;
            }
            newest = Math.max(newest, bounded);
        }

        private long value() {
            return Math.max(newest, before);
        }
    }

    /** A record with the stamp that its broker gave it, read at a steady clock's time. */
    void arrived(int partition, long stampMs, long steadyMs) {
        if (votes.isEmpty()) {
            firstAtMs = steadyMs;
        }
        votes.computeIfAbsent(partition, p -> new Vote()).arrived(stampMs - steadyMs, steadyMs);
    }

    boolean certain(long steadyMs) {
        return votes.size() >= enough || (!votes.isEmpty() && steadyMs - firstAtMs >= FEWER_ARE_ENOUGH_AFTER_MS);
    }

    boolean isEmpty() {
        return votes.isEmpty();
    }

    /** How far the brokers' time is ahead of the steady clock, ms. */
    long aheadMs() {
        return votes.values().stream()
                .mapToLong(Vote::value)
                .sorted()
                .skip((votes.size() - 1) / 2)
                .findFirst()
                .orElse(0);
    }
}
