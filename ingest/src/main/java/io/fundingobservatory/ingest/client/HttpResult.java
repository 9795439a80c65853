package io.fundingobservatory.ingest.client;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Result of one HTTP request, not yet judged. */
public sealed interface HttpResult {
    /** A whole response; {@code body} as sent, possibly packed. Headers are null when absent; those about rate limits are in lower case. */
    @SuppressWarnings("ArrayRecordComponent") // lives for one judgement, never compared
    record Response(
            int status,
            @Nullable String contentType,
            @Nullable String contentEncoding,
            @Nullable String retryAfter,
            Map<String, String> limitHeaders,
            byte[] body)
            implements HttpResult {}

    /**
     * No whole response came.
     *
     * @param reason why, in one line
     * @param isUnconnected whether there was no connection, so that nothing was sent
     */
    record Broken(String reason, boolean isUnconnected) implements HttpResult {}

    /** A response that went on beyond what is taken of one; the rest of it was left. */
    record TooLarge(String reason) implements HttpResult {}
}
