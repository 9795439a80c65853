package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.Backoffs;
import io.fundingobservatory.ingest.spec.VenueResponses;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The source of one venue's responses, poll after poll. It remembers the responses to less frequent requests.
 * Used by one thread at a time.
 */
public interface ResponseSource {
    /**
     * The outcome of one poll's requests.
     *
     * @param responses all available responses: this poll's, and the last good ones of less frequent requests
     * @param fresh whether this poll brought at least one response with rates, or none was due. Where single
     *     symbols are requested every few minutes, a poll may need no request.
     * @param readAtMs when the oldest response with rates was read, epoch ms UTC; null when there is none
     * @param requestCount how many requests were sent; a recording that was searched for counts as one
     * @param missing which requests failed and why, one short line each
     */
    record PollResponses(
            VenueResponses responses,
            boolean fresh,
            @Nullable Long readAtMs,
            int requestCount,
            List<String> missing) {
        public PollResponses {
            missing = List.copyOf(missing);
        }
    }

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

    Backoffs backoffs();
}
