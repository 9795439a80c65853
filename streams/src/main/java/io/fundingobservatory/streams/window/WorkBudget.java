package io.fundingobservatory.streams.window;

import java.util.function.LongSupplier;

/** How much of each second a thread may spend on figures over the window, all of its tasks together. */
public final class WorkBudget {
    private static final long EACH_MS = 1_000;
    private static final long WORK_MS = 200;

    private final LongSupplier steadyMs;
    private final ThreadLocal<Spent> ofThread = ThreadLocal.withInitial(Spent::new);

    private static final class Spent {
        private long sinceMs = Long.MIN_VALUE;
        private long ms;
    }

    public WorkBudget(LongSupplier steadyMs) {
        this.steadyMs = steadyMs;
    }

    boolean isLeft() {
        Spent spent = ofThread.get();
        long now = steadyMs.getAsLong();
        if (spent.sinceMs == Long.MIN_VALUE || now - spent.sinceMs >= EACH_MS) {
            spent.sinceMs = now;
            spent.ms = 0;
        }
        return spent.ms < WORK_MS;
    }

    void spend(Runnable work) {
        long began = steadyMs.getAsLong();
        try {
            work.run();
        } finally {
            ofThread.get().ms += steadyMs.getAsLong() - began;
        }
    }
}
