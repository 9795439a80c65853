package io.fundingobservatory.gateway.http;

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
import io.netty.channel.Channel;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Handles a request of the public port before the router. It returns an error for input that is not plainly
 * one request, and refuses what its client may not have now. It responds to methods other than GET and HEAD,
 * and sends prepared responses. All other requests go on to their routes. A path with a slash at its end is a
 * different endpoint from the one without, although the router treats them as the same.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class PublicRequestFilter {
    private final PublicPort port;
    private final Site site;
    private final PublicResponses responses;
    private final CurrentSnapshot snapshots;
    private final ClientAddresses clients;
    private final ClientLimiter traffic;
    private final RefusalMeters meters;
    private final EarlyResponseMeters early;
    private final InstantSource clock;
    private final int mostNames;

    PublicRequestFilter(
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
        this.port = port;
        this.site = site;
        this.responses = responses;
        this.snapshots = snapshots;
        this.clients = clients;
        this.traffic = traffic;
        this.meters = meters;
        this.early = early;
        this.clock = clock;
        this.mostNames = limits.requestNames();
    }

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
                    // The framework answers in the version of the request.
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
                        PublicRequest.read(message, target, clock.millis(), mostNames),
                        snapshots.current(),
                        PublicRequest.keepsAlive(message),
                        received.getChannelHandlerContext().channel());
                response = response(read, peer);
                if (response == null) {
                    read.attachTo(request);
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
        Priced priced = site.price(read.asked(), snapshot);
        Verdict verdict = traffic.admit(read.client(), priced.cost(), System.nanoTime() / 1_000);
        if (verdict instanceof Verdict.Refused refused) {
            meters.refused(refused.shape() == Verdict.Shape.VOLUME ? RefusalReason.VOLUME : RefusalReason.SWEEP);
            slowDown(read.connection(), peer, refused);
            return responses.of(
                    site.errors().refused(refused, read.asked(), read.asked().nowMs(), snapshot), read);
        }
        String path = read.asked().path();
        return switch (read.asked().method()) {
            case "GET", "HEAD" -> {
                Priced.Prepared prepared = priced.prepared();
                if (prepared != null && snapshot != null) {
                    yield responses.prepared(prepared, snapshot, read);
                }
                yield path.length() > 1 && path.endsWith("/") ? responses.error(404, read) : null;
            }
            case "OPTIONS" -> responses.of(site.options(), read);
            default -> responses.error(405, read);
        };
    }

    /** A client that is refused waits before its next request is read. A proxy's connection carries those of others as well. */
    private void slowDown(Channel connection, Address peer, Verdict.Refused refused) {
        if (!clients.trusts(peer)) {
            PublicPort.slowDown(connection, refused.retryAfterS());
        }
    }

    /** Over HTTP/2 no field tells whether a body follows. */
    private static boolean bodiless(HttpRequest<?> request) {
        return request instanceof ServerHttpRequest<?> received
                && received.byteBody().expectedLength().orElse(-1) == 0;
    }
}
