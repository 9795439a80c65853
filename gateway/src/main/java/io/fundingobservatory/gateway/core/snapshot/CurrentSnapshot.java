package io.fundingobservatory.gateway.core.snapshot;

import org.jspecify.annotations.Nullable;

/** What is served now. */
public interface CurrentSnapshot {
    /** The snapshot that a request is answered from; null until the first complete list. */
    @Nullable
    Snapshot current();
}
