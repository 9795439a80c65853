package io.fundingobservatory.streams.client;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Deadline for the shutdown of a client of which a thread died; a new client starts only after it. A shutdown
 * was seen to get stuck: no descriptor was left for a store, and the thread that restores stores died of it
 * as well. Without the deadline nothing would detect this: the process lives and processes nothing.
 */
public final class ShutdownDeadline {
    private final Duration within;
    private final Runnable missed;
    private final CountDownLatch over = new CountDownLatch(1);

    /**
     * Of one client.
     *
     * @param missed what follows when it has not shut down in time
     */
    public ShutdownDeadline(Duration within, Runnable missed) {
        this.within = within;
        this.missed = missed;
    }

    /** It has begun to shut down. */
    public void begin() {
        Thread.ofPlatform().name("streams-shutdown-deadline").daemon().start(() -> {
            try {
                if (!over.await(within.toMillis(), TimeUnit.MILLISECONDS)) {
                    missed.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** It has shut down. */
    public void end() {
        over.countDown();
    }
}
