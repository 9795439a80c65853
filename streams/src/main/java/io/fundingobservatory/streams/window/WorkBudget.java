package io.fundingobservatory.streams.window;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Limits the time that a thread spends on values over the window, all of its tasks together. The limit is two
 * fifths of its time, and a tenth of a second at once. A millisecond and a half for everything else earns one
 * for this. Time beyond the limit is earned back before the next piece of work.
 */
public final class WorkBudget {
    private static final double EARNED = 1 / 1.5;
    private static final double MOST_MS = 100;

    private final LongSupplier steadyMs;
    private final ThreadLocal<Account> ofThread = ThreadLocal.withInitial(Account::new);

    private final class Account {
        private long atMs = steadyMs.getAsLong();
        private double leftMs = MOST_MS;
        private final Set<Object> due = new HashSet<>();

        private void fill() {
            long nowMs = steadyMs.getAsLong();
            leftMs = Math.min(MOST_MS, leftMs + EARNED * (nowMs - atMs));
            atMs = nowMs;
        }
    }

    /**
     * A budget of which nothing is spent.
     *
     * @param steadyMs milliseconds of a clock that is never set
     */
    public WorkBudget(LongSupplier steadyMs) {
        this.steadyMs = steadyMs;
    }

    /** Notes whether a schedule of this thread has figures that are due. */
    void due(Object schedule, boolean isDue) {
        Set<Object> due = ofThread.get().due;
        if (isDue) {
            due.add(schedule);
        } else {
            due.remove(schedule);
        }
    }

    /** Whether nothing is due on this thread: only then are late changes worked in, of whatever task they are. */
    boolean nothingDue() {
        return ofThread.get().due.isEmpty();
    }

    boolean isLeft() {
        Account account = ofThread.get();
        account.fill();
        return account.leftMs > 0;
    }

    /**
     * Does the work and takes off how long it took.
     *
     * @param weight how many times over that is taken off
     */
    void spend(int weight, Runnable work) {
        Account account = ofThread.get();
        account.fill();
        long began = steadyMs.getAsLong();
        try {
            work.run();
        } finally {
            long nowMs = steadyMs.getAsLong();
            account.leftMs -= (double) weight * (nowMs - began);
            account.atMs = nowMs;
        }
    }
}
