package io.fundingobservatory.testbed;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

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

    /** Something that is checked until it holds. */
    @FunctionalInterface
    public interface Condition<E extends Exception> {
        boolean holds() throws E, InterruptedException;
    }

    /**
     * Returns when the condition holds.
     *
     * @throws AssertionError naming what was waited for, when it has not come by the deadline or the thread is interrupted
     */
    public static <E extends Exception> void until(String what, Condition<E> condition) throws E {
        try {
            if (!within(DEADLINE, condition)) {
                throw new AssertionError("not within " + DEADLINE + ": " + what);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for: " + what, e);
        }
    }

    /** Returns true as soon as the condition holds, false when it has not within that time. */
    public static <E extends Exception> boolean within(Duration patience, Condition<E> condition)
            throws E, InterruptedException {
        long begun = System.nanoTime();
        long checked = begun;
        while (!condition.holds()) {
            long now = System.nanoTime();
            if (now - begun > patience.toNanos()) {
                return false;
            }
            TimeUnit.NANOSECONDS.sleep(Math.clamp(PAUSE_PER_CHECK * (now - checked), LEAST_PAUSE_NS, MOST_PAUSE_NS));
            checked = System.nanoTime();
        }
        return true;
    }
}
