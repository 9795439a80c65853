package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts the connections of the public port, in all and by network. A connection beyond the bounds is closed at once. Trusted proxies carry
 * many clients: they count in all alone.
 */
@Singleton
final class ConnectionLimit {
    /** The client gets this long to read the last response: a reset would tear it away. */
    private static final long LINGER_MS = 300;

    private final GatewaySettings.Port settings;
    private final ClientAddresses clients;
    private final PortMeters meters;
    private final AtomicInteger open = new AtomicInteger();
    private final Map<Address, Integer> byNetwork = new ConcurrentHashMap<>();

    ConnectionLimit(GatewaySettings.Port settings, ClientAddresses clients, PortMeters meters, MeterRegistry registry) {
        this.settings = settings;
        this.clients = clients;
        this.meters = meters;
        Gauge.builder("observatory.gateway.connections", open, AtomicInteger::get)
                .description("open connections of the public port")
                .register(registry);
    }

    /** The first handler of a connection, next to the socket. */
    ChannelHandler handler() {
        return new Handler();
    }

    /** Counts one more; null where it may stay. It is to be uncounted whatever the result. */
    private PortMeters.@Nullable Reason opened(Address peer) {
        boolean full = open.incrementAndGet() > settings.connections();
        boolean crowded = false;
        int allowed = settings.clientConnections();
        for (Address network : peer.networks()) {
            crowded |= byNetwork.merge(network, 1, Integer::sum) > allowed;
            allowed *= Address.TIMES_WIDER;
        }
        if (crowded && !clients.trusts(peer)) {
            return PortMeters.Reason.CLIENT_CONNECTIONS;
        }
        return full ? PortMeters.Reason.CONNECTIONS : null;
    }

    private void closed(Address peer) {
        open.decrementAndGet();
        for (Address network : peer.networks()) {
            byNetwork.computeIfPresent(network, (key, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Closes without tearing away what was written last: input that is still unread would reset the connection. */
    private final class Handler extends ChannelDuplexHandler {
        private @Nullable Address peer;
        private boolean ending;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            if (!(context.channel().remoteAddress() instanceof InetSocketAddress address)) {
                Future<?> _ = context.close();
                return;
            }
            Address from = Address.of(address.getAddress());
            peer = from;
            PortMeters.Reason reason = opened(from);
            if (reason != null) {
                meters.refused(reason);
                ending = true;
                Future<?> _ = context.close();
                return;
            }
            context.fireChannelActive();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            Address from = peer;
            if (from != null) {
                closed(from);
                peer = null;
            }
            context.fireChannelInactive();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (ending) {
                ReferenceCountUtil.release(message);
            } else {
                context.fireChannelRead(message);
            }
        }

        @Override
        public void close(ChannelHandlerContext context, ChannelPromise promise) {
            Channel channel = context.channel();
            if (ending || !channel.isActive()) {
                Future<?> _ = context.close(promise);
                return;
            }
            ending = true;
            Future<?> _ = channel.closeFuture().addListener(closed -> promise.trySuccess());
            Future<?> _ = context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> {
                if (channel instanceof DuplexChannel duplex) {
                    Future<?> _ = duplex.shutdownOutput();
                }
                // Input is read to its end or until then; the client closes its side first, as a rule.
                channel.config().setAutoRead(true);
                Runnable end = () -> {
                    Future<?> _ = context.close();
                };
                Future<?> _ = context.executor().schedule(end, LINGER_MS, TimeUnit.MILLISECONDS);
            });
        }
    }
}
