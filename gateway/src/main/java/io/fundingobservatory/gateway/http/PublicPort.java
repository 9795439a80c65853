package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.micronaut.http.ssl.ServerSslConfiguration;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Inserts four handlers into the framework's pipeline of the public port, and removes none. {@link ConnectionLimit} is next to the socket,
 * {@link UnsentBytes} before the HTTP codec, {@link Deadlines} before it and at the end. The management port has none.
 */
@Singleton
record PublicPort(
        ConnectionLimit connections,
        UnsentBytes unsent,
        PortMeters meters,
        GatewaySettings.Port settings,
        ServerSslConfiguration tls,

        @Property(name = "endpoints.all.port", defaultValue = "8081")
        int managementPort)
        implements BeanCreatedEventListener<NettyServerCustomizer.Registry>, NettyServerCustomizer {
    /** The largest header. */
    private static final int READ_BYTES = 8 << 10;

    /** Bytes that the system holds for a client that does not read. By default it would hold up to 4 MB, which nothing counts. */
    private static final int SEND_BUFFER_BYTES = 256 << 10;

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        NettyServerCustomizer.Registry registry = event.getBean();
        registry.register(this);
        return registry;
    }

    /** Whether a connection came in over the public port. */
    boolean isPublic(@Nullable Object localAddress) {
        return !(localAddress instanceof InetSocketAddress address && address.getPort() == managementPort);
    }

    @Override
    public NettyServerCustomizer specializeForChannel(Channel specific, ChannelRole role) {
        if (role != ChannelRole.CONNECTION || !isPublic(specific.localAddress())) {
            return this;
        }
        // A client that sends requests without end and reads nothing has the responses to one read made, at most.
        specific.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES).maxMessagesPerRead(1));
        specific.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES);
        // Before TLS is added: a connection over the bounds is closed before its handshake.
        specific.pipeline().addFirst("connection-limit", connections.handler());
        return new Connection(specific, this);
    }

    private record Connection(Channel channel, PublicPort port) implements NettyServerCustomizer {
        @Override
        public void onInitialPipelineBuilt() {
            ChannelPipeline pipeline = channel.pipeline();
            if (port.tls().isEnabled() && pipeline.get(SslHandler.class) == null) {
                // No certificate could be loaded: the framework would go on without.
                port.meters().refused(PortMeters.Reason.FAILED);
                Future<?> _ = channel.close();
            }
            String codec = ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC;
            if (pipeline.get(codec) != null) {
                var deadlines = new Deadlines(port.settings(), port.meters());
                pipeline.addBefore(codec, "unsent-bytes", port.unsent());
                pipeline.addBefore(codec, "first-byte", deadlines.firstByte());
                pipeline.addBefore(ChannelPipelineCustomizer.HANDLER_MICRONAUT_INBOUND, "deadlines", deadlines);
            }
        }
    }
}
