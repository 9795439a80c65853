package io.fundingobservatory.ingest.fetching;

import io.fundingobservatory.ingest.reading.Request;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One request as it goes out: a declared request with its key and page put in.
 *
 * @param name what it is called in reasons
 * @param method GET or POST
 * @param url the whole address
 * @param body the JSON that a POST sends; null for GET
 * @param weight what it costs of the host's published limit
 */
public record Call(String name, String method, String url, @Nullable String body, int weight) {
    /**
     * Puts a key and a page into a declared request.
     *
     * @param key the key of an expansion, empty for a plain request
     * @param page what to append to the address, empty for the first page
     */
    public static Call of(Request request, String key, String page) {
        String inUrl = URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
        String inJson = key.replace("\\", "\\\\").replace("\"", "\\\"");
        return new Call(
                request.name().replace("{}", key),
                request.method(),
                request.url().replace("{}", inUrl) + page,
                // a body without keys may hold an empty object, which is no place for one
                request.body() == null || request.keys() == null ? request.body() : request.body().replace("{}", inJson),
                request.weight());
    }
}
