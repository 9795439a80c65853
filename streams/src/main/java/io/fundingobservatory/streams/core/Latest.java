package io.fundingobservatory.streams.core;

import org.jspecify.annotations.Nullable;

/** Which of two observations of one contract stands. */
public final class Latest {
    private Latest() {}

    /**
     * Whether an observation replaces what is stored. One that was read at the same time or earlier is a duplicate or came late,
     * and changes nothing.
     *
     * @param storedObservedAtMs when the stored one was read; null when nothing is stored
     */
    public static boolean replaces(@Nullable Long storedObservedAtMs, long observedAtMs) {
        return storedObservedAtMs == null || observedAtMs > storedObservedAtMs;
    }
}
