package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.json.ReasonText;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Request;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request as it goes out: a declared request with its key and page put in.
 *
 * @param name what it is called in reasons and log lines; control characters of a key become spaces
 * @param method GET or POST
 * @param url the whole URL
 * @param body the JSON that a POST sends; null for GET
 * @param weight what it costs of the host's published limit
 * @param pools what it costs of other published limits, by pool
 */
public record VenueRequest(
        String name, String method, String url, @Nullable String body, int weight, Map<String, Integer> pools) {
    private static final int LONGEST_NAME = 2_000;

    public VenueRequest {
        name = ReasonText.oneLine(name, LONGEST_NAME);
    }

    /**
     * Puts a key and a page into a declared request.
     *
     * @param key the key of an expansion, empty for a plain request
     * @param page what to append to the URL, empty for the first page
     */
    public static VenueRequest of(Request request, String key, String page) {
        String inUrl = inUrl(key);
        String inJson = inJson(key);
        return new VenueRequest(
                request.name().replace("{}", key),
                request.method(),
                request.url().replace("{}", inUrl) + page,
                // a body without keys may hold an empty object, which is no place for one
                request.body() == null || request.keys() == null
                        ? request.body()
                        : request.body().replace("{}", inJson),
                request.weight(),
                request.pools());
    }

    /**
     * Puts a contract's key and a range into a declared history.
     *
     * @param fromMs the first instant of interest, epoch ms; rows that are stamped earlier are requested too
     * @param toMs the last one
     * @param page the page, counted from 1
     * @param next what the response before named as the next page; empty at first
     */
    public static VenueRequest of(History history, String key, long fromMs, long toMs, int page, String next) {
        String body = history.body();
        long stampedMs = fromMs - history.stampedEarlier().toMillis();
        Duration span = Duration.ofMillis(toMs - stampedMs);
        return new VenueRequest(
                history.name().replace("{}", key),
                history.method(),
                filled(history.url(), inUrl(key), stampedMs, toMs, page)
                        .replace("{next}", next)
                        .replace("{rows}", Integer.toString(history.rows(span))),
                body == null ? null : filled(body, inJson(key), stampedMs, toMs, page),
                history.weight(span),
                history.pools());
    }

    private static String filled(String template, String key, long fromMs, long toMs, int page) {
        return template.replace("{from_ms}", Long.toString(fromMs))
                .replace("{to_ms}", Long.toString(toMs))
                .replace("{from_s}", Long.toString(fromMs / 1_000))
                .replace("{to_s}", Long.toString(toMs / 1_000))
                .replace("{from_ns}", fromMs + "000000")
                .replace("{to_ns}", toMs + "000000")
                .replace("{from_iso}", Instant.ofEpochMilli(fromMs).toString())
                .replace("{to_iso}", Instant.ofEpochMilli(toMs).toString())
                .replace("{page}", Integer.toString(page))
                .replace("{key}", key);
    }

    private static String inUrl(String key) {
        return URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String inJson(String key) {
        return key.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
