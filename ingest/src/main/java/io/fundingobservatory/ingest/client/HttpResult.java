package io.fundingobservatory.ingest.client;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Result of one HTTP request, not yet judged. */
public sealed interface HttpResult {
    /**
     * A whole response.
     *
     * @param headers by their names in lower case
     * @param body as sent, possibly packed
     */
    @SuppressWarnings("ArrayRecordComponent") // lives for one judgement, never compared
    record Response(int status, Map<String, String> headers, byte[] body) implements HttpResult {
        @Nullable
        String header(String name) {
            return headers.get(name);
        }
    }

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
