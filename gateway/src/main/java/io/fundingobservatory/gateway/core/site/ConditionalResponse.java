package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.AcceptEncoding;
import io.fundingobservatory.gateway.core.coding.Coding;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.topics.records.Rate;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers with prepared content: chooses the coding, states how long it may be kept, or says that nothing has changed. */
final class ConditionalResponse {
    /** While this service fails, a cache may show what it has for as long as a row may grow old. */
    private static final long STALE_IF_ERROR_S = Rate.REMOVED_AFTER_MS / 1000;

    private static final HttpDate MODIFIED = new HttpDate();

    private ConditionalResponse() {}

    /**
     * The answer: 304 to who has these bytes already, else 200 in the coding that is liked best.
     *
     * @param maxAgeS how long a cache may show it without asking again, seconds
     * @param modifiedMs when the content was made, epoch ms UTC
     */
    static SiteResponse of(SiteRequest request, Content content, long maxAgeS, long modifiedMs) {
        Coding best =
                AcceptEncoding.choose(request.acceptEncoding(), content.packed().keySet());
        boolean same = unchanged(request, content, best, modifiedMs);
        Coding held = same ? null : heldCoding(request, content, best);
        Coding coding = held == null ? best : held;
        var headers = new LinkedHashMap<String, String>(CommonHeaders.COUNT);
        headers.putAll(CommonHeaders.ALL);
        headers.put("ETag", content.etag(coding));
        headers.put("Vary", "Accept-Encoding");
        headers.put("Cache-Control", "public, max-age=" + maxAgeS + ", stale-if-error=" + STALE_IF_ERROR_S);
        headers.put("Last-Modified", MODIFIED.at(modifiedMs));
        if (same || held != null) {
            return new SiteResponse(304, headers, List.of());
        }
        List<byte[]> pieces = content.pieces(coding);
        headers.put("Content-Type", content.type());
        if (coding != null) {
            headers.put("Content-Encoding", coding.word);
        }
        headers.put("Content-Length", Long.toString(Content.length(pieces)));
        return new SiteResponse(200, headers, pieces);
    }

    /** Whether the client has these bytes already, in a coding that it accepts. */
    static boolean unchanged(SiteRequest request, Content content, long modifiedMs) {
        Coding coding =
                AcceptEncoding.choose(request.acceptEncoding(), content.packed().keySet());
        return unchanged(request, content, coding, modifiedMs) || heldCoding(request, content, coding) != null;
    }

    private static boolean unchanged(SiteRequest request, Content content, @Nullable Coding coding, long modifiedMs) {
        if (!request.ifNoneMatch().isEmpty()) {
            // Where there is a tag, the date is not looked at (RFC 9110 §13.1.3).
            return IfNoneMatch.matches(request.ifNoneMatch(), content.etag(coding));
        }
        Long since = request.ifModifiedSince() == null ? null : HttpDate.parse(request.ifModifiedSince());
        return since != null && Math.floorDiv(modifiedMs, 1_000L) * 1_000 <= since;
    }

    /**
     * The coding, other than the one that is liked best, in which the client has this content: it may have come before the better
     * one was there. Null when there is none.
     */
    private static @Nullable Coding heldCoding(SiteRequest request, Content content, @Nullable Coding best) {
        if (request.ifNoneMatch().isEmpty()) {
            return null;
        }
        for (Coding other : content.packed().keySet()) {
            if (other != best
                    && AcceptEncoding.welcome(request.acceptEncoding(), other)
                    && IfNoneMatch.names(request.ifNoneMatch(), content.etag(other))) {
                return other;
            }
        }
        return null;
    }
}
