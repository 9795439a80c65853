package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.Time;
import java.time.Duration;

/** A clock that jumps to the end of every pause, and interrupts the poller at the end of the story. */
final class VirtualTime implements Time {
    private static final long EPOCH = 1_790_000_000_000L;

    private final long startMs;
    private final long endMs;
    private long elapsedMs;

    VirtualTime(Duration story) {
        this(story, EPOCH);
    }

    /** From an instant on, epoch ms. */
    VirtualTime(Duration story, long startMs) {
        this.startMs = startMs;
        this.endMs = story.toMillis();
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
        elapsedMs += duration.toMillis();
        if (elapsedMs >= endMs) {
            throw new InterruptedException("the story ends");
        }
    }
}
