package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Segment;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A response before the server sends it, with its fields in order. That to HEAD has its body too; the server leaves it out. */
public record SiteResponse(int status, Map<String, String> headers, List<Segment> body) {
    static final String METHODS = "GET, HEAD, OPTIONS";
    private static final String EXPOSED =
            "ETag, Last-Modified, Cache-Control, Content-Encoding, Content-Length, Date, Link, Retry-After, Allow";
    private static final int FIELDS = 32;
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    /** The header fields that every response carries, to which others can be added. */
    static Map<String, String> commonHeaders() {
        var headers = new LinkedHashMap<String, String>(FIELDS);
        headers.put("Access-Control-Allow-Origin", "*");
        headers.put("Access-Control-Expose-Headers", EXPOSED);
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Link", "<" + Files.API_CATALOG + ">; rel=\"api-catalog\"");
        return headers;
    }

    /** The date of an instant, epoch ms UTC, as HTTP writes it (RFC 9110 §5.6.7). */
    public static String date(long ms) {
        return DATE.format(Instant.ofEpochMilli(ms));
    }

    public SiteResponse withoutBody() {
        return new SiteResponse(status, headers, List.of());
    }
}
