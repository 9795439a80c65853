package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.request.Route;
import io.fundingobservatory.gateway.core.site.Priced;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.edge.PublicPort;
import io.fundingobservatory.gateway.edge.RefusalMeters;
import io.fundingobservatory.gateway.edge.RefusalReason;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.ClientLimiter;
import io.fundingobservatory.gateway.traffic.Limits;
import io.fundingobservatory.gateway.traffic.Verdict;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpVersion;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.annotation.PreMatching;
import io.micronaut.http.server.netty.NettyHttpRequest;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Handles a request of the public port before the router. It returns an error for input that is not plainly
 * one request, and refuses what its client may not have now. It sends every response that does not have to be
 * rendered: prepared tables, files and errors. Requests for other tables go on to their route.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
record PublicRequestFilter(
        PublicPort port,
        Site site,
        PublicResponses responses,
        CurrentSnapshot snapshots,
        ClientAddresses clients,
        ClientLimiter traffic,
        RefusalMeters meters,
        EarlyResponseMeters early,
        InstantSource clock,
        Limits limits) {
    @PreMatching
    @RequestFilter
    @Nullable
    HttpResponse<?> filter(HttpRequest<?> request) {
        if (!port.isPublic(request.getServerAddress())) {
            return null;
        }
        long begunNs = System.nanoTime();
        NettyHttpRequest<?> received = (NettyHttpRequest<?>) request;
        var message = received.getNativeRequest();
        boolean http2 = request.getHttpVersion() == HttpVersion.HTTP_2_0;
        RequestValidator.Checked checked = http2 && !bodiless(request)
                ? new RequestValidator.Checked.Invalid(400)
                : RequestValidator.check(message, http2);
        HttpResponse<?> response;
        String path = "";
        switch (checked) {
            case RequestValidator.Checked.Invalid(int status) -> {
                if (status == 505) {
                    // The framework responds in the version of the request.
                    message.setProtocolVersion(io.netty.handler.codec.http.HttpVersion.HTTP_1_1);
                }
                meters.refused(RefusalReason.MALFORMED);
                response = responses.last(status);
            }
            case RequestValidator.Checked.Valid(var target) -> {
                path = target.path();
                Address peer = Address.of(request.getRemoteAddress().getAddress());
                var read = new PublicRequest(
                        clients.client(peer, message.headers().getAll(clients.field().field)),
                        PublicRequest.read(message, target, clock.millis(), limits.requestNames()),
                        snapshots.current(),
                        PublicRequest.keepsAlive(message),
                        received.getChannelHandlerContext().channel());
                response = response(read, peer);
                if (response == null) {
                    request.setAttribute(PublicRequest.ATTRIBUTE, read);
                    return null;
                }
            }
        }
        early.record(request.getMethod(), path, response.code(), System.nanoTime() - begunNs);
        return response;
    }

    /** The response where no route is needed; null where one is. */
    private @Nullable HttpResponse<?> response(PublicRequest read, Address peer) {
        Snapshot snapshot = read.snapshot();
        Priced priced = site.price(read.siteRequest(), snapshot);
        Verdict verdict = traffic.admit(read.client(), priced.cost(), System.nanoTime() / 1_000);
        if (verdict instanceof Verdict.Refused refused) {
            meters.refused(refused.cause() == Verdict.Cause.VOLUME ? RefusalReason.VOLUME : RefusalReason.SWEEP);
            // A proxy's connection carries the requests of other clients as well.
            if (!clients.trusts(peer)) {
                PublicPort.slowDown(read.connection());
            }
            return responses.refused(refused, read);
        }
        Priced.Prepared prepared = priced.prepared();
        if (prepared != null && snapshot != null) {
            return responses.prepared(prepared, snapshot, read);
        }
        Route route = read.siteRequest().route();
        boolean rendered = snapshot != null && read.siteRequest().reads() && route != null && route.served();
        return rendered ? null : responses.of(site.response(read.siteRequest(), snapshot), read);
    }

    /** Over HTTP/2 no field tells whether a body follows. */
    private static boolean bodiless(HttpRequest<?> request) {
        return request instanceof ServerHttpRequest<?> received
                && received.byteBody().expectedLength().orElse(-1) == 0;
    }
}
