package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.request.RequestTarget;
import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.port.PublicPort;
import io.fundingobservatory.gateway.port.RefusalMeters;
import io.fundingobservatory.gateway.port.RefusalReason;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.Limits;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpVersion;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpUtil;
import java.time.InstantSource;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/** Refuses what is not plainly one request without a body, and reads the others once for everything behind it. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(10)
final class ValidRequestFilter {
    /** A weekday in full, as RFC 850 has it; the parser throws beyond 64 characters. */
    private static final int LONGEST_DATE = "Wednesday, 06-Nov-94 08:49:37 GMT".length();

    private final PublicPort port;
    private final PublicResponses responses;
    private final CurrentSnapshot snapshots;
    private final ClientAddresses clients;
    private final RefusalMeters meters;
    private final InstantSource clock;
    private final int mostNames;

    ValidRequestFilter(
            PublicPort port,
            PublicResponses responses,
            CurrentSnapshot snapshots,
            ClientAddresses clients,
            RefusalMeters meters,
            InstantSource clock,
            Limits limits) {
        this.port = port;
        this.responses = responses;
        this.snapshots = snapshots;
        this.clients = clients;
        this.meters = meters;
        this.clock = clock;
        this.mostNames = limits.requestNames();
    }

    @RequestFilter
    @Nullable
    HttpResponse<?> filter(HttpRequest<?> request) {
        if (!port.isPublic(request.getServerAddress())) {
            return null;
        }
        var message = ((NettyHttpRequest<?>) request).getNativeRequest();
        boolean http2 = request.getHttpVersion() == HttpVersion.HTTP_2_0;
        int status = http2 && !bodiless(request) ? 400 : RequestValidator.status(message, http2);
        RequestTarget target = status == RequestValidator.OK
                ? RequestTarget.of(message.method().name(), message.uri())
                : null;
        if (status != RequestValidator.OK) {
            if (status == 505) {
                // The framework answers in the version it was asked in.
                message.setProtocolVersion(io.netty.handler.codec.http.HttpVersion.HTTP_1_1);
            }
            meters.refused(RefusalReason.MALFORMED);
            return responses.last(status);
        }
        HttpHeaders fields = message.headers();
        var asked = SiteRequest.of(
                message.method().name(),
                target == null ? "" : target.path(),
                target == null ? null : target.query(),
                fields.getAll(HttpHeaderNames.IF_NONE_MATCH),
                date(fields.get(HttpHeaderNames.IF_MODIFIED_SINCE)),
                fields.getAll(HttpHeaderNames.ACCEPT_ENCODING),
                clock.millis(),
                mostNames);
        Address peer = Address.of(request.getRemoteAddress().getAddress());
        Address client = clients.client(peer, fields.getAll(clients.field().field));
        new PublicRequest(client, asked, snapshots.current(), keepsAlive(message)).attachTo(request);
        return null;
    }

    /** A date in one of the three forms that a server has to read (RFC 9110 §5.6.7), epoch ms UTC; null for anything else. */
    private static @Nullable Long date(@Nullable String field) {
        Date date = field == null || field.length() > LONGEST_DATE ? null : DateFormatter.parseHttpDate(field);
        return date == null ? null : date.getTime();
    }

    /** Over HTTP/2 no field says whether a body follows. */
    private static boolean bodiless(HttpRequest<?> request) {
        return request instanceof ServerHttpRequest<?> received
                && received.byteBody().expectedLength().orElse(-1) == 0;
    }

    /** Whether it is of HTTP/1.0 and asks for its connection to be kept, which the answer then has to say. */
    private static boolean keepsAlive(io.netty.handler.codec.http.HttpRequest message) {
        return !message.protocolVersion().isKeepAliveDefault() && HttpUtil.isKeepAlive(message);
    }
}
