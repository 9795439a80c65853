package io.fundingobservatory.gateway.edge;

import io.fundingobservatory.gateway.settings.PortSettings;
import io.fundingobservatory.gateway.traffic.Address;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.runtime.graceful.GracefulShutdownCapable;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The first handler of a connection, next to the socket, on its event loop. It limits how many there are and how slowly a response is read.
 * It closes one only when everything written has been sent ({@link ConnectionState}). Under TLS it sees encrypted bytes.
 */
final class ConnectionGuard extends ChannelDuplexHandler {
    /** The client gets this long to read the last response: a reset would tear it away. */
    private static final long LINGER_MS = 300;

    private static final long SLOW_LEAST_MS = 750;
    private static final long SLOW_MOST_MS = 1_000;

    private final OpenConnections connections;
    private final RefusalMeters meters;
    private final PortSettings settings;
    private final boolean tlsOnly;
    private final ReadingProgress progress;
    private OpenConnections.@Nullable Room room;
    private @Nullable Address peer;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Http2Streams streams;
    private ConnectionState state = ConnectionState.SERVING;
    private boolean watching;

    ConnectionGuard(OpenConnections connections, RefusalMeters meters, PortSettings settings, boolean tlsOnly) {
        this.tlsOnly = tlsOnly;
        this.connections = connections;
        this.meters = meters;
        this.settings = settings;
        this.progress = new ReadingProgress(settings);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        this.context = context;
        if (!(context.channel().remoteAddress() instanceof InetSocketAddress address)) {
            Future<?> _ = context.close();
            return;
        }
        Address from = Address.of(address.getAddress());
        peer = from;
        OpenConnections.Room found = connections.opened(from);
        room = found;
        RefusalReason reason = refusal();
        // A handshake costs more than the connection is worth that is refused after it.
        boolean tls = context.pipeline().get(SslHandler.class) != null;
        if (tlsOnly && !tls) {
            // No certificate could be loaded: the framework would go on without.
            drop(context, RefusalReason.FAILED);
        } else if (reason != null && (tls || found == OpenConnections.Room.OVERRUN)) {
            drop(context, reason);
        }
        context.fireChannelActive();
    }

    /** Why this connection is not served; null when it is. */
    @Nullable
    RefusalReason refusal() {
        return switch (room) {
            case FULL, OVERRUN -> RefusalReason.CONNECTIONS;
            case FULL_FOR_CLIENT -> RefusalReason.CLIENT_CONNECTIONS;
            case YES -> null;
            case null -> null;
        };
    }

    /** Whether this side has ended the connection: what is written from now on is not sent. */
    boolean ended() {
        return state instanceof ConnectionState.Ending;
    }

    /** A refused client is read again within a second; its connections not all at once, which other clients would notice. */
    void slowDown() {
        if (state instanceof ConnectionState.Serving) {
            long ms = ThreadLocalRandom.current().nextLong(SLOW_LEAST_MS, SLOW_MOST_MS);
            state = new ConnectionState.Slowed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms));
        }
    }

    /** How long nothing is to be read, ms; 0 when it may. */
    long slowMs() {
        if (!(state instanceof ConnectionState.Slowed(long untilNs))) {
            return 0;
        }
        long leftNs = untilNs - System.nanoTime();
        if (leftNs <= 0) {
            state = ConnectionState.SERVING;
        }
        return Math.max(0, Math.ceilDiv(leftNs, 1_000_000L));
    }

    @Override
    public void read(ChannelHandlerContext context) {
        long waitMs = slowMs();
        if (waitMs == 0) {
            context.read();
        } else {
            Runnable later = context::read;
            Future<?> _ = context.executor().schedule(later, waitMs, TimeUnit.MILLISECONDS);
        }
    }

    /** HTTP/2 was negotiated: its streams are judged as well, and its own frames do not count as requests. */
    void http2(Http2Streams negotiated) {
        streams = negotiated;
        ChannelHandlerContext here = context;
        if (here != null) {
            watchIdle(here, settings.idleTimeout().toNanos());
        }
    }

    /** One timer for each time that the connection may be idle. */
    private void watchIdle(ChannelHandlerContext context, long afterNs) {
        Future<?> _ = context.executor().schedule(() -> checkIdle(context), afterNs, TimeUnit.NANOSECONDS);
    }

    private void checkIdle(ChannelHandlerContext context) {
        Http2Streams http2 = streams;
        if (http2 == null || ended() || !context.channel().isActive()) {
            return;
        }
        long leftNs = settings.idleTimeout().toNanos() - http2.silentNs();
        if (leftNs <= 0) {
            drop(context, RefusalReason.IDLE);
        } else {
            watchIdle(context, leftNs);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        Address from = peer;
        OpenConnections.Room found = room;
        if (from != null && found != null) {
            connections.closed(from, found);
            peer = null;
        }
        context.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (ended()) {
            ReferenceCountUtil.release(message);
        } else {
            context.fireChannelRead(message);
        }
    }

    /** What is written behind the last response, as to a request that came after it, could not be sent any more. */
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (ended()) {
            ReferenceCountUtil.release(message);
            promise.trySuccess();
            return;
        }
        if (message instanceof ByteBuf bytes) {
            progress.written(bytes.readableBytes());
            watch(context);
        }
        Future<?> _ = context.write(message, promise);
    }

    private void watch(ChannelHandlerContext context) {
        if (!watching) {
            watching = true;
            Future<?> _ = context.executor().schedule(() -> check(context), settings.watchMs(), TimeUnit.MILLISECONDS);
        }
    }

    private void check(ChannelHandlerContext context) {
        watching = false;
        long nowNs = System.nanoTime();
        Http2Streams http2 = streams;
        RefusalReason reason = progress.check(context.channel(), nowNs);
        if (reason == null && http2 != null && !ended()) {
            reason = http2.check(nowNs);
        }
        if (reason != null) {
            drop(context, reason);
        } else if (context.channel().isActive() && (progress.waiting() || (http2 != null && http2.waiting()))) {
            watch(context);
        }
    }

    private void drop(ChannelHandlerContext context, RefusalReason why) {
        meters.refused(why);
        end();
        Future<?> _ = context.close();
    }

    /** Closes when what was written has been sent; what still comes is read and dropped, so that nothing resets the connection. */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (!context.channel().isActive()) {
            Future<?> _ = context.close(promise);
            return;
        }
        Future<?> _ = context.channel().closeFuture().addListener(closed -> promise.trySuccess());
        if (!ended()) {
            end();
            Future<?> _ = context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> halfClose(context));
            context.channel().config().setAutoRead(true);
        }
    }

    private void end() {
        state = switch (state) {
            case ConnectionState.InputEnded _ -> new ConnectionState.Ending(true);
            case ConnectionState.Ending ending -> ending;
            case ConnectionState.Serving _, ConnectionState.Slowed _ -> new ConnectionState.Ending(false);
        };
    }

    private void halfClose(ChannelHandlerContext context) {
        boolean inputEnded = state instanceof ConnectionState.Ending(boolean ended) && ended;
        if (inputEnded || !(context.channel() instanceof DuplexChannel channel) || !channel.isActive()) {
            Future<?> _ = context.close();
            return;
        }
        Future<?> _ = channel.shutdownOutput();
        Runnable close = () -> {
            Future<?> _ = context.close();
        };
        Future<?> _ = context.executor().schedule(close, LINGER_MS, TimeUnit.MILLISECONDS);
    }

    /** A client that has said all it wanted still gets its responses. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            switch (state) {
                case ConnectionState.Serving _, ConnectionState.Slowed _ -> {
                    state = new ConnectionState.InputEnded();
                    respondToTheRest(context);
                }
                case ConnectionState.Ending(boolean inputEnded)
                when !inputEnded -> {
                    state = new ConnectionState.Ending(true);
                    // What was written is still being sent.
                    Future<?> _ = context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> {
                        Future<?> _ = context.close();
                    });
                }
                case ConnectionState.InputEnded _, ConnectionState.Ending _ -> {}
            }
        }
        context.fireUserEventTriggered(event);
    }

    private static void respondToTheRest(ChannelHandlerContext context) {
        // The framework's handler of HTTP/1 requests, which knows the requests without a response.
        if (context.pipeline().get(ChannelPipelineCustomizer.HANDLER_MICRONAUT_INBOUND)
                instanceof GracefulShutdownCapable responding) {
            CompletionStage<?> _ = responding.shutdownGracefully();
        } else {
            Future<?> _ = context.channel().close();
        }
    }
}
