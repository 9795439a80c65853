package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteRequest;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.ClientLimiter;
import io.fundingobservatory.gateway.traffic.ClientLimiter.Refusal;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.annotation.PreMatching;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Handles a request of the public port in place of a route. It returns an error for input that is not plainly one request, and refuses what
 * its client may not have now. Prepared lists, files and errors are sent at once. Other tables are rendered outside the event loops, which
 * milliseconds would delay.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
record PublicRequestFilter(
        PublicPort port,
        Site site,
        HttpResponses responses,
        CurrentSnapshot snapshots,
        ClientAddresses clients,
        ClientLimiter traffic,
        FairQueue queue,
        PortMeters meters,
        InstantSource clock) {
    private static final String BUSY = "too many responses are being rendered; the whole list is there at once";
    private static final int MOST_FIELDS = 64;
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    /** A host name, or an address, with or without a port. */
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9._~!$&'()*+,;=%-]++|\\[[0-9A-Fa-f:.]{2,45}])(?::\\d{0,5})?");

    /** A weekday in full, as RFC 850 has it; the parser throws beyond 64 characters. */
    private static final int LONGEST_DATE = "Wednesday, 06-Nov-94 08:49:37 GMT".length();

    /** The response; null on the management port, which has routes. */
    @PreMatching
    @RequestFilter
    CompletableFuture<@Nullable HttpResponse<?>> filter(io.micronaut.http.HttpRequest<?> request) {
        if (!port.isPublic(request.getServerAddress())) {
            return CompletableFuture.completedFuture(null);
        }
        long begunNs = System.nanoTime();
        var message = ((NettyHttpRequest<?>) request).getNativeRequest();
        int problem = problem(message);
        SiteRequest read = read(message);
        CompletableFuture<@Nullable HttpResponse<?>> response;
        if (problem != 0 || !read.hasTarget()) {
            if (problem == 505) {
                // The framework responds in the version of the request.
                message.setProtocolVersion(HttpVersion.HTTP_1_1);
            }
            meters.refused(PortMeters.Reason.MALFORMED);
            response = CompletableFuture.completedFuture(responses.last(problem == 0 ? 400 : problem, request));
        } else {
            response = response(request, read);
        }
        return response.whenComplete((made, failure) -> meters.served(
                request.getMethod(), read.path(), made == null ? 500 : made.code(), System.nanoTime() - begunNs));
    }

    private CompletableFuture<@Nullable HttpResponse<?>> response(
            io.micronaut.http.HttpRequest<?> request, SiteRequest read) {
        Address peer = Address.of(request.getRemoteAddress().getAddress());
        Address client = clients.client(peer, request.getHeaders().getAll(clients.field()));
        Snapshot snapshot = snapshots.current();
        Site.Decision decision = site.decide(read, snapshot);
        Refusal refused = refused(client, decision);
        if (refused != null) {
            meters.refused(
                    refused.cause() == Refusal.Cause.VOLUME ? PortMeters.Reason.VOLUME : PortMeters.Reason.SWEEP);
            return CompletableFuture.completedFuture(
                    responses.of(site.errors().refused(refused, read, snapshot), request, read));
        }
        return decision.rendered()
                ? rendered(request, read, decision, client)
                : CompletableFuture.completedFuture(
                        responses.of(decision.response().get(), request, read));
    }

    private CompletableFuture<@Nullable HttpResponse<?>> rendered(
            io.micronaut.http.HttpRequest<?> request, SiteRequest read, Site.Decision decision, Address client) {
        var channel = ((NettyHttpRequest<?>) request).getChannelHandlerContext().channel();
        var made = new CompletableFuture<@Nullable HttpResponse<?>>();
        boolean accepted = queue.add(client, () -> {
            try {
                made.complete(
                        // Nobody waits for it where its connection has gone.
                        channel.isActive()
                                ? responses.of(decision.response().get(), request, read)
                                : HttpResponses.unread());
            } catch (RuntimeException | OutOfMemoryError e) {
                made.completeExceptionally(e);
            }
        });
        if (!accepted) {
            made.complete(responses.busy(BUSY, PortMeters.Reason.RENDERING, request, read));
        }
        return made;
    }

    /** Names are searched where the points are admitted. */
    private @Nullable Refusal refused(Address client, Site.Decision decision) {
        long nowUs = System.nanoTime() / 1_000;
        Refusal refused = decision.points() == 0 ? null : traffic.admit(client, decision.points(), nowUs);
        if (refused != null) {
            return refused;
        }
        Set<String> names = decision.names().get();
        return names.isEmpty() ? null : traffic.admitNames(client, names, nowUs);
    }

    private static boolean isReading(HttpRequest message) {
        return READING.contains(message.method().name());
    }

    /** The status of a message that is not plainly one request without a body (RFC 9112); 0 for one that is. */
    private static int problem(HttpRequest message) {
        HttpVersion version = message.protocolVersion();
        if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
            return 505;
        }
        HttpHeaders fields = message.headers();
        if (fields.size() > MOST_FIELDS) {
            return 431;
        }
        List<String> hosts = fields.getAll(HttpHeaderNames.HOST);
        boolean host = hosts.isEmpty()
                ? version.equals(HttpVersion.HTTP_1_0)
                : hosts.size() == 1 && HOST.matcher(hosts.getFirst()).matches();
        if (!host) {
            return 400;
        }
        List<String> lengths = fields.getAll(HttpHeaderNames.CONTENT_LENGTH);
        boolean body = fields.contains(HttpHeaderNames.TRANSFER_ENCODING)
                || lengths.size() > 1
                || (lengths.size() == 1 && !lengths.getFirst().equals("0"));
        return !body ? 0 : isReading(message) ? 400 : 405;
    }

    private SiteRequest read(HttpRequest message) {
        HttpHeaders fields = message.headers();
        return SiteRequest.of(
                message.method().name(),
                message.uri(),
                fields.getAll(HttpHeaderNames.IF_NONE_MATCH),
                date(fields.get(HttpHeaderNames.IF_MODIFIED_SINCE)),
                fields.getAll(HttpHeaderNames.ACCEPT_ENCODING),
                clock.millis());
    }

    /** A date in one of the three forms that a server has to read (RFC 9110 §5.6.7), epoch ms UTC; null for anything else. */
    @SuppressWarnings("JavaUtilDate") // Netty's parser returns it
    private static @Nullable Long date(@Nullable String field) {
        Date date = field == null || field.length() > LONGEST_DATE ? null : DateFormatter.parseHttpDate(field);
        return date == null ? null : date.getTime();
    }
}
