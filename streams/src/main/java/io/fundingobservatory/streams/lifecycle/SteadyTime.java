package io.fundingobservatory.streams.lifecycle;

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

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs) throws InterruptedException {
        Time.SYSTEM.waitObject(object, condition, Time.SYSTEM.milliseconds() + deadlineMs - milliseconds());
    }
}
