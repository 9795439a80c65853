package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.json.JsonValue;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What became of one request to an exchange. Reasons are one readable line without anything secret or endless in it. */
public sealed interface FetchResult {
    /** Why no usable response came, in one line; empty when one came. */
    default String reason() {
        return "";
    }

    /** Whether the same request may succeed at once: no response came, or the server failed. */
    default boolean isLost() {
        return this instanceof NoResponse || (this instanceof Failed failed && failed.retryable());
    }

    /** Whether the request was sent. */
    default boolean isSent() {
        return !(this instanceof BackedOff || this instanceof NoAllowance);
    }

    /**
     * The venue returned one whole JSON document that is not a venue error.
     *
     * @param body the document
     * @param readAtMs when it was read, epoch ms UTC
     * @param headers by their names in lower case
     */
    record Received(JsonValue body, long readAtMs, Map<String, String> headers) implements FetchResult {
        public Received(JsonValue body, long readAtMs) {
            this(body, readAtMs, Map.of());
        }
    }

    /** The exchange reports too many requests; {@code retryAfter} is how long it requires us to wait, null when it gives no time. */
    record Throttled(String reason, @Nullable Duration retryAfter) implements FetchResult {}

    /** The exchange bans us: 403, 418 or 451. Further requests prolong the ban. */
    record Banned(String reason, @Nullable Duration retryAfter) implements FetchResult {}

    /** Nothing was sent: the host, the pool or the endpoint is backed off; the reason has for how long. */
    record BackedOff(String reason) implements FetchResult {}

    /** Nothing was sent: the pools have no allowance for the request in time. */
    record NoAllowance() implements FetchResult {
        @Override
        public String reason() {
            return "no allowance left in time";
        }
    }

    /** No whole response came: no connection, a lost one, or the deadline passed. The request may have taken all of it. */
    record NoResponse(String reason) implements FetchResult {}

    /**
     * The venue responds that it cannot serve this request.
     *
     * @param retryable true for a status of 5xx, which may pass at once; false for a status of 4xx, or an error inside a success
     */
    record Failed(String reason, boolean retryable) implements FetchResult {}

    /**
     * A successful response whose body cannot be read: too large, nested too deep, or not JSON. An immediate
     * retry would return the same.
     */
    record Unreadable(String reason) implements FetchResult {}
}
