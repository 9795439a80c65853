package io.fundingobservatory.ingest.spec;

import io.fundingobservatory.ingest.json.JsonValue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Declaration of one request that a venue's reader needs.
 *
 * @param name its name; recorded bodies are stored under {@code <name>.json}, {@code {}} in it is replaced by
 *     the key of an expansion
 * @param method GET or POST
 * @param url address with {@code {}} where an expansion's key goes; requests go only to hosts declared here
 * @param body what a POST sends, with {@code {}} likewise; null for GET
 * @param cadence how often it is sent
 * @param rest how long a key is not requested again after a response; zero: it is requested every minute
 * @param weight its cost in units of the host's published limit
 * @param pools its cost in units of other published limits, by pool
 * @param keys for an expansion: the keys, from the responses that are there already; one request is sent for
 *     each
 * @param isRates whether rates are read from its responses, where not all requests of every minute have them
 * @param nextPage for paged responses: the part to append to the address for the next page, or empty at the
 *     end
 */
public record Request(
        String name,
        String method,
        String url,
        @Nullable String body,
        Cadence cadence,
        Duration rest,
        int weight,
        Map<String, Integer> pools,
        boolean isRates,
        @Nullable Function<VenueResponses, List<String>> keys,
        @Nullable Function<JsonValue, Optional<String>> nextPage) {

    /** How often a request is made. */
    public enum Cadence {
        /** About once a minute: the values. */
        MINUTE,
        /** About once an hour: lists of instruments. */
        HOURLY,
        /** About once a day: what hardly ever changes and costs many requests. */
        DAILY
    }

    /** A GET that is made every minute. */
    public static Request get(String name, String url) {
        return new Request(name, "GET", url, null, Cadence.MINUTE, Duration.ZERO, 1, Map.of(), false, null, null);
    }

    /** A POST of a JSON body that is made every minute. */
    public static Request post(String name, String url, String body) {
        return new Request(name, "POST", url, body, Cadence.MINUTE, Duration.ZERO, 1, Map.of(), false, null, null);
    }

    public Request hourly() {
        return new Request(name, method, url, body, Cadence.HOURLY, rest, weight, pools, isRates, keys, nextPage);
    }

    public Request daily() {
        return new Request(name, method, url, body, Cadence.DAILY, rest, weight, pools, isRates, keys, nextPage);
    }

    /** Asks for a key's value only every so many minutes: where every minute would leave the settled history nothing. */
    public Request everyMinutes(int minutes) {
        return new Request(
                name, method, url, body, cadence, Duration.ofMinutes(minutes), weight, pools, isRates, keys, nextPage);
    }

    /** Marks the request that rates are read from, at a venue where others of every minute have prices only. */
    public Request rates() {
        return new Request(name, method, url, body, cadence, rest, weight, pools, true, keys, nextPage);
    }

    public Request weight(int units) {
        return new Request(name, method, url, body, cadence, rest, units, pools, isRates, keys, nextPage);
    }

    /** It draws one unit of a pool that the header declares, in addition to its weight of the host's. */
    public Request pool(String pool) {
        return pool(pool, 1);
    }

    /** It draws so many units of a pool that the header declares, in addition to its weight of the host's. */
    public Request pool(String pool, int units) {
        var all = new HashMap<>(pools);
        all.put(pool, units);
        return new Request(name, method, url, body, cadence, rest, weight, Map.copyOf(all), isRates, keys, nextPage);
    }

    /** Makes one request for each key that earlier answers name; {@code {}} in name, address and body is replaced by it. */
    public Request each(Function<VenueResponses, List<String>> keysOf) {
        return new Request(name, method, url, body, cadence, rest, weight, pools, isRates, keysOf, nextPage);
    }

    /** Follows pages: the function gives what to append to the address ({@code &cursor=…}) or empty at the last page. */
    public Request pages(Function<JsonValue, Optional<String>> next) {
        return new Request(name, method, url, body, cadence, rest, weight, pools, isRates, keys, next);
    }
}
