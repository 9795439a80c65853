package io.fundingobservatory.ingest.client;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/** Time of a poller: instants to record, and a monotone count for waiting that no change of the clock disturbs. */
public interface Time {
    /** The instant, epoch ms UTC. */
    long nowMs();

    /** Milliseconds since some moment; never goes back. */
    long elapsedMs();

    /** Waits; an interrupt ends it. */
    void pause(Duration duration) throws InterruptedException;

    static Time real(InstantSource clock) {
        return new Time() {
            @Override
            public long nowMs() {
                return clock.millis();
            }

            @Override
            public long elapsedMs() {
                return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
            }

            @Override
            public void pause(Duration duration) throws InterruptedException {
                Thread.sleep(duration);
            }
        };
    }
}
