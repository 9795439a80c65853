package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.AcceptEncoding;
import io.fundingobservatory.gateway.core.coding.Coding;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.request.SiteRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Responds with prepared content: chooses the coding, states how long it may be kept, or says that nothing has changed. */
final class ConditionalResponse {
    private ConditionalResponse() {}

    /** Matches a request with content of that time, epoch ms UTC; null where dates tell nothing: then tags alone count. */
    static Priced.Prepared match(SiteRequest request, Content content, @Nullable Long modifiedMs) {
        Coding best =
                AcceptEncoding.choose(request.acceptEncoding(), content.packed().keySet());
        return new Priced.Prepared(content, best, unchanged(request, content, best, modifiedMs));
    }

    /** 304 to a client that has these bytes already, else 200; {@code cacheControl} is how long a cache may show it. */
    static SiteResponse of(Priced.Prepared match, String cacheControl, @Nullable Long modifiedMs) {
        Content content = match.content();
        Coding coding = match.coding();
        Map<String, String> headers = SiteResponse.commonHeaders();
        headers.put("ETag", content.etag(coding));
        headers.put("Vary", "Accept-Encoding");
        headers.put("Cache-Control", cacheControl);
        if (modifiedMs != null) {
            headers.put("Last-Modified", SiteResponse.date(modifiedMs));
        }
        if (match.unchanged()) {
            return new SiteResponse(304, headers, List.of());
        }
        List<Segment> body = content.body(coding);
        headers.put("Content-Type", content.type());
        if (coding != null) {
            headers.put("Content-Encoding", coding.word);
        }
        headers.put("Content-Length", Long.toString(Segment.length(body)));
        return new SiteResponse(200, headers, body);
    }

    /** The same response, which a cache may show for other seconds; errors, which none may show, as they are. */
    static SiteResponse keptFor(SiteResponse response, String cacheControl) {
        if (!response.headers().containsKey("ETag")) {
            return response;
        }
        var headers = new LinkedHashMap<>(response.headers());
        headers.put("Cache-Control", cacheControl);
        return new SiteResponse(response.status(), headers, response.body());
    }

    private static boolean unchanged(
            SiteRequest request, Content content, @Nullable Coding coding, @Nullable Long modifiedMs) {
        if (!request.ifNoneMatch().isEmpty()) {
            // Where there is a tag, the date is not looked at (RFC 9110 §13.1.3).
            return names(request.ifNoneMatch(), content.etag(coding));
        }
        Long sinceMs = request.ifModifiedSinceMs();
        return sinceMs != null && modifiedMs != null && Math.floorDiv(modifiedMs, 1_000L) * 1_000 <= sinceMs;
    }

    /** Whether {@code If-None-Match} names a tag, compared weakly (RFC 9110 §13.1.2); {@code *} names each. */
    static boolean names(List<String> ifNoneMatch, String etag) {
        for (String field : ifNoneMatch) {
            for (String item : field.split(",", -1)) {
                String tag = item.strip();
                if (tag.equals(etag) || tag.equals("W/" + etag) || tag.equals("*")) {
                    return true;
                }
            }
        }
        return false;
    }
}
