package io.fundingobservatory.ingest.spec;

import io.fundingobservatory.ingest.json.JsonValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Declaration of one request that a venue's reader needs.
 *
 * @param declared the request; a recorded body is the file {@code <name>.json}. {@code {}} in name, URL and body is
 *     the place of an expansion's key
 * @param every how often it is due; zero: in each poll, which is about once a minute
 * @param keys for an expansion: the keys, from the responses that are there already; one request is sent for
 *     each
 * @param isRates whether rates are read from its responses, where not all requests of every minute have them
 * @param nextPage for paged responses: the part to append to the address for the next page, or empty at the
 *     end
 */
public record Request(
        VenueRequest declared,
        Duration every,
        boolean isRates,
        @Nullable Function<VenueResponses, List<String>> keys,
        @Nullable Function<JsonValue, Optional<String>> nextPage) {

    private static final Duration HOUR = Duration.ofHours(1);

    /** In which order the requests that are due are sent. */
    public enum Priority {
        /** Lists of contracts, which are needed to read rates. */
        LISTS,
        /** Rates and prices of many contracts in one response, which are due in each poll. */
        EACH_POLL,
        /** Rates and prices of one contract or group, which are due every few minutes at least. */
        EACH_POLL_BY_KEY,
        /** What rarely changes of one contract or group. */
        DETAILS_BY_KEY
    }

    public String name() {
        return declared.name();
    }

    /** Whether it brings rates or prices, which are due every few minutes at least. */
    public boolean isFrequent() {
        return every.compareTo(HOUR) < 0;
    }

    /** Its position in the queue of requests that are due. */
    public Priority priority() {
        if (keys == null) {
            return isFrequent() ? Priority.EACH_POLL : Priority.LISTS;
        }
        return isFrequent() ? Priority.EACH_POLL_BY_KEY : Priority.DETAILS_BY_KEY;
    }

    public static Request get(String name, String url) {
        return new Request(VenueRequest.get(name, url), Duration.ZERO, false, null, null);
    }

    public static Request post(String name, String url, String body) {
        return new Request(VenueRequest.post(name, url, body), Duration.ZERO, false, null, null);
    }

    /** Is due about once an hour: a list of contracts. */
    public Request hourly() {
        return new Request(declared, HOUR, isRates, keys, nextPage);
    }

    /** Is due about once a day: what hardly ever changes and costs many requests. */
    public Request daily() {
        return new Request(declared, Duration.ofDays(1), isRates, keys, nextPage);
    }

    /** Requests a key's value only every so many minutes, where every minute would leave history no part of the allowance. */
    public Request everyMinutes(int minutes) {
        return new Request(declared, Duration.ofMinutes(minutes), isRates, keys, nextPage);
    }

    /** Marks the request that rates are read from, at a venue where others of every minute have prices only. */
    public Request rates() {
        return new Request(declared, every, true, keys, nextPage);
    }

    public Request weight(int units) {
        return new Request(declared.weight(units), every, isRates, keys, nextPage);
    }

    public Request pool(String pool) {
        return pool(pool, 1);
    }

    /** It draws so many units of a pool that the header declares, in addition to its weight of the host's. */
    public Request pool(String pool, int units) {
        return new Request(declared.pool(pool, units), every, isRates, keys, nextPage);
    }

    /** Makes one request for each key that earlier responses name; it replaces {@code {}} in name, URL and body. */
    public Request each(Function<VenueResponses, List<String>> keysOf) {
        return new Request(declared, every, isRates, keysOf, nextPage);
    }

    /** Follows pages: the function returns what to append to the URL ({@code &cursor=…}) or empty at the last page. */
    public Request pages(Function<JsonValue, Optional<String>> next) {
        return new Request(declared, every, isRates, keys, next);
    }
}
