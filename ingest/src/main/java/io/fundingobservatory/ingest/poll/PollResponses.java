package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.spec.VenueResponses;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
public record PollResponses(
        VenueResponses responses, boolean fresh, @Nullable Long readAtMs, int requestCount, List<String> missing) {
    public PollResponses {
        missing = List.copyOf(missing);
    }
}
