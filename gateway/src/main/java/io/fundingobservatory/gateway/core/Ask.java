package io.fundingobservatory.gateway.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request, as far as an answer depends on it.
 *
 * @param method the HTTP method
 * @param path the path as sent, not decoded
 * @param rawQuery the query string as sent; null when there is none
 * @param body whether a body was sent
 * @param ifNoneMatch the {@code If-None-Match} field's values
 * @param acceptEncoding the {@code Accept-Encoding} field's values
 * @param nowMs when it arrived, epoch ms UTC
 */
public record Ask(
        String method,
        String path,
        @Nullable String rawQuery,
        boolean body,
        List<String> ifNoneMatch,
        List<String> acceptEncoding,
        long nowMs) {
    boolean read() {
        return method.equals("GET") || method.equals("HEAD");
    }
}
