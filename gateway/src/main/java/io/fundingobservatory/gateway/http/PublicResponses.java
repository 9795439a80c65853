package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.coding.Segment;
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
import org.jspecify.annotations.Nullable;

/** Turns what the site answers into responses of the framework. */
@Singleton
final class PublicResponses {
    private static final int UNREAD_RETRY_S = 10;
    private static final String BUSY =
            "too many large responses are being sent; with Accept-Encoding: gzip they are small enough";

    private final HttpDate date = new HttpDate();
    private final RecentResponses kept = new RecentResponses();
    private final Site site;
    private final CurrentSnapshot snapshots;
    private final SharedBytes bytes;
    private final PreparedBodyWriter writer;
    private final RefusalMeters meters;
    private final InstantSource clock;

    PublicResponses(
            Site site,
            CurrentSnapshot snapshots,
            SharedBytes bytes,
            PreparedBodyWriter writer,
            RefusalMeters meters,
            InstantSource clock) {
        this.site = site;
        this.snapshots = snapshots;
        this.bytes = bytes;
        this.writer = writer;
        this.meters = meters;
        this.clock = clock;
    }

    MutableHttpResponse<PreparedBody> of(SiteResponse siteResponse, PublicRequest read) {
        bytes.serving(snapshots.current());
        if (siteResponse.body().isEmpty() || read.asked().method().equals("HEAD")) {
            return response(siteResponse, read);
        }
        var body = new PreparedBody(siteResponse.body(), read.client());
        MutableHttpResponse<PreparedBody> refusal = refusal(body, read);
        return refusal == null ? response(siteResponse, body, read) : refusal;
    }

    /** The refusal to send a body; null where there is room for it. */
    private @Nullable MutableHttpResponse<PreparedBody> refusal(PreparedBody body, PublicRequest read) {
        return switch (bytes.room(body)) {
            case YES -> null;
            case FULL_FOR_CLIENT -> {
                meters.refused(RefusalReason.CLIENT_MEMORY);
                var refused = new Verdict.Refused(Verdict.Shape.UNREAD, UNREAD_RETRY_S);
                yield small(
                        site.errors()
                                .refused(refused, read.asked(), read.asked().nowMs(), read.snapshot()),
                        read);
            }
            case FULL -> {
                meters.refused(RefusalReason.MEMORY);
                yield small(site.errors().busy(BUSY, read.asked().nowMs(), read.snapshot()), read);
            }
        };
    }

    private MutableHttpResponse<PreparedBody> small(SiteResponse siteResponse, PublicRequest read) {
        return response(siteResponse, new PreparedBody(siteResponse.body(), read.client()), read);
    }

    private MutableHttpResponse<PreparedBody> response(
            SiteResponse siteResponse, PreparedBody body, PublicRequest read) {
        return withBody(response(siteResponse, read), body);
    }

    /** The router takes the writer of a route's response from the route; this is for the responses of the filter. */
    private MutableHttpResponse<PreparedBody> withBody(MutableHttpResponse<PreparedBody> response, PreparedBody body) {
        response.body(body);
        response.bodyWriter(writer);
        return response;
    }

    /** The response of prepared content, whose fields are kept for the second that they are equal in. */
    HttpResponse<PreparedBody> prepared(Priced.Prepared prepared, Snapshot snapshot, PublicRequest read) {
        long nowMs = read.asked().nowMs();
        RecentResponses.Kept kept = this.kept.of(prepared, nowMs);
        if (kept == null) {
            // No longer than it may be kept at the end of this second.
            SiteResponse siteResponse = Site.prepared(prepared, Math.floorDiv(nowMs, 1_000L) * 1_000 + 999, snapshot);
            kept = this.kept.keep(prepared, siteResponse, date.at(nowMs), nowMs);
        }
        bytes.serving(snapshots.current());
        List<Segment> segments = kept.body();
        if (segments.isEmpty() || read.asked().method().equals("HEAD")) {
            return kept.response(read.keepAliveAsked());
        }
        var body = new PreparedBody(segments, read.client());
        MutableHttpResponse<PreparedBody> refusal = refusal(body, read);
        return refusal == null ? withBody(kept.response(read.keepAliveAsked()), body) : refusal;
    }

    /** A response to a connection that has gone. The framework needs one; it is never sent. */
    HttpResponse<PreparedBody> unread() {
        return HttpResponse.status(499, "Client Closed Request");
    }

    private MutableHttpResponse<PreparedBody> response(SiteResponse siteResponse, PublicRequest read) {
        MutableHttpResponse<PreparedBody> response =
                response(siteResponse, read.asked().nowMs());
        return read.keepAliveAsked() ? response.header(HttpHeaders.CONNECTION, "keep-alive") : response;
    }

    MutableHttpResponse<PreparedBody> error(int status, PublicRequest read) {
        long nowMs = read.asked().nowMs();
        return of(
                status == 404
                        ? site.errors().unknownAddress(read.asked().path(), nowMs, read.snapshot())
                        : site.errors().of(status, nowMs, read.snapshot()),
                read);
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
        headers.add(HttpHeaders.DATE, date.at(nowMs));
        siteResponse.headers().forEach(headers::add);
        return response;
    }
}
