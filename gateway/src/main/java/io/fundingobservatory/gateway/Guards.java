package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.traffic.Callers;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Puts the guards around the HTTP decoder of every connection. */
@Singleton
final class Guards implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
    private final BeanProvider<Replies> replies;
    private final PortSettings settings;
    private final Connections connections;

    Guards(BeanProvider<Replies> replies, PortSettings settings, Callers callers) {
        this.replies = replies;
        this.settings = settings;
        this.connections = new Connections(settings, callers);
    }

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        NettyServerCustomizer.Registry registry = event.getBean();
        registry.register(new Around(null));
        return registry;
    }

    private final class Around implements NettyServerCustomizer {
        private final @Nullable Channel channel;

        private Around(@Nullable Channel channel) {
            this.channel = channel;
        }

        @Override
        public NettyServerCustomizer specializeForChannel(Channel specific, ChannelRole role) {
            return role == ChannelRole.CONNECTION ? new Around(specific) : this;
        }

        @Override
        public void onInitialPipelineBuilt() {
            Channel guarded = channel;
            if (guarded == null) {
                return;
            }
            ChannelPipeline pipeline = guarded.pipeline();
            var connection = new GuardedConnection(
                    connections, replies.get(), settings.headerTimeout().toMillis());
            pipeline.addFirst("guarded-connection", connection);
            if (pipeline.get(ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC) != null) {
                pipeline.addAfter(
                        ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC,
                        "guarded-requests",
                        new GuardedRequests(connection));
            }
        }
    }
}
