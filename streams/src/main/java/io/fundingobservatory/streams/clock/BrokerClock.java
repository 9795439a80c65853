package io.fundingobservatory.streams.clock;

import io.fundingobservatory.topics.Topic;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The time according to the brokers: how far the stamps of an input topic are from a steady clock.
 *
 * <p>Each partition votes with the newest stamp of its last one to two minutes; the lower median of the votes
 * counts. It is certain once two thirds of the partitions have voted. Then a third of them may be led by
 * brokers whose clocks are ahead by any amount. Where fewer are read, it is certain 10 s after the first
 * vote. One record moves its partition's vote by at most two minutes.
 *
 * <p>Actions that cannot be undone wait until the time is certain: rows are removed, windows moved on and old
 * settlements rejected only then. A time that was wrong is gone two minutes after its stamps. While older
 * records wait to be read, their stamps hold the time back. One clock serves all tasks of an application.
 */
public final class BrokerClock {
    /** A stamp further behind is that of a record that has waited. */
    private static final long BROKER_SLOW_BY_MS = 15 * 60_000;

    private static final long MOST_FORWARD_MS = 120_000;
    private static final long BUCKET_MS = 60_000;
    private static final long FEWER_ARE_ENOUGH_AFTER_MS = 10_000;

    private final LongSupplier steadyMs;
    private final int enough;
    private final Map<Integer, Vote> votes = new TreeMap<>();
    private long firstAtMs;

    /** How far the brokers' time is ahead of the steady clock, ms. Read for each record; it changes seldom. */
    private long aheadMs;

    /** {@code steadyMs} counts epoch milliseconds and never jumps. */
    public BrokerClock(LongSupplier steadyMs, Topic<?> input) {
        this.steadyMs = steadyMs;
        this.enough = Math.ceilDiv(2 * input.partitions(), 3);
    }

    /** A record of an input partition, with the stamp that its broker gave it, epoch ms. */
    public synchronized void arrived(int partition, long stampMs) {
        long own = steadyMs.getAsLong();
        if (votes.isEmpty()) {
            firstAtMs = own;
        }
        Vote vote = votes.computeIfAbsent(partition, p -> new Vote());
        long before = vote.value();
        vote.arrived(stampMs - own, own);
        if (vote.value() != before) {
            aheadMs = lowerMedian();
        }
    }

    /** This process reads an input partition no longer: what it has voted would stand for ever. */
    public synchronized void left(int partition) {
        votes.remove(partition);
        aheadMs = lowerMedian();
    }

    private long lowerMedian() {
        return votes.values().stream()
                .mapToLong(Vote::value)
                .sorted()
                .skip((votes.size() - 1) / 2)
                .findFirst()
                .orElse(0);
    }

    /** Whether what follows from the time, and cannot be taken back, may be done. */
    public synchronized boolean certain() {
        return votes.size() >= enough
                || (!votes.isEmpty() && steadyMs.getAsLong() - firstAtMs >= FEWER_ARE_ENOUGH_AFTER_MS);
    }

    /** Whether an instant is the present, within two minutes. */
    public boolean isNow(long epochMs) {
        return certain() && Math.abs(nowMs() - epochMs) <= MOST_FORWARD_MS;
    }

    /**
     * When a record arrived, epoch ms: as its broker stamped it, or now where the stamp is a little behind that. One broker's clock may be
     * slow, and a record must not count as one of the future for it.
     */
    public long arrivedMs(long stampMs) {
        long behindMs = certain() ? nowMs() - stampMs : 0;
        return behindMs > 0 && behindMs <= BROKER_SLOW_BY_MS ? stampMs + behindMs : stampMs;
    }

    /** The time, epoch ms; the process's own before the first record. */
    public synchronized long nowMs() {
        return steadyMs.getAsLong() + aheadMs;
    }

    /** The process's own time, epoch ms: right where its clock was right at its start, and it never jumps. */
    public long ownMs() {
        return steadyMs.getAsLong();
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
}
