package io.fundingobservatory.gateway.core.site;

import java.util.LinkedHashMap;
import java.util.Map;

/** The header fields that every response carries. */
final class CommonHeaders {
    static final String METHODS = "GET, HEAD, OPTIONS";

    private static final String EXPOSED =
            "ETag, Last-Modified, Cache-Control, Content-Encoding, Content-Length, Date, Link, Retry-After, Allow";

    private static final int COUNT = 32;

    private CommonHeaders() {}

    /** They, to which others can be added. */
    static Map<String, String> all() {
        var headers = new LinkedHashMap<String, String>(COUNT);
        headers.put("Access-Control-Allow-Origin", "*");
        headers.put("Access-Control-Expose-Headers", EXPOSED);
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Link", "<" + Files.API_CATALOG + ">; rel=\"api-catalog\"");
        return headers;
    }
}
