package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteRequest;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.edge.PortMeters;
import io.fundingobservatory.gateway.edge.PublicPort;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.ClientLimiter;
import io.fundingobservatory.gateway.traffic.Verdict;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Handles a request of the public port before the router. It returns an error for input that is not plainly one request, and refuses what
 * its client may not have now. It sends every response that does not have to be rendered: prepared lists, files and errors. Requests for
 * other tables go on to their route ({@link ApiController}).
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
record PublicRequestFilter(
        PublicPort port,
        Site site,
        HttpResponses responses,
        CurrentSnapshot snapshots,
        ClientAddresses clients,
        ClientLimiter traffic,
        PortMeters meters,
        InstantSource clock) {
    private static final int MOST_FIELDS = 64;
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    /** A host name, or an address, with or without a port. */
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9._~!$&'()*+,;=%-]++|\\[[0-9A-Fa-f:.]{2,45}])(?::\\d{0,5})?");

    /** A weekday in full, as RFC 850 has it; the parser throws beyond 64 characters. */
    private static final int LONGEST_DATE = "Wednesday, 06-Nov-94 08:49:37 GMT".length();

    @PreMatching
    @RequestFilter
    @Nullable
    HttpResponse<?> filter(io.micronaut.http.HttpRequest<?> request) {
        if (!port.isPublic(request.getServerAddress())) {
            return null;
        }
        long begunNs = System.nanoTime();
        var message = ((NettyHttpRequest<?>) request).getNativeRequest();
        int problem = problem(message);
        SiteRequest read = read(message);
        HttpResponse<?> response;
        if (problem != 0 || !read.hasTarget()) {
            if (problem == 505) {
                // The framework responds in the version of the request.
                message.setProtocolVersion(HttpVersion.HTTP_1_1);
            }
            meters.refused(PortMeters.Reason.MALFORMED);
            response = responses.last(problem == 0 ? 400 : problem, request);
        } else {
            response = response(request, read);
        }
        if (response != null) {
            meters.early(request.getMethod(), read.path(), response.code(), System.nanoTime() - begunNs);
        }
        return response;
    }

    /** The response where no route is needed; null where one is. */
    private @Nullable HttpResponse<?> response(io.micronaut.http.HttpRequest<?> request, SiteRequest read) {
        Address peer = Address.of(request.getRemoteAddress().getAddress());
        Address client = clients.client(peer, request.getHeaders().getAll(clients.field()));
        Snapshot snapshot = snapshots.current();
        Site.Decision decision = site.decide(read, snapshot);
        Verdict verdict = admit(client, decision);
        if (verdict instanceof Verdict.Refused refused) {
            meters.refused(
                    refused.cause() == Verdict.Cause.VOLUME ? PortMeters.Reason.VOLUME : PortMeters.Reason.SWEEP);
            return responses.of(site.errors().refused(refused, read, snapshot), request, read);
        }
        if (decision.rendered()) {
            ApiController.Waiting.put(request, read, decision.response(), client);
            return null;
        }
        return responses.of(decision.response().get(), request, read);
    }

    /** Names are searched where the points are admitted. */
    private Verdict admit(Address client, Site.Decision decision) {
        long nowUs = System.nanoTime() / 1_000;
        Verdict verdict = decision.points() == 0 ? Verdict.ADMITTED : traffic.admit(client, decision.points(), nowUs);
        if (verdict instanceof Verdict.Refused) {
            return verdict;
        }
        Set<String> names = decision.names().get();
        return names.isEmpty() ? verdict : traffic.admitNames(client, names, nowUs);
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
