package io.fundingobservatory.streams.client;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;

/**
 * The time of this process: the wall clock's at its start, and from then on what a monotone clock has counted. A wall clock that
 * jumps by an hour or a month changes nothing: no commit waits for it, no schedule, no age.
 */
public final class SteadyTime implements Time {
    private final long beganAtMs = System.currentTimeMillis();
    private final long beganAtNanos = System.nanoTime();

    @Override
    public long milliseconds() {
        return beganAtMs + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganAtNanos);
    }

    @Override
    public long nanoseconds() {
        return System.nanoTime();
    }

    @Override
    public void sleep(long ms) {
        Time.SYSTEM.sleep(ms);
    }

    /** Waits until the condition holds; the deadline is one of this clock. */
    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs) throws InterruptedException {
        synchronized (object) {
            while (!condition.get()) {
                long leftMs = deadlineMs - milliseconds();
                if (leftMs <= 0) {
                    throw new org.apache.kafka.common.errors.TimeoutException(
                            "the condition did not come to hold in time");
                }
                object.wait(leftMs);
            }
        }
    }
}
