package io.fundingobservatory.ingest.spec;

import java.time.Duration;

/**
 * A published limit and the pool that it counts in. At most a fifth of it is used.
 *
 * <p>Every request to a host draws its weight from the pool named like that host. Any other pool is drawn
 * upon by the requests that name it ({@link Request#pool}, {@link History#pool}), in addition to their host's
 * pool. Several endpoints may share a pool ({@code fundingRate} and {@code fundingInfo} of Binance), and one
 * endpoint may have its own.
 *
 * @param pool what the limit counts: a host, or a name that requests refer to
 * @param units requests, or weight where the venue counts weight
 * @param per the window
 */
public record RateLimit(String pool, int units, Duration per) {}
