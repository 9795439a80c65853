package io.fundingobservatory.standalone.top;

import io.fundingobservatory.ingest.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one address.
 *
 * @param body the newest response; null before the first
 * @param problem why there is no newer one, one readable line; null when the last request got a response
 * @param dueNanos when it may be requested again, by the clock of the client
 */
public record ServiceResponse(
        @Nullable JsonValue body, @Nullable String problem, long dueNanos) {
    /** Whether nothing was ever received. */
    boolean isEmpty() {
        return body == null;
    }
}
