package io.fundingobservatory.testbed;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits in tests for a condition. The pause between two checks is four times the last check, at least 10 ms and at most 250 ms. A
 * check that reads a topic leaves the processor to what it waits for. The deadline only ends what would never come: it holds on a
 * machine at a tenth of the usual speed.
 */
public final class Await {
    private static final Duration DEADLINE = Duration.ofMinutes(5);
    private static final long LEAST_PAUSE_NS = Duration.ofMillis(10).toNanos();
    private static final long MOST_PAUSE_NS = Duration.ofMillis(250).toNanos();
    private static final int PAUSE_PER_CHECK = 4;

    private Await() {}

    /**
     * Returns when the condition holds.
     *
     * @throws AssertionError naming what was waited for, when it has not come by the deadline or the thread is interrupted
     */
    public static void until(String what, BooleanSupplier condition) {
        long begun = System.nanoTime();
        long checked = begun;
        while (!condition.getAsBoolean()) {
            long now = System.nanoTime();
            long tookNs = now - checked;
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted while waiting for: " + what);
            }
            if (now - begun > DEADLINE.toNanos()) {
                throw new AssertionError("not within " + DEADLINE + ": " + what);
            }
            LockSupport.parkNanos(Math.clamp(PAUSE_PER_CHECK * tookNs, LEAST_PAUSE_NS, MOST_PAUSE_NS));
            checked = System.nanoTime();
        }
    }
}
