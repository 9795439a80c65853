package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.fetching.Call;
import io.fundingobservatory.ingest.fetching.Fetched;
import java.time.Duration;
import java.util.Optional;

/** Brings the answers of one venue together, round after round. It remembers what is asked seldom. */
public interface AnswerSource {
    /**
     * One round. Plain requests are made whatever it takes; what has to be asked key by key goes on in the next round.
     *
     * @param forKeys how long this round may take before asking key by key stops
     */
    PollAnswers round(Duration forKeys) throws InterruptedException;

    /** Goes on with what is asked seldom and key by key, for as long as is allowed; the next round knows it. */
    default void learn(Duration forKeys) throws InterruptedException {}

    /**
     * One request beside the rounds, out of what they leave of the host's share.
     *
     * @param mayWait how long it may wait for room
     * @return empty when there is no room in time, or the host has closed its door
     */
    default Optional<Fetched> aside(Call call, Duration mayWait) throws InterruptedException {
        return Optional.empty();
    }

    /** Lists that have been contradicted are asked for again in the next round, whether or not they are due. */
    default void doubtLists() {}

    /** Whether the venue has closed its door on us for a while. */
    default boolean barred() {
        return false;
    }
}
