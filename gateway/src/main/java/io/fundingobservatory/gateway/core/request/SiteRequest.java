package io.fundingobservatory.gateway.core.request;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request, as far as a response depends on it. Its query is read once.
 *
 * @param path the path as sent, not decoded
 * @param route the address of the interface; null for files, and where nothing is served
 * @param ifModifiedSinceMs epoch ms UTC; null when there is no such field
 * @param nowMs when it arrived, epoch ms UTC
 */
public record SiteRequest(
        String method,
        String path,
        @Nullable Route route,
        Parameters.Read query,
        List<String> ifNoneMatch,
        @Nullable Long ifModifiedSinceMs,
        List<String> acceptEncoding,
        long nowMs) {
    /**
     * Reads a request.
     *
     * @param rawQuery the query string as sent; null when there is none
     * @param mostNames how many symbols and assets it may name
     */
    public static SiteRequest of(
            String method,
            String path,
            @Nullable String rawQuery,
            List<String> ifNoneMatch,
            @Nullable Long ifModifiedSinceMs,
            List<String> acceptEncoding,
            long nowMs,
            int mostNames) {
        Route route = Route.of(path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
        // The page ignores what it does not know.
        Parameters.Read query = path.equals(Route.Path.PAGE)
                ? Parameters.NONE
                : Parameters.read(rawQuery, route == null ? List.of() : route.parameters);
        if (query instanceof Parameters.Names names && names.count("assets") + names.count("symbols") > mostNames) {
            query = new Parameters.Unreadable("one request may name at most " + mostNames
                    + " symbols and assets; fetch the whole list for more and filter it locally");
        }
        return new SiteRequest(method, path, route, query, ifNoneMatch, ifModifiedSinceMs, acceptEncoding, nowMs);
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
        return ifNoneMatch.isEmpty()
                ? ifModifiedSinceMs != null
                        && modifiedMs != null
                        && Math.floorDiv(modifiedMs, 1_000L) * 1_000 <= ifModifiedSinceMs
                : names(ifNoneMatch, etag);
    }

    /** Whether {@code If-None-Match} names a tag, compared weakly (RFC 9110 §13.1.2); {@code *} names each. */
    static boolean names(List<String> ifNoneMatch, String etag) {
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
}
