package io.fundingobservatory.ingest.spec;

import io.fundingobservatory.ingest.json.ReasonText;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request to a venue: as it is declared, with placeholders, or as it is sent.
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

    static VenueRequest get(String name, String url) {
        return new VenueRequest(name, "GET", url, null, 1, Map.of());
    }

    static VenueRequest post(String name, String url, String body) {
        return new VenueRequest(name, "POST", url, body, 1, Map.of());
    }

    VenueRequest weight(int units) {
        return new VenueRequest(name, method, url, body, units, pools);
    }

    /** It draws so many units of a pool that the data sheet declares, in addition to its weight of the host's. */
    VenueRequest pool(String pool, int units) {
        var all = new HashMap<>(pools);
        all.put(pool, units);
        return new VenueRequest(name, method, url, body, weight, Map.copyOf(all));
    }

    /** The host of the URL, which may still have placeholders for keys; empty when it has none. */
    public String host() {
        try {
            return Objects.requireNonNullElse(new URI(url.replaceAll("[{}]", "")).getHost(), "");
        } catch (URISyntaxException e) {
            // the request is sent all the same: its response has the reason
            return "";
        }
    }

    /** What it draws, by pool: its weight on its host's, and what it declares on others. */
    public Map<String, Integer> cost() {
        var units = new HashMap<>(pools);
        units.put(host(), weight);
        return units;
    }

    /**
     * Puts a key and a page into a declared request.
     *
     * @param key the key of an expansion, empty for a plain request
     * @param page what to append to the URL, empty for the first page
     */
    public static VenueRequest of(Request request, String key, String page) {
        VenueRequest declared = request.declared();
        String body = declared.body();
        return new VenueRequest(
                declared.name().replace("{}", key),
                declared.method(),
                declared.url().replace("{}", inUrl(key)) + page,
                // a body without keys may hold an empty object, which is no place for one
                body == null || request.keys() == null ? body : body.replace("{}", inJson(key)),
                declared.weight(),
                declared.pools());
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
        VenueRequest declared = history.declared();
        String body = declared.body();
        long stampedMs = fromMs - history.stampedEarlier().toMillis();
        Duration span = Duration.ofMillis(toMs - stampedMs);
        return new VenueRequest(
                declared.name().replace("{}", key),
                declared.method(),
                filled(declared.url(), inUrl(key), stampedMs, toMs, page)
                        .replace("{next}", next)
                        .replace("{rows}", Integer.toString(history.rows(span))),
                body == null ? null : filled(body, inJson(key), stampedMs, toMs, page),
                history.weight(span),
                declared.pools());
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
