package io.fundingobservatory.ingest.header;

import java.time.Duration;

/**
 * A published limit and the pool that it counts in. At most a fifth of it is used.
 *
 * <p>A pool named like a host is drawn upon by every request to that host, with the request's weight. Any other pool is drawn upon by
 * the requests that name it ({@link Request#pool}, {@link History#pool}), beside their host's pool: several addresses may share one
 * ({@code fundingRate} and {@code fundingInfo} of Binance), and one address may have its own.
 *
 * @param pool what the limit counts: a host, or a name that requests refer to
 * @param units requests, or weight where the exchange counts weight
 * @param per the window
 */
public record RateLimit(String pool, int units, Duration per) {}
