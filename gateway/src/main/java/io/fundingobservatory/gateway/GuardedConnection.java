package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.traffic.Address;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Stands before the HTTP decoder: bounds the number of connections, the time a header takes, and the bytes it may hold. */
final class GuardedConnection extends ChannelInboundHandlerAdapter {
    /** The client gets this long to read the refusal: closing at once could tear it away. */
    private static final long LINGER_MS = 300;

    private final Connections connections;
    private final Replies replies;
    private final long headerTimeoutMs;
    private final HeaderBytes header = new HeaderBytes();
    private @Nullable Address peer;
    private @Nullable Future<?> deadline;
    private boolean refused;

    GuardedConnection(Connections connections, Replies replies, long headerTimeoutMs) {
        this.connections = connections;
        this.replies = replies;
        this.headerTimeoutMs = headerTimeoutMs;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (context.channel().remoteAddress() instanceof InetSocketAddress address) {
            Address from = Address.of(address.getAddress());
            peer = from;
            if (!connections.opened(from)) {
                Future<?> _ = context.close();
            }
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        Address from = peer;
        if (from != null) {
            connections.closed(from);
            peer = null;
        }
        await(context, false);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (refused) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof ByteBuf bytes && bytes.forEachByte(header) >= 0) {
            bytes.release();
            refuse(context, 400);
        } else {
            await(context, header.pending());
            context.fireChannelRead(message);
        }
    }

    private void await(ChannelHandlerContext context, boolean pending) {
        Future<?> running = deadline;
        if (pending && running == null) {
            deadline = context.executor().schedule(() -> refuse(context, 400), headerTimeoutMs, TimeUnit.MILLISECONDS);
        } else if (!pending && running != null) {
            running.cancel(false);
            deadline = null;
        }
    }

    /** Answers without the decoder and closes; whatever still comes is not read any more. */
    void refuse(ChannelHandlerContext context, int status) {
        if (refused) {
            return;
        }
        refused = true;
        await(context, false);
        // What becomes of these is nothing that anybody waits for: the connection ends either way.
        Future<?> _ = context.writeAndFlush(replies.lastWords(status)).addListener(written -> halfClose(context));
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

    boolean refused() {
        return refused;
    }
}
