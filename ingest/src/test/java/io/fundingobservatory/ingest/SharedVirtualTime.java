package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.client.Time;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;

/**
 * One clock for a number of threads. It does not move while one of them works. Once all of them pause, it
 * jumps to the earliest end of a pause and resumes that thread alone. So hours of many pollers take as long
 * as their work takes, always in the same order.
 */
final class SharedVirtualTime implements Time {
    private record Pause(long endMs, long order, CountDownLatch over) {}

    private final long startMs;
    private final int threads;
    private final PriorityQueue<Pause> pauses =
            new PriorityQueue<>(Comparator.comparingLong(Pause::endMs).thenComparingLong(Pause::order));
    private volatile long elapsedMs;
    private long order;

    /**
     * A clock that stands until so many threads pause.
     *
     * @param startMs the first instant, epoch ms
     */
    SharedVirtualTime(long startMs, int threads) {
        this.startMs = startMs;
        this.threads = threads;
    }

    @Override
    public long nowMs() {
        return startMs + elapsedMs;
    }

    @Override
    public long elapsedMs() {
        return elapsedMs;
    }

    @Override
    public void pause(Duration duration) throws InterruptedException {
        begin(duration).over().await();
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
