package io.fundingobservatory.ingest.spec;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

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
public record RateLimit(String pool, int units, Duration per) {
    /** What a request draws, by pool: its weight on its host's, and what it declares on others. */
    public static Map<String, Integer> cost(String url, int weight, Map<String, Integer> pools) {
        var units = new HashMap<>(pools);
        units.put(host(url), weight);
        return units;
    }

    /** The host of a URL, which may still have placeholders for keys; empty when it has none. */
    public static String host(String url) {
        try {
            return Objects.requireNonNullElse(new URI(url.replaceAll("[{}]", "")).getHost(), "");
        } catch (URISyntaxException e) {
            // the request is sent all the same: its response has the reason
            return "";
        }
    }
}
