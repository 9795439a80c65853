package io.fundingobservatory.streams.processors;

import java.util.Arrays;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The time as the brokers tell it: what most partitions agree on, plus what a steady clock has counted since.
 *
 * <p>Each input partition votes with the newest stamp of its last one to two minutes; the lower median of the votes is the time. So
 * one partition leader whose clock is days ahead moves nothing, and a time that was wrong is gone two minutes after its stamps. One
 * record moves its partition's vote by at most two minutes. While older records wait to be read, their stamps hold the time back.
 *
 * <p>One clock serves all tasks of a process.
 */
public final class BrokerClock {
    private static final long MOST_FORWARD_MS = 120_000;
    private static final long BUCKET_MS = 60_000;

    /** Alone a partition is believed after so long; two hold each other back. */
    private static final long ALONE_MS = 10_000;

    private static final long FAR_AHEAD_MS = 6 * 3_600_000L;

    private final LongSupplier steadyMs;
    private final TreeMap<Integer, Vote> votes = new TreeMap<>();
    private long firstAtMs;

    public BrokerClock(LongSupplier steadyMs) {
        this.steadyMs = steadyMs;
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

    /** A record of an input partition, with the stamp that its broker gave it. */
    synchronized void arrived(int partition, long stampMs) {
        long now = steadyMs.getAsLong();
        if (votes.isEmpty()) {
            firstAtMs = now;
        }
        votes.computeIfAbsent(partition, p -> new Vote()).arrived(stampMs - now, now);
    }

    /** Whether so many agree, or one has stood for so long, that what follows from the time may be done. */
    synchronized boolean certain() {
        return votes.size() > 1 || (votes.size() == 1 && steadyMs.getAsLong() - firstAtMs >= ALONE_MS);
    }

    /** Whether an instant is the present, within two minutes. */
    boolean isNow(long epochMs) {
        return certain() && Math.abs(nowMs() - epochMs) <= MOST_FORWARD_MS;
    }

    /**
     * The time, epoch ms; the process's own before the first record. The partitions that are read first may be those whose stamps are
     * days ahead, and what an early time lets in, a late one refuses for good: so for the first 10 s an agreed time that is more than
     * six hours ahead of the process's own is not believed.
     */
    synchronized long nowMs() {
        long own = steadyMs.getAsLong();
        if (votes.isEmpty()) {
            return own;
        }
        long[] offsets = votes.values().stream().mapToLong(Vote::value).sorted().toArray();
        long agreed = Arrays.stream(offsets)
                        .skip((offsets.length - 1) / 2)
                        .findFirst()
                        .orElseThrow()
                + own;
        return own - firstAtMs < ALONE_MS && agreed - own > FAR_AHEAD_MS ? own : agreed;
    }

    /** The process's own time, epoch ms: right where its clock was right at its start, and it never jumps. */
    long ownMs() {
        return steadyMs.getAsLong();
    }
}
