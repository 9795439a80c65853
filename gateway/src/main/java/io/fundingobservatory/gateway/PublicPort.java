package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.traffic.Callers;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Serves the public port: its connections get a pipeline of the gateway's own instead of the framework's, with bounds around the
 * HTTP decoder and every answer made behind it. The management port stays with the framework.
 */
@Singleton
final class PublicPort implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
    private static final int CHUNK_BYTES = 8_192;

    /**
     * What the system holds for a client that does not read. By itself it would hold up to 4 MB, and it asks for more only when a
     * third has gone: somebody who reads slowly would look as if stalled.
     */
    private static final int SEND_BUFFER_BYTES = 256 << 10;

    private final BeanProvider<Replies> replies;
    private final BeanProvider<PublicMeters> meters;
    private final PortSettings settings;
    private final int managementPort;
    private final Connections connections;
    private final Queue<Channel> listeners = new ConcurrentLinkedQueue<>();

    PublicPort(
            BeanProvider<Replies> replies,
            BeanProvider<PublicMeters> meters,
            PortSettings settings,
            Callers callers,
            @Property(name = "endpoints.all.port", defaultValue = "8081") int managementPort) {
        this.replies = replies;
        this.meters = meters;
        this.settings = settings;
        this.managementPort = managementPort;
        this.connections = new Connections(settings, callers);
    }

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        NettyServerCustomizer.Registry registry = event.getBean();
        registry.register(new Pipeline(null));
        return registry;
    }

    Connections connections() {
        return connections;
    }

    /** Whether it was ever opened. */
    boolean served() {
        return !listeners.isEmpty();
    }

    /** Takes no more connections, and ends those that are there when they are answered. Returns how many had to be cut off. */
    int close(Duration patience) throws InterruptedException {
        for (Channel listener : listeners) {
            if (isPublic(listener)) {
                listener.close().awaitUninterruptibly();
            }
        }
        return connections.drain(patience);
    }

    private boolean isPublic(Channel channel) {
        return !(channel.localAddress() instanceof InetSocketAddress address && address.getPort() == managementPort);
    }

    private final class Pipeline implements NettyServerCustomizer {
        private final @Nullable Channel channel;

        private Pipeline(@Nullable Channel channel) {
            this.channel = channel;
        }

        @Override
        public NettyServerCustomizer specializeForChannel(Channel specific, ChannelRole role) {
            return switch (role) {
                case LISTENER -> {
                    listeners.add(specific);
                    yield this;
                }
                case CONNECTION -> new Pipeline(specific);
                default -> this;
            };
        }

        @Override
        public void onStreamPipelineBuilt() {
            Channel connected = channel;
            if (connected == null || !isPublic(connected)) {
                return;
            }
            ChannelPipeline pipeline = connected.pipeline();
            // The channel's initializer, which is running, removes itself.
            pipeline.toMap().values().stream()
                    .filter(handler -> !(handler instanceof ChannelInitializer<?>))
                    .forEach(pipeline::remove);
            connected.config().setAutoRead(true);
            connected.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES);
            var connection = new GuardedConnection(connections, replies.get(), meters.get(), settings);
            pipeline.addLast("connection", connection)
                    .addLast("decoder", new HttpRequestDecoder(decoding()))
                    .addLast("encoder", new HttpResponseEncoder())
                    .addLast("requests", new PublicRequests(connection, connections, replies.get()));
        }
    }

    private static HttpDecoderConfig decoding() {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(RequestForm.LINE_BYTES)
                .setMaxHeaderSize(RequestForm.HEADER_BYTES)
                .setMaxChunkSize(CHUNK_BYTES);
    }
}
