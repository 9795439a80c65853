package io.fundingobservatory.faults.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for what other processes do: a condition with a deadline, looked at every 20 ms. */
public final class Await {
    private static final long EVERY_MS = 20;

    private Await() {}

    /** Something that is looked at until it holds. */
    @FunctionalInterface
    public interface Condition<E extends Exception> {
        boolean holds() throws E, InterruptedException;
    }

    /** Returns true as soon as it holds, false when it has not within that time. */
    public static <E extends Exception> boolean until(Duration patience, Condition<E> condition)
            throws E, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(EVERY_MS);
        }
        return true;
    }
}
