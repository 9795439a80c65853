package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.Query;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One request, as far as a response depends on it, read once.
 *
 * @param path the path as sent, not decoded; empty where the target is none
 * @param route the address of the interface; null for files, and where nothing is served
 * @param ifModifiedSinceMs epoch ms UTC; null when there is no such field
 * @param nowMs when it arrived, epoch ms UTC
 */
public record SiteRequest(
        String method,
        String path,
        @Nullable Route route,
        Query query,
        List<String> ifNoneMatch,
        @Nullable Long ifModifiedSinceMs,
        List<String> acceptEncoding,
        long nowMs) {
    private static final Pattern WEIGHTED =
            Pattern.compile("([a-z0-9*-]+)\\s*(?:;\\s*q=(0(?:\\.\\d{0,3})?|1(?:\\.0{0,3})?))?");

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "OPTIONS");
    private static final Pattern AUTHORITY = Pattern.compile("(?i:https?://)[^/?]+");
    /**
     * A percent sign in a query is checked where the parameters are read, which can name the parameter. A query may also have what browsers
     * do not encode in it (WHATWG URL).
     */
    private static final Pattern TARGET =
            Pattern.compile("((?:[A-Za-z0-9._~!$&'()*+,;=:@/\\[\\]-]++|%[0-9A-Fa-f]{2})*+)"
                    + "(?:\\?([A-Za-z0-9._~!$&'()*+,;=:@/?\\[\\]%^`{|}\\\\-]*+))?");

    /**
     * Reads a request.
     *
     * @param target what its request line points at (RFC 9112 §3.2)
     */
    public static SiteRequest of(
            String method,
            String target,
            List<String> ifNoneMatch,
            @Nullable Long ifModifiedSinceMs,
            List<String> acceptEncoding,
            long nowMs) {
        Matcher read = target(target);
        String path = read != null ? path(read) : method.equals("OPTIONS") && target.equals("*") ? target : "";
        Route route = Route.of(path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
        // The page ignores what it does not know.
        Query query = Query.read(
                read == null || path.equals(Files.PAGE) ? null : read.group(2),
                route == null ? Query.Takes.NOTHING : route.takes);
        return new SiteRequest(method, path, route, query, ifNoneMatch, ifModifiedSinceMs, acceptEncoding, nowMs);
    }

    /** The path of a target, not decoded; empty where it is none. */
    public static String path(String target) {
        Matcher read = target(target);
        return read == null ? "" : path(read);
    }

    private static String path(Matcher read) {
        return read.group(1).isEmpty() ? Files.PAGE : read.group(1);
    }

    private static @Nullable Matcher target(String target) {
        Matcher authority = AUTHORITY.matcher(target);
        int start = authority.lookingAt() ? authority.end() : 0;
        Matcher read = TARGET.matcher(target).region(start, target.length());
        return (start > 0 || target.startsWith("/")) && read.matches() ? read : null;
    }

    /** Whether its target is one; {@code *} is one of OPTIONS, and methods that change something have no response for any. */
    public boolean hasTarget() {
        return !path.isEmpty() || !METHODS.contains(method);
    }

    public boolean reads() {
        return method.equals("GET") || method.equals("HEAD");
    }

    /**
     * Whether the client has the bytes of a tag already. Where it names tags, the date is not looked at (RFC 9110 §13.1.3).
     *
     * @param modifiedMs the time of those bytes, epoch ms UTC; null where dates tell nothing
     */
    public boolean has(String etag, @Nullable Long modifiedMs) {
        if (!ifNoneMatch.isEmpty()) {
            return names(ifNoneMatch, etag);
        }
        return ifModifiedSinceMs != null
                && modifiedMs != null
                && Math.floorDiv(modifiedMs, 1_000L) * 1_000 <= ifModifiedSinceMs;
    }

    /** Whether {@code If-None-Match} names a tag, compared weakly (RFC 9110 §13.1.2); {@code *} names each. */
    private static boolean names(List<String> ifNoneMatch, String etag) {
        for (String field : ifNoneMatch) {
            for (String item : field.split(",", -1)) {
                String tag = item.strip();
                if (tag.equals(etag) || tag.equals("W/" + etag) || tag.equals("*")) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Whether gzip is at least as welcome as no coding (RFC 9110 §12.5.3). A client that accepts neither gets the plain bytes: they help it more than an
     * error.
     */
    public static boolean prefersGzip(List<String> acceptEncoding) {
        var weights = new HashMap<String, Double>();
        for (String field : acceptEncoding) {
            for (String item : field.toLowerCase(Locale.ROOT).split(",", -1)) {
                Matcher coding = WEIGHTED.matcher(item.strip());
                // What has no readable weight is left out.
                if (coding.matches()) {
                    String weight = coding.group(2);
                    weights.put(
                            coding.group(1).equals("x-gzip") ? Content.GZIP : coding.group(1),
                            weight == null ? 1 : Double.parseDouble(weight));
                }
            }
        }
        double gzip = weights.getOrDefault(Content.GZIP, weights.getOrDefault("*", 0.0));
        return gzip > 0 && gzip >= weights.getOrDefault("identity", 0.0);
    }
}
