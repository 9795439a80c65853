package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Request;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** What a request draws on each pool: its weight on its host's, and what it declares on others. */
public final class RequestCost {
    private RequestCost() {}

    /** Units by the name of the pool, for each request of a declared kind. */
    public static Map<String, Integer> of(Request request) {
        return of(request.url(), request.weight(), request.pools());
    }

    /** Units by the name of the pool, for a request about a span of settled history. */
    static Map<String, Integer> of(History history, Duration span) {
        return of(history.url(), history.weight(span), history.pools());
    }

    /** Units by the name of the pool, for one request as it goes out. */
    public static Map<String, Integer> of(VenueRequest request) {
        return of(request.url(), request.weight(), request.pools());
    }

    private static Map<String, Integer> of(String url, int weight, Map<String, Integer> pools) {
        var units = new HashMap<>(pools);
        units.put(host(url), weight);
        return units;
    }

    /** The host of a URL, which may still have placeholders for keys; empty when it has none. */
    static String host(String url) {
        try {
            return Objects.requireNonNullElse(new URI(url.replaceAll("[{}]", "")).getHost(), "");
        } catch (URISyntaxException e) {
            // the request is sent all the same: its response has the reason
            return "";
        }
    }
}
