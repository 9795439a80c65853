package io.fundingobservatory.standalone.exchanges;

import io.fundingobservatory.ingest.json.SkipReason;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of probing one exchange.
 *
 * @param venue the exchange's identifier
 * @param rows quotes that its reader made of the responses
 * @param skipped rows left out, counted by reason
 * @param requests every request that was made, in order
 * @param problems what got no response or could not be read, one line each
 * @param ms from the first request to the last response
 * @param pool the published limit of which these requests took the largest part
 * @param percentOfLimit that part of its units, in percent: the most that was in use in any window of the limit
 */
public record ProbeResult(
        String venue,
        int rows,
        Map<SkipReason, Long> skipped,
        List<Request> requests,
        List<String> problems,
        long ms,
        String pool,
        int percentOfLimit) {
    /**
     * One request.
     *
     * @param name its declared name with its key
     * @param status the HTTP status; 0 when no whole response came
     * @param bytes the body as it was sent
     * @param reason why the response cannot be used; null when it can
     */
    public record Request(
            String name,
            int status,
            int bytes,
            long ms,
            @Nullable String reason) {}

    /** The body bytes of all responses, as they were sent. */
    public long bytes() {
        return requests.stream().mapToLong(Request::bytes).sum();
    }
}
