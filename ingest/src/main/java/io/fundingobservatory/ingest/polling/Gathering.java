package io.fundingobservatory.ingest.polling;

import java.time.Duration;

/** Brings the answers of one venue together, round after round. It remembers what is asked seldom. */
public interface Gathering {
    /**
     * One round. Plain requests are made whatever it takes; what has to be asked key by key goes on in the next round.
     *
     * @param forKeys how long this round may take before asking key by key stops
     */
    Gathered round(Duration forKeys) throws InterruptedException;

    /** Goes on with what is asked seldom and key by key, for as long as is allowed; the next round knows it. */
    default void learn(Duration forKeys) throws InterruptedException {}

    /** Whether the venue has closed its door on us for a while. */
    default boolean barred() {
        return false;
    }
}
