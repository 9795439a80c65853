package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Segment;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A response before the server sends it, with its fields in order. That to HEAD has its body too; the server leaves it out. */
public record SiteResponse(int status, Map<String, String> headers, List<Segment> body) {
    static final String METHODS = "GET, HEAD, OPTIONS";
    private static final String EXPOSED =
            "ETag, Last-Modified, Cache-Control, Content-Encoding, Content-Length, Date, Link, Retry-After, Allow";
    private static final int FIELDS = 32;
    /** As HTTP writes a date (RFC 9110 §5.6.7). */
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

    /**
     * Prepared content for a request.
     *
     * @param packed whether it is sent as gzip
     * @param unchanged whether the client has these bytes already
     */
    record Match(Content content, boolean packed, boolean unchanged) {}

    /** Matches a request with content of that time, epoch ms UTC; null where dates tell nothing: then tags alone count. */
    static Match match(SiteRequest request, Content content, @Nullable Long modifiedMs) {
        boolean packed = !content.gzip().isEmpty() && SiteRequest.prefersGzip(request.acceptEncoding());
        return new Match(content, packed, request.has(content.etag(packed), modifiedMs));
    }

    /** 304 to a client that has these bytes already, else 200; {@code cacheControl} is how long a cache may show it. */
    static SiteResponse of(Match match, String cacheControl, @Nullable Long modifiedMs) {
        Content content = match.content();
        Map<String, String> headers = commonHeaders();
        headers.put("ETag", content.etag(match.packed()));
        headers.put("Vary", "Accept-Encoding");
        headers.put("Cache-Control", cacheControl);
        if (modifiedMs != null) {
            headers.put("Last-Modified", DATE.format(Instant.ofEpochMilli(modifiedMs)));
        }
        if (match.unchanged()) {
            return new SiteResponse(304, headers, List.of());
        }
        List<Segment> body = content.body(match.packed());
        headers.put("Content-Type", content.type());
        if (match.packed()) {
            headers.put("Content-Encoding", Content.GZIP);
        }
        headers.put("Content-Length", Long.toString(Segment.length(body)));
        return new SiteResponse(200, headers, body);
    }
}
