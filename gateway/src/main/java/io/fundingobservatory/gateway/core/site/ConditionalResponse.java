package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.AcceptEncoding;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.request.SiteRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Responds with prepared content: chooses the coding, states how long it may be kept, or says that nothing has changed. */
final class ConditionalResponse {
    private ConditionalResponse() {}

    /**
     * Prepared content for a request.
     *
     * @param packed whether it is sent as gzip
     * @param unchanged whether the client has these bytes already
     */
    record Match(Content content, boolean packed, boolean unchanged) {}

    /** Matches a request with content of that time, epoch ms UTC; null where dates tell nothing: then tags alone count. */
    static Match match(SiteRequest request, Content content, @Nullable Long modifiedMs) {
        boolean packed = !content.gzip().isEmpty() && AcceptEncoding.prefersGzip(request.acceptEncoding());
        return new Match(content, packed, unchanged(request, content, packed, modifiedMs));
    }

    /** 304 to a client that has these bytes already, else 200; {@code cacheControl} is how long a cache may show it. */
    static SiteResponse of(Match match, String cacheControl, @Nullable Long modifiedMs) {
        Content content = match.content();
        Map<String, String> headers = SiteResponse.commonHeaders();
        headers.put("ETag", content.etag(match.packed()));
        headers.put("Vary", "Accept-Encoding");
        headers.put("Cache-Control", cacheControl);
        if (modifiedMs != null) {
            headers.put("Last-Modified", SiteResponse.date(modifiedMs));
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

    private static boolean unchanged(SiteRequest request, Content content, boolean packed, @Nullable Long modifiedMs) {
        if (!request.ifNoneMatch().isEmpty()) {
            // Where there is a tag, the date is not looked at (RFC 9110 §13.1.3).
            return names(request.ifNoneMatch(), content.etag(packed));
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
