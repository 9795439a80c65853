package io.fundingobservatory.streams.clock;

import io.fundingobservatory.topics.Topic;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The time according to the brokers: what most partitions of an input topic agree on, plus what a steady
 * clock has counted since ({@link TopicVotes}). Of several topics the first whose time is certain counts.
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
    private final Map<String, TopicVotes> topics = new LinkedHashMap<>();

    /** {@code steadyMs} counts epoch milliseconds and never jumps; {@code inputs} are listed with the best first. */
    public BrokerClock(LongSupplier steadyMs, Topic<?>... inputs) {
        this.steadyMs = steadyMs;
        for (Topic<?> input : inputs) {
            topics.put(input.name(), new TopicVotes(input.partitions()));
        }
    }

    /** A record of an input partition, with the stamp that its broker gave it, epoch ms. */
    public synchronized void arrived(Topic<?> input, int partition, long stampMs) {
        TopicVotes votes = topics.get(input.name());
        if (votes != null) {
            votes.arrived(partition, stampMs, steadyMs.getAsLong());
        }
    }

    /** This process reads an input partition no longer: what it has voted would stand for ever. */
    public synchronized void left(Topic<?> input, int partition) {
        TopicVotes votes = topics.get(input.name());
        if (votes != null) {
            votes.left(partition);
        }
    }

    /** Whether what follows from the time, and cannot be taken back, may be done. */
    public synchronized boolean certain() {
        long own = steadyMs.getAsLong();
        return topics.values().stream().anyMatch(topic -> topic.certain(own));
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
        long aheadMs = certain() ? nowMs() - stampMs : 0;
        return aheadMs > 0 && aheadMs <= BROKER_SLOW_BY_MS ? stampMs + aheadMs : stampMs;
    }

    /** The time, epoch ms; the process's own before the first record. */
    public synchronized long nowMs() {
        long own = steadyMs.getAsLong();
        TopicVotes uncertain = null;
        for (TopicVotes topic : topics.values()) {
            if (topic.certain(own)) {
                return own + topic.aheadMs;
            }
            uncertain = uncertain == null && !topic.isEmpty() ? topic : uncertain;
        }
        return uncertain == null ? own : own + uncertain.aheadMs;
    }

    /** The process's own time, epoch ms: right where its clock was right at its start, and it never jumps. */
    public long ownMs() {
        return steadyMs.getAsLong();
    }

    /**
     * The time according to the partitions of one input topic: how far the brokers' stamps are from a steady
     * clock.
     *
     * <p>Each partition votes with the newest stamp of its last one to two minutes; the lower median of the votes
     * counts. It is certain once two thirds of the partitions have voted. Then a third of them may be led by
     * brokers whose clocks are ahead by any amount. Where fewer are read, it is certain 10 s after the first
     * vote. One record moves its partition's vote by at most two minutes.
     */
    private static final class TopicVotes {
        private final int enough;
        private final TreeMap<Integer, Vote> votes = new TreeMap<>();
        private long firstAtMs;

        /** How far the brokers' time is ahead of the steady clock, ms. Read for each record; it changes seldom. */
        private long aheadMs;

        private TopicVotes(int partitions) {
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

        private void arrived(int partition, long stampMs, long steadyMs) {
            if (votes.isEmpty()) {
                firstAtMs = steadyMs;
            }
            Vote vote = votes.computeIfAbsent(partition, p -> new Vote());
            long before = vote.value();
            vote.arrived(stampMs - steadyMs, steadyMs);
            if (vote.value() != before) {
                aheadMs = lowerMedian();
            }
        }

        private void left(int partition) {
            votes.remove(partition);
            aheadMs = lowerMedian();
        }

        private boolean certain(long steadyMs) {
            return votes.size() >= enough || (!votes.isEmpty() && steadyMs - firstAtMs >= FEWER_ARE_ENOUGH_AFTER_MS);
        }

        private boolean isEmpty() {
            return votes.isEmpty();
        }

        private long lowerMedian() {
            return votes.values().stream()
                    .mapToLong(Vote::value)
                    .sorted()
                    .skip((votes.size() - 1) / 2)
                    .findFirst()
                    .orElse(0);
        }
    }
}
