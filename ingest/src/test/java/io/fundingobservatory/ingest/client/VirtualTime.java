package io.fundingobservatory.ingest.client;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Clock of tests, for one thread or for several. It does not move while one of them works. Once all of them pause, it jumps to the
 * earliest end of a pause and resumes that thread alone. So hours of many pollers take as long as their work takes, always in the same
 * order.
 */
public final class VirtualTime implements Time {
    private static final long EPOCH = 1_790_000_000_000L;

    private record Pause(long endMs, long order, CountDownLatch over) {}

    private final long startMs;
    private final long endMs;
    private final int threads;
    private final PriorityQueue<Pause> pauses =
            new PriorityQueue<>(Comparator.comparingLong(Pause::endMs).thenComparingLong(Pause::order));
    private volatile long elapsedMs;
    private volatile long aheadMs;
    private long order;

    /** A clock for one thread that interrupts it after a time. */
    public VirtualTime(Duration story) {
        this(story, EPOCH);
    }

    /** The same from an instant on, epoch ms. */
    public VirtualTime(Duration story, long startMs) {
        this(startMs, story.toMillis(), 1);
    }

    private VirtualTime(long startMs, long endMs, int threads) {
        this.startMs = startMs;
        this.endMs = endMs;
        this.threads = threads;
    }

    /** A clock from an instant on, epoch ms, that does not end and moves whenever so many threads pause. */
    public static VirtualTime shared(long startMs, int threads) {
        return new VirtualTime(startMs, Long.MAX_VALUE, threads);
    }

    @Override
    public long nowMs() {
        return startMs + elapsedMs + aheadMs;
    }

    @Override
    public long elapsedMs() {
        return elapsedMs;
    }

    @Override
    public void pause(Duration duration) throws InterruptedException {
        begin(duration).over().await();
        if (elapsedMs >= endMs) {
            throw new InterruptedException("the story ends");
        }
    }

    /** From now on instants are so far ahead of the time that passes. */
    public void setAhead(Duration ahead) {
        aheadMs = ahead.toMillis();
    }

    /** Moves the clock by hand, for a test whose only thread this is. */
    public synchronized void pass(Duration duration) {
        elapsedMs = elapsedMs + duration.toMillis();
    }

    private synchronized Pause begin(Duration duration) {
        var pause = new Pause(elapsedMs + Math.max(0, duration.toMillis()), order++, new CountDownLatch(1));
        pauses.add(pause);
        if (pauses.size() == threads) {
            Pause first = pauses.remove();
            elapsedMs = first.endMs();
            first.over().countDown();
        }
        return pause;
    }
}
