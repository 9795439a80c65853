package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.coding.Coding;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.site.ErrorResponses;
import io.fundingobservatory.gateway.core.site.Priced;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.edge.RefusalMeters;
import io.fundingobservatory.gateway.edge.RefusalReason;
import io.fundingobservatory.gateway.http.RecentResponses.Recent;
import io.fundingobservatory.gateway.traffic.Verdict;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.util.AsciiString;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns what the site returns into responses of the framework. */
@Singleton
record PublicResponses(
        Site site,
        CurrentSnapshot snapshots,
        SharedBytes bytes,
        RecentResponses recent,
        RefusalMeters meters,
        InstantSource clock) {
    private static final int UNREAD_RETRY_S = 10;
    private static final String BUSY =
            "too many large responses are being sent; with Accept-Encoding: gzip they are small enough";

    /** What a response of prepared content differs by within a second. */
    private record Representation(String tag, @Nullable Coding coding, boolean unchanged) {}

    /** The refusals of a second that are equal. */
    private record Refusal(Verdict.Refused refused, String useInstead) {}

    /** A response; a refusal where there is no room for its body. */
    MutableHttpResponse<PreparedBody> of(SiteResponse response, PublicRequest read) {
        return sent(Recent.of(response, read.siteRequest().nowMs()), response.body(), read);
    }

    HttpResponse<PreparedBody> prepared(Priced.Prepared prepared, Snapshot snapshot, PublicRequest read) {
        Content content = prepared.content();
        long nowMs = read.siteRequest().nowMs();
        // No longer than it may be kept at the end of this second.
        long endMs = Math.floorDiv(nowMs, 1_000L) * 1_000 + 999;
        Recent kept = recent.of(
                new Representation(content.tag(), prepared.coding(), prepared.unchanged()),
                snapshot,
                nowMs,
                () -> Site.prepared(prepared, endMs, snapshot).withoutBody());
        return sent(kept, prepared.unchanged() ? List.of() : content.body(prepared.coding()), read);
    }

    private MutableHttpResponse<PreparedBody> sent(Recent response, List<Segment> segments, PublicRequest read) {
        bytes.serving(snapshots.current());
        if (segments.isEmpty() || read.siteRequest().method().equals("HEAD")) {
            return response.response(read.connectionField());
        }
        var body = new PreparedBody(segments, read.client());
        return switch (bytes.room(body)) {
            case YES -> withBody(response, body, read);
            case FULL_FOR_CLIENT -> {
                meters.refused(RefusalReason.CLIENT_MEMORY);
                yield refused(new Verdict.Refused(Verdict.Cause.UNREAD, UNREAD_RETRY_S), read);
            }
            case FULL -> busy(BUSY, read);
        };
    }

    /** The refusal of a request because of its client's traffic. */
    MutableHttpResponse<PreparedBody> refused(Verdict.Refused refused, PublicRequest read) {
        SiteRequest request = read.siteRequest();
        return small(
                new Refusal(refused, ErrorResponses.useInstead(refused.cause(), request)),
                read,
                () -> site.errors().refused(refused, request, request.nowMs(), read.snapshot()));
    }

    /** The response while something is used up; why, in a line. */
    MutableHttpResponse<PreparedBody> busy(String why, PublicRequest read) {
        meters.refused(RefusalReason.MEMORY);
        return small(why, read, () -> site.errors().busy(why, read.siteRequest().nowMs(), read.snapshot()));
    }

    private MutableHttpResponse<PreparedBody> small(Object key, PublicRequest read, Supplier<SiteResponse> made) {
        Recent kept = recent.of(key, read.snapshot(), read.siteRequest().nowMs(), made);
        return read.siteRequest().method().equals("HEAD")
                ? kept.response(read.connectionField())
                : withBody(kept, new PreparedBody(kept.body(), read.client()), read);
    }

    /** The router takes the writer of a route's response from the route; this is for the responses of the filter. */
    private MutableHttpResponse<PreparedBody> withBody(Recent kept, PreparedBody body, PublicRequest read) {
        MutableHttpResponse<PreparedBody> response = kept.response(read.connectionField());
        response.body(body);
        response.bodyWriter(bytes);
        return response;
    }

    /** A response to a connection that has gone. The framework needs one; it is never sent. */
    HttpResponse<PreparedBody> unread() {
        return HttpResponse.status(499, "Client Closed Request");
    }

    /** A refusal that is the last response of its connection: what follows on it cannot be trusted to be a request. */
    MutableHttpResponse<byte[]> last(int status) {
        return last(site.errors().of(status, clock.millis(), snapshots.current()));
    }

    MutableHttpResponse<byte[]> last(SiteResponse response) {
        return whole(response, HttpHeaderValues.CLOSE);
    }

    MutableHttpResponse<byte[]> whole(SiteResponse response, @Nullable AsciiString connection) {
        MutableHttpResponse<byte[]> whole = Recent.of(response, clock.millis()).response(connection);
        return whole.body(response.body().getFirst().joined());
    }
}
