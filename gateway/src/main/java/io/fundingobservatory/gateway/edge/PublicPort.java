package io.fundingobservatory.gateway.edge;

import io.fundingobservatory.gateway.settings.PortSettings;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.micronaut.http.ssl.ServerSslConfiguration;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Inserts the guards of the public port. One is next to the socket, before TLS. One is before the HTTP/1 codec, with the pacing of what TLS
 * encrypts. One is behind the codec, and one at the end. The management port has none.
 */
@Singleton
public record PublicPort(
        OpenConnections connections,
        ClientAddresses clients,
        RefusalMeters meters,
        PortSettings settings,
        ServerSslConfiguration tls,

        @Property(name = "endpoints.all.port", defaultValue = "8081")
        int managementPort)
        implements BeanCreatedEventListener<NettyServerCustomizer.Registry>, NettyServerCustomizer {
    /**
     * Bytes that the system holds for a client that does not read. By default it would hold up to 4 MB, and
     * it requests more only when a third has gone. A client that reads slowly would then be taken for a
     * stalled one.
     */
    static final int SEND_BUFFER_BYTES = 256 << 10;

    static final AttributeKey<ClientAddresses> CLIENTS = AttributeKey.valueOf("observatory-clients");

    private static final AttributeKey<ConnectionGuard> GUARD = AttributeKey.valueOf("observatory-guard");

    private static final UndecodedRequests UNDECODED = new UndecodedRequests();

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        NettyServerCustomizer.Registry registry = event.getBean();
        registry.register(this);
        return registry;
    }

    /**
     * Reads nothing from a connection for up to a second. A client that goes on over its limit then costs one refusal a second and
     * connection. Its event loop calls this.
     */
    public static void slowDown(Channel connection) {
        ConnectionGuard guard = connection.attr(GUARD).get();
        if (guard != null) {
            guard.slowDown();
        }
    }

    /** Whether a connection came in over the public port. */
    public boolean isPublic(@Nullable Object localAddress) {
        return !(localAddress instanceof InetSocketAddress address && address.getPort() == managementPort);
    }

    @Override
    public NettyServerCustomizer specializeForChannel(Channel specific, ChannelRole role) {
        if (role != ChannelRole.CONNECTION || !isPublic(specific.localAddress())) {
            return this;
        }
        specific.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES);
        specific.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        specific.attr(CLIENTS).set(clients);
        var first = new ConnectionGuard(connections, meters, settings, tls.isEnabled());
        specific.attr(GUARD).set(first);
        // Before TLS is added: a connection over the bounds is closed before its handshake.
        specific.pipeline().addFirst("connection-guard", first);
        return new Guards(specific.pipeline(), first, meters, settings);
    }

    private record Guards(ChannelPipeline pipeline, ConnectionGuard first, RefusalMeters meters, PortSettings settings)
            implements NettyServerCustomizer {
        @Override
        public void onInitialPipelineBuilt() {
            if (pipeline.get(ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC) != null) {
                pipeline.addBefore(
                        ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC,
                        "request-guard",
                        new RequestGuard(first, meters, settings));
                pipeline.addAfter(ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC, "undecoded-requests", UNDECODED);
                if (pipeline.get(SslHandler.class) != null) {
                    pipeline.addBefore("request-guard", "paced-writes", new PacedWrites());
                }
            }
            if (pipeline.get(ChannelPipelineCustomizer.HANDLER_HTTP2_CONNECTION)
                    instanceof Http2ConnectionHandler http2) {
                var streams = new Http2Streams(http2, pipeline.context(http2), settings, meters);
                pipeline.addBefore(
                        ChannelPipelineCustomizer.HANDLER_HTTP2_CONNECTION, "http2-data-frames", streams.dataFrames());
                first.http2(streams);
            }
            var failures = new UnhandledFailures(first::ended, meters);
            if (pipeline.get(ChannelPipelineCustomizer.HANDLER_MICRONAUT_INBOUND) != null) {
                // That one keeps what gets to it, logs it with its trace and leaves the connection open.
                pipeline.addBefore(ChannelPipelineCustomizer.HANDLER_MICRONAUT_INBOUND, "unhandled-failures", failures);
            } else {
                pipeline.addLast("unhandled-failures", failures);
            }
        }
    }

    /**
     * Follows the HTTP/1 codec. A HEAD whose fields cannot be decoded gets the same response as a GET. The
     * framework builds an error body for other methods only, and the codec's encoder, which keeps the sent
     * method, leaves the body out. A header that ends with its connection is dropped: nobody reads a response to
     * it, and leaving is not malformed.
     */
    @ChannelHandler.Sharable
    private static final class UndecodedRequests extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request
                    && request.decoderResult().isFailure()) {
                if (request.decoderResult().cause() instanceof PrematureChannelClosureException) {
                    ReferenceCountUtil.release(message);
                    return;
                }
                if (request.method().equals(HttpMethod.HEAD)) {
                    request.setMethod(HttpMethod.GET);
                }
            }
            context.fireChannelRead(message);
        }
    }
}
