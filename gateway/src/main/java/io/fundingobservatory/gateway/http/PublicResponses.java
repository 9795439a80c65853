package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.coding.Coding;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.site.ErrorResponses;
import io.fundingobservatory.gateway.core.site.HttpDate;
import io.fundingobservatory.gateway.core.site.Priced;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.edge.RefusalMeters;
import io.fundingobservatory.gateway.edge.RefusalReason;
import io.fundingobservatory.gateway.traffic.Verdict;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpResponse;
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
        PreparedBodyWriter writer,
        RecentResponses recent,
        RefusalMeters meters,
        InstantSource clock) {
    private static final int UNREAD_RETRY_S = 10;
    private static final String BUSY =
            "too many large responses are being sent; with Accept-Encoding: gzip they are small enough";

    /** A response; a refusal where there is no room for its body. */
    MutableHttpResponse<PreparedBody> of(SiteResponse siteResponse, PublicRequest read) {
        return sent(siteResponse.body(), read, () -> response(siteResponse, read));
    }

    /** What a response of prepared content differs by within a second. */
    private record Representation(String tag, @Nullable Coding coding, boolean unchanged) {}

    /** The refusals of a second that are equal. */
    private record Refusal(Verdict.Refused refused, String useInstead) {}

    /** The response of prepared content. */
    HttpResponse<PreparedBody> prepared(Priced.Prepared prepared, Snapshot snapshot, PublicRequest read) {
        long nowMs = read.siteRequest().nowMs();
        Content content = prepared.content();
        // No longer than it may be kept at the end of this second.
        RecentResponses.Recent kept = recent.of(
                new Representation(content.tag(), prepared.coding(), prepared.unchanged()),
                snapshot,
                nowMs,
                () -> Site.prepared(prepared, Math.floorDiv(nowMs, 1_000L) * 1_000 + 999, snapshot)
                        .withoutBody());
        List<Segment> body = prepared.unchanged() ? List.of() : content.body(prepared.coding());
        return sent(body, read, () -> kept.response(read.keepAliveRequested()));
    }

    private MutableHttpResponse<PreparedBody> sent(
            List<Segment> segments, PublicRequest read, Supplier<MutableHttpResponse<PreparedBody>> response) {
        bytes.serving(snapshots.current());
        if (segments.isEmpty() || read.siteRequest().method().equals("HEAD")) {
            return response.get();
        }
        var body = new PreparedBody(segments, read.client());
        return switch (bytes.room(body)) {
            case YES -> withBody(response.get(), body);
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
        RecentResponses.Recent kept =
                recent.of(key, read.snapshot(), read.siteRequest().nowMs(), made);
        MutableHttpResponse<PreparedBody> response = kept.response(read.keepAliveRequested());
        return read.siteRequest().method().equals("HEAD")
                ? response
                : withBody(response, new PreparedBody(kept.body(), read.client()));
    }

    /** The router takes the writer of a route's response from the route; this is for the responses of the filter. */
    private MutableHttpResponse<PreparedBody> withBody(MutableHttpResponse<PreparedBody> response, PreparedBody body) {
        response.body(body);
        response.bodyWriter(writer);
        return response;
    }

    /** A response to a connection that has gone. The framework needs one; it is never sent. */
    HttpResponse<PreparedBody> unread() {
        return HttpResponse.status(499, "Client Closed Request");
    }

    private MutableHttpResponse<PreparedBody> response(SiteResponse siteResponse, PublicRequest read) {
        MutableHttpResponse<PreparedBody> response =
                response(siteResponse, read.siteRequest().nowMs());
        return read.keepAliveRequested() ? response.header(HttpHeaders.CONNECTION, "keep-alive") : response;
    }

    /** A refusal that is the last response of its connection: what follows on it cannot be trusted to be a request. */
    MutableHttpResponse<byte[]> last(int status) {
        return last(site.errors().of(status, clock.millis(), snapshots.current()));
    }

    MutableHttpResponse<byte[]> last(SiteResponse siteResponse) {
        MutableHttpResponse<byte[]> response = whole(siteResponse);
        response.header(HttpHeaders.CONNECTION, "close");
        return response;
    }

    /** A response whose bytes are its own. */
    MutableHttpResponse<byte[]> whole(SiteResponse siteResponse) {
        MutableHttpResponse<byte[]> response = response(siteResponse, clock.millis());
        return response.body(siteResponse.body().getFirst().joined());
    }

    private <B> MutableHttpResponse<B> response(SiteResponse siteResponse, long nowMs) {
        MutableHttpResponse<B> response = HttpResponse.status(HttpStatus.valueOf(siteResponse.status()));
        MutableHttpHeaders headers = response.getHeaders();
        headers.add(HttpHeaders.DATE, HttpDate.at(nowMs));
        siteResponse.headers().forEach(headers::add);
        return response;
    }
}
