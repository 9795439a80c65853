package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.traffic.Address;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the HTTP decoder: bounds the number of connections, the time that a header, an answer and silence may take, and
 * the bytes that a header may hold. Everything in it happens on the connection's event loop.
 */
final class GuardedConnection extends ChannelInboundHandlerAdapter {
    /** The client gets this long to read the last answer: closing at once could tear it away. */
    private static final long LINGER_MS = 300;

    private final Connections connections;
    private final Replies replies;
    private final PublicMeters meters;
    private final PortSettings settings;
    private final HeaderBytes header = new HeaderBytes();
    private @Nullable ChannelHandlerContext context;
    private @Nullable Address peer;
    private @Nullable Future<?> watch;
    private boolean ended;
    private long heardNs = System.nanoTime();
    private long headerSinceNs;
    private int writing;
    private long written;
    private long writtenNs;

    GuardedConnection(Connections connections, Replies replies, PublicMeters meters, PortSettings settings) {
        this.connections = connections;
        this.replies = replies;
        this.meters = meters;
        this.settings = settings;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        this.context = context;
        if (context.channel().remoteAddress() instanceof InetSocketAddress address) {
            Address from = Address.of(address.getAddress());
            peer = from;
            switch (connections.opened(this, from)) {
                case YES -> {
                    long tick = settings.watchMs();
                    watch = context.executor()
                            .scheduleWithFixedDelay(() -> look(context), tick, tick, TimeUnit.MILLISECONDS);
                }
                case FULL -> refuse(503, Refusal.CONNECTIONS);
                case FULL_FOR_CLIENT -> refuse(429, Refusal.CLIENT_CONNECTIONS);
                case OVERRUN -> drop(Refusal.CONNECTIONS);
            }
            context.fireChannelActive();
        } else {
            Future<?> _ = context.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        Address from = peer;
        if (from != null) {
            connections.closed(this, from);
            peer = null;
        }
        Future<?> running = watch;
        if (running != null) {
            running.cancel(false);
        }
        context.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        heardNs = System.nanoTime();
        if (ended) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof ByteBuf bytes) {
            int headers = header.complete();
            boolean pending = header.pending();
            boolean wrong = bytes.forEachByte(header) >= 0;
            if (!pending || header.complete() != headers) {
                headerSinceNs = heardNs;
            }
            if (wrong) {
                bytes.release();
                refuse(400, Refusal.MALFORMED);
            } else {
                context.fireChannelRead(message);
            }
        }
    }

    /** A client that asks on without reading its answers is not heard until it has read them. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.channel().config().setAutoRead(context.channel().isWritable());
        context.fireChannelWritabilityChanged();
    }

    private void look(ChannelHandlerContext context) {
        long now = System.nanoTime();
        ChannelOutboundBuffer outbound = context.channel().unsafe().outboundBuffer();
        Object current = outbound == null ? null : outbound.current();
        if (current != null && outbound != null) {
            long progress = outbound.currentProgress();
            if (System.identityHashCode(current) != writing || progress != written) {
                writing = System.identityHashCode(current);
                written = progress;
                writtenNs = now;
            } else if (now - writtenNs >= settings.stalledTimeout().toNanos()) {
                drop(Refusal.STALLED);
            }
            heardNs = now;
            return;
        }
        writing = 0;
        if (header.pending()) {
            if (now - headerSinceNs >= settings.headerTimeout().toNanos()) {
                refuse(400, Refusal.SLOW_HEADER);
            }
        } else if (now - heardNs >= settings.idleTimeout().toNanos()) {
            drop(Refusal.IDLE);
        }
    }

    private void drop(Refusal why) {
        meters.refused(why);
        ended = true;
        if (context != null) {
            Future<?> _ = context.close();
        }
    }

    /** Answers without the decoder and closes; whatever still comes is not read any more. */
    void refuse(int status, Refusal why) {
        if (!ended && context != null) {
            meters.refused(why);
            // What becomes of it is nothing that anybody waits for: the connection ends either way.
            endAfter(context.writeAndFlush(replies.lastWords(status, peer)));
        }
    }

    /** Lets nothing more in and closes when this is written. */
    void endAfter(ChannelFuture last) {
        ended = true;
        ChannelHandlerContext here = context;
        if (here != null) {
            Future<?> _ = last.addListener(written -> halfClose(here));
        }
    }

    private static void halfClose(ChannelHandlerContext context) {
        if (context.channel() instanceof DuplexChannel channel && channel.isActive()) {
            Future<?> _ = channel.shutdownOutput();
        }
        Runnable close = () -> {
            Future<?> _ = context.close();
        };
        Future<?> _ = context.executor().schedule(close, LINGER_MS, TimeUnit.MILLISECONDS);
    }

    /** From any thread: ends this connection when what was asked on it is answered. */
    void drain() {
        ChannelHandlerContext here = context;
        if (here != null) {
            here.executor().execute(() -> {
                if (!ended && !header.pending()) {
                    endAfter(here.writeAndFlush(Unpooled.EMPTY_BUFFER));
                }
            });
        }
    }

    /** Whether nothing that comes is to be answered any more. */
    boolean ended() {
        return ended;
    }

    @Nullable
    Address peer() {
        return peer;
    }
}
