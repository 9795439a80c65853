package io.fundingobservatory.gateway.core.request;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a request line points at (RFC 9112 §3.2).
 *
 * @param path the path as sent, not decoded
 * @param query the query as sent; null when there is none
 */
public record RequestTarget(String path, @Nullable String query) {
    private static final Pattern AUTHORITY = Pattern.compile("(?i:https?://)[^/?]+");
    /** A percent sign in a query is checked where the parameters are read, which can name the parameter. */
    private static final Pattern READABLE =
            Pattern.compile("(?:[A-Za-z0-9._~!$&'()*+,;=:@/\\[\\]-]++|%[0-9A-Fa-f]{2})*+"
                    + "(?:\\?[A-Za-z0-9._~!$&'()*+,;=:@/?\\[\\]%-]*+)?");

    /** Reads the target of a request line with that method; null when it is none. */
    public static @Nullable RequestTarget of(String method, String target) {
        if (target.equals("*") && method.equals("OPTIONS")) {
            return new RequestTarget("*", null);
        }
        Matcher authority = AUTHORITY.matcher(target);
        int start = authority.lookingAt() ? authority.end() : 0;
        if ((start == 0 && !target.startsWith("/"))
                || !READABLE.matcher(target).region(start, target.length()).matches()) {
            return null;
        }
        int query = target.indexOf('?', start);
        String path = query < 0 ? target.substring(start) : target.substring(start, query);
        return new RequestTarget(path.isEmpty() ? "/" : path, query < 0 ? null : target.substring(query + 1));
    }
}
