package io.fundingobservatory.gateway.core.snapshot;

import org.jspecify.annotations.Nullable;

/** What is served now. */
public interface CurrentSnapshot {
    /** The snapshot that a request is answered from; null until the first complete list. */
    @Nullable
    Snapshot current();

    /** What the first complete list waits for, in a line; empty where that is not known. */
    default String waitingFor() {
        return "";
    }
}
