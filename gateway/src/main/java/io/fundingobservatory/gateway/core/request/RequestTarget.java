package io.fundingobservatory.gateway.core.request;

import org.jspecify.annotations.Nullable;

/**
 * What a request line points at (RFC 9112 §3.2).
 *
 * @param path the path as sent, not decoded
 * @param query the query as sent; null when there is none
 */
public record RequestTarget(String path, @Nullable String query) {
    private static final String ALLOWED = "-._~!$&'()*+,;=:@/?[]";

    /** Reads the target of a request line with that method; null when it is none. */
    public static @Nullable RequestTarget of(String method, String target) {
        if (target.equals("*") && method.equals("OPTIONS")) {
            return new RequestTarget("*", null);
        }
        int start = target.startsWith("/") ? 0 : afterAuthority(target);
        if (start < 0 || !readable(target, start)) {
            return null;
        }
        int query = target.indexOf('?', start);
        String path = query < 0 ? target.substring(start) : target.substring(start, query);
        return new RequestTarget(path.isEmpty() ? "/" : path, query < 0 ? null : target.substring(query + 1));
    }

    private static int afterAuthority(String target) {
        int authority = target.regionMatches(true, 0, "http://", 0, 7)
                ? 7
                : target.regionMatches(true, 0, "https://", 0, 8) ? 8 : -1;
        int end = authority;
        while (end >= 0 && end < target.length() && target.charAt(end) != '/' && target.charAt(end) != '?') {
            end++;
        }
        return end == authority ? -1 : end;
    }

    private static boolean readable(String target, int start) {
        boolean query = false;
        for (int i = start; i < target.length(); i++) {
            char c = target.charAt(i);
            query |= c == '?';
            if (c == '%') {
                // In a query it is refused where the parameters are read, which can name the parameter.
                if (!query && (!hex(target, i + 1) || !hex(target, i + 2))) {
                    return false;
                }
            } else if (!letterOrDigit(c) && ALLOWED.indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean hex(String target, int at) {
        return at < target.length() && target.charAt(at) < 128 && Character.digit(target.charAt(at), 16) >= 0;
    }

    private static boolean letterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
