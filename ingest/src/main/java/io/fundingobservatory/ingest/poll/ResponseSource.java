package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.Backoffs;
import java.time.Duration;

/**
 * The source of one venue's responses, poll after poll. It remembers the responses to less frequent requests.
 * Used by one thread at a time.
 */
public interface ResponseSource {
    /**
     * Makes the requests of one poll. Plain requests are always sent; requests for single symbols continue in the next poll.
     *
     * @param forKeys how long requests for single symbols may go on in this poll
     */
    PollResponses poll(Duration forKeys) throws InterruptedException;

    /**
     * Continues with less frequent requests and those for single symbols, for as long as is allowed. The next
     * poll uses the responses.
     */
    default void fetchDetails(Duration forKeys) throws InterruptedException {}

    /**
     * Sets whether rates of single symbols are requested only every second minute, because settled rates wait
     * to be read. Their rows count for 180 s, so none becomes stale.
     */
    default void slowKeyedRates(boolean slow) {}

    /** Requests lists that have been contradicted again in the next poll, whether or not they are due. */
    default void doubtLists() {}

    Backoffs pauses();
}
