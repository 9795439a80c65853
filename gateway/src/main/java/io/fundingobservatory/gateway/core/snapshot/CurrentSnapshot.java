package io.fundingobservatory.gateway.core.snapshot;

import org.jspecify.annotations.Nullable;

/** What is served now. */
public interface CurrentSnapshot {
    /** The snapshot from which responses are made; null until the first complete snapshot. */
    @Nullable
    Snapshot current();

    /** What the first complete snapshot waits for, in a line; empty where that is not known. */
    default String waitingFor() {
        return "";
    }
}
