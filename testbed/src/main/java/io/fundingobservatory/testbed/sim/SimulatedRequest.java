package io.fundingobservatory.testbed.sim;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One request as it arrives at a simulated exchange.
 *
 * @param method GET or POST
 * @param host the real host that was meant
 * @param path the path, decoded, without the query
 * @param query the query's parameters, decoded; the first of each name
 * @param body what was posted, empty for GET
 */
public record SimulatedRequest(String method, String host, String path, Map<String, String> query, String body) {

    /**
     * Returns the request to a venue's own address.
     *
     * @param body what is posted; null for GET
     */
    public static SimulatedRequest of(String method, URI uri, @Nullable String body) {
        return of(method, uri.getHost(), uri.getPath(), uri.getRawQuery(), body == null ? "" : body);
    }

    /** Returns the request to a host and a decoded path, with a query that is still encoded; null when there is none. */
    public static SimulatedRequest of(String method, String host, String path, @Nullable String rawQuery, String body) {
        var query = new HashMap<String, String>();
        for (String pair : rawQuery == null || rawQuery.isEmpty() ? new String[0] : rawQuery.split("&")) {
            String[] halves = pair.split("=", 2);
            query.putIfAbsent(decoded(halves[0]), halves.length < 2 ? "" : decoded(halves[1]));
        }
        return new SimulatedRequest(method, host, path, Map.copyOf(query), body);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** Host and path, what a wire switches over: {@code fapi.binance.com/fapi/v1/premiumIndex}. */
    public String address() {
        return host + path;
    }

    /** What follows a prefix of the path; null when the path does not begin with it. */
    public @Nullable String pathAfter(String prefix) {
        return path.startsWith(prefix) ? path.substring(prefix.length()) : null;
    }

    public @Nullable String param(String name) {
        return query.get(name);
    }

    /** A member of the flat JSON object that was posted, as text; null when it has none. */
    public @Nullable String posted(String name) {
        Matcher member =
                Pattern.compile("\"" + name + "\"\\s*:\\s*\"?([^\",}]*)").matcher(body);
        return member.find() ? member.group(1).strip() : null;
    }

    /** A parameter as a number; the default when it is absent. */
    public long number(String name, long otherwise) {
        String value = query.get(name);
        return value == null ? otherwise : Long.parseLong(value);
    }

    /** A posted number; the default when it is absent. */
    public long postedNumber(String name, long otherwise) {
        String value = posted(name);
        return value == null ? otherwise : Long.parseLong(value);
    }
}
