package io.fundingobservatory.testbed;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits in tests for a condition, which is looked at every 10 ms. The deadline only ends what would never come: it holds on a
 * machine at a tenth of the usual speed.
 */
public final class Await {
    private static final Duration DEADLINE = Duration.ofMinutes(5);
    private static final long EVERY_NS = Duration.ofMillis(10).toNanos();

    private Await() {}

    /**
     * Returns when the condition holds.
     *
     * @throws AssertionError naming what was waited for, when it has not come by the deadline or the thread is interrupted
     */
    public static void until(String what, BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted while waiting for: " + what);
            }
            if (System.nanoTime() - begun > DEADLINE.toNanos()) {
                throw new AssertionError("not within " + DEADLINE + ": " + what);
            }
            LockSupport.parkNanos(EVERY_NS);
        }
    }
}
