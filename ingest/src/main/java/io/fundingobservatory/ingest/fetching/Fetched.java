package io.fundingobservatory.ingest.fetching;

import io.fundingobservatory.ingest.reading.Node;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of one request to an exchange. Reasons are one readable line without anything secret or endless in it. */
public sealed interface Fetched {
    /** The exchange answered with one whole JSON document that it means as an answer; read at an instant, epoch ms UTC. */
    record Answered(Node body, long readAtMs) implements Fetched {}

    /** The exchange says that we ask too often; {@code retryAfter} is its own word on when to come back, null when it gives none. */
    record Throttled(String reason, @Nullable Duration retryAfter) implements Fetched {}

    /** The exchange bars us: 403, 418 or 451. Asking on makes it worse. */
    record Barred(String reason, @Nullable Duration retryAfter) implements Fetched {}

    /** There was no usable answer; {@code retryable} is false where the same request cannot be expected to fare better. */
    record Failed(String reason, boolean retryable) implements Fetched {}
}
