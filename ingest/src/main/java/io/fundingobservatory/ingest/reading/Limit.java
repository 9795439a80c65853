package io.fundingobservatory.ingest.reading;

import java.time.Duration;

/**
 * A host's published limit. At most a fifth of it is used.
 *
 * @param host the host it holds for
 * @param units requests, or weight where the exchange counts weight
 * @param per the window
 */
public record Limit(String host, int units, Duration per) {}
