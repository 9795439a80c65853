package io.fundingobservatory.ingest.client;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Result of one HTTP request, not yet judged. */
public sealed interface HttpResult {
    /** A whole response: header names in lower case, the body as sent, possibly packed. */
    @SuppressWarnings("ArrayRecordComponent") // lives for one judgement, never compared
    record Response(int status, Map<String, String> headers, byte[] body) implements HttpResult {
        @Nullable
        String header(String name) {
            return headers.get(name);
        }
    }

    /** No whole response came; {@code isUnconnected} when there was no connection, so that nothing was sent. */
    record Broken(FetchResult failure, boolean isUnconnected) implements HttpResult {}
}
