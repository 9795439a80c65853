package io.fundingobservatory.ingest.poll;

import java.time.Duration;
import java.util.Map;

/**
 * The source of one venue's responses, poll after poll. It remembers the responses to less frequent requests.
 * Used by one thread at a time.
 */
public interface ResponseSource {
    /**
     * One round. Plain requests are made whatever it takes; what has to be asked symbol by symbol goes on in the next round.
     *
     * @param forKeys how long this round may take before asking symbol by symbol stops
     */
    PollResponses round(Duration forKeys) throws InterruptedException;

    /**
     * Continues with less frequent requests and those for single symbols, for as long as is allowed. The next
     * poll uses the responses.
     */
    default void learn(Duration forKeys) throws InterruptedException {}

    /**
     * Sets whether rates of single symbols are requested only every second minute, because settled rates wait
     * to be read. Their rows count for 180 s, so none becomes stale.
     */
    default void sparingly(boolean sparingly) {}

    /** Lists that have been contradicted are requested again in the next round, whether or not they are due. */
    default void doubtLists() {}

    /** Returns whether a host of the venue has banned us for a while. */
    default boolean banned() {
        return false;
    }

    /** What the exchange has told us not to ask before a time, epoch ms; by host, pool or request. */
    default Map<String, Long> closedUntilMs() {
        return Map.of();
    }

    /** Takes over what the exchange had told an earlier process. */
    default void resume(Map<String, Long> closedUntilMs) {}
}
