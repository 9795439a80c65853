package io.fundingobservatory.gateway.edge;

import io.fundingobservatory.gateway.core.site.Route;
import io.fundingobservatory.gateway.core.site.SiteRequest;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.micronaut.http.server.netty.handler.accesslog.element.ConnectionMetadata;
import io.micronaut.http.server.netty.handler.accesslog.element.LogElement;
import io.micronaut.http.server.netty.handler.accesslog.element.LogElementBuilder;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the framework's access log may show of a request, {@code %{request}P}. Of the client it contains the network, of the method a
 * known one, and of the path one that is served. Loaded by the framework as a service.
 */
public final class AccessLogElements implements LogElementBuilder {
    private static final String UNKNOWN = "unknown";
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT");

    @Override
    public @Nullable LogElement build(String token, @Nullable String parameter) {
        return token.equals("P") && "request".equals(parameter) ? new Masked() : null;
    }

    private static final class Masked implements LogElement {
        private HttpHeaders fields = EmptyHttpHeaders.INSTANCE;
        private String method = "";
        private String target = "";

        @Override
        public Set<Event> events() {
            return EnumSet.of(Event.ON_REQUEST_HEADERS, Event.ON_RESPONSE_HEADERS);
        }

        @Override
        public String onRequestHeaders(
                ConnectionMetadata metadata, String method, HttpHeaders headers, String uri, String protocol) {
            this.fields = headers;
            this.method = method;
            this.target = uri;
            return "-";
        }

        @Override
        public String onResponseHeaders(ChannelHandlerContext context, HttpHeaders headers, String status) {
            return "client=" + client(context) + " method=" + (METHODS.contains(method) ? method : "OTHER") + " path="
                    + path(status);
        }

        private String client(ChannelHandlerContext context) {
            ClientAddresses clients = context.channel().attr(PublicPort.CLIENTS).get();
            if (clients == null || !(context.channel().remoteAddress() instanceof InetSocketAddress peer)) {
                return "-";
            }
            return clients.client(Address.of(peer.getAddress()), fields.getAll(clients.field()))
                    .prefix();
        }

        /** The path of a served endpoint; otherwise a label, because other paths are not logged. */
        private String path(String status) {
            String path = SiteRequest.path(target);
            Route route = Route.of(path);
            if (route != null) {
                return route.served() ? path : "not_yet";
            }
            return status.equals("200") || status.equals("304") ? path : UNKNOWN;
        }

        @Override
        public void reset() {
            fields = EmptyHttpHeaders.INSTANCE;
        }

        @Override
        public LogElement copy() {
            return new Masked();
        }

        @Override
        public String toString() {
            return "%{request}P";
        }
    }
}
