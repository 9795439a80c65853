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
     * Content for a request: 304 to a client that has these bytes already, else 200.
     *
     * @param cacheControl how long a cache may show it
     * @param modifiedMs the time of the content, epoch ms UTC; null where dates tell nothing: then tags alone count
     */
    static SiteResponse of(SiteRequest request, Content content, String cacheControl, @Nullable Long modifiedMs) {
        boolean packed = !content.gzip().isEmpty() && SiteRequest.prefersGzip(request.acceptEncoding());
        String etag = content.etag(packed);
        Map<String, String> headers = commonHeaders();
        headers.put("ETag", etag);
        headers.put("Vary", "Accept-Encoding");
        headers.put("Cache-Control", cacheControl);
        if (modifiedMs != null) {
            headers.put("Last-Modified", DATE.format(Instant.ofEpochMilli(modifiedMs)));
        }
        if (request.has(etag, modifiedMs)) {
            return new SiteResponse(304, headers, List.of());
        }
        List<Segment> body = content.body(packed);
        headers.put("Content-Type", content.type());
        if (packed) {
            headers.put("Content-Encoding", Content.GZIP);
        }
        headers.put("Content-Length", Long.toString(Segment.length(body)));
        return new SiteResponse(200, headers, body);
    }
}
