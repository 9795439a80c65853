package io.fundingobservatory.ingest.polling;

import java.time.Duration;
import java.util.Map;

/** Where the answers of one venue come from, round after round. It remembers what is asked seldom. Used by one thread at a time. */
public interface AnswerSource {
    /**
     * One round. Plain requests are made whatever it takes; what has to be asked symbol by symbol goes on in the next round.
     *
     * @param forKeys how long this round may take before asking symbol by symbol stops
     */
    PollAnswers round(Duration forKeys) throws InterruptedException;

    /** Goes on with what is asked seldom and symbol by symbol, for as long as is allowed; the next round knows it. */
    default void learn(Duration forKeys) throws InterruptedException {}

    /**
     * Whether figures that are asked symbol by symbol are asked every second minute only, because settled rates wait to be read. Their
     * rows count for 180 s, so none goes stale by it.
     */
    default void sparingly(boolean sparingly) {}

    /** Lists that have been contradicted are asked for again in the next round, whether or not they are due. */
    default void doubtLists() {}

    /** Whether a host of the venue has barred us for a while. */
    default boolean barred() {
        return false;
    }

    /** What the exchange has told us not to ask before a time, epoch ms; by host, pool or request. */
    default Map<String, Long> closedUntilMs() {
        return Map.of();
    }

    /** Takes over what the exchange had told an earlier process. */
    default void resume(Map<String, Long> closedUntilMs) {}
}
