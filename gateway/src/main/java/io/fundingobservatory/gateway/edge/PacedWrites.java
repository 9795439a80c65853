package io.fundingobservatory.gateway.edge;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Stands between TLS and HTTP/1 and hands on as much of an answer as the socket takes. TLS encrypts at once whatever it is given: the
 * plain list would become 3 to 7 MB of a connection's own, which no bound on answers counts, instead of the one copy that all share.
 */
final class PacedWrites extends ChannelDuplexHandler {
    /** What is encrypted at a time: four records of TLS, and as much as the channel holds before it is no longer writable. */
    static final int SLICE_BYTES = 64 << 10;

    private final Queue<Write> waiting = new ArrayDeque<>();
    private @Nullable ChannelPromise closing;
    private boolean handingOn;
    private boolean ended;

    private record Write(Object message, ChannelPromise promise) {}

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (ended) {
            ReferenceCountUtil.release(message);
            promise.tryFailure(new ClosedChannelException());
        } else {
            waiting.add(new Write(message, promise));
        }
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        handOn(context);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        handOn(context);
        context.fireChannelWritabilityChanged();
    }

    /** A flush that finds the channel writable again calls back into this. */
    private void handOn(ChannelHandlerContext context) {
        if (handingOn) {
            return;
        }
        handingOn = true;
        try {
            for (Write next = waiting.peek(); next != null && context.channel().isWritable(); next = waiting.peek()) {
                handOn(context, next);
                context.flush();
            }
        } finally {
            handingOn = false;
        }
        context.flush();
        ChannelPromise close = closing;
        if (close != null && waiting.isEmpty()) {
            closing = null;
            Future<?> _ = context.close(close);
        }
    }

    private void handOn(ChannelHandlerContext context, Write next) {
        if (next.message() instanceof ByteBuf bytes && bytes.readableBytes() > SLICE_BYTES) {
            Future<?> _ = context.write(bytes.readRetainedSlice(SLICE_BYTES));
        } else {
            waiting.remove();
            Future<?> _ = context.write(next.message(), next.promise());
        }
    }

    /** What was written before is sent before. */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (waiting.isEmpty() || !context.channel().isActive()) {
            Future<?> _ = context.close(promise);
        } else {
            closing = promise;
            handOn(context);
        }
    }

    /** The client has closed its side of TLS, and nothing can be encrypted for it any more. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslCloseCompletionEvent) {
            end();
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        end();
    }

    private void end() {
        ended = true;
        for (Write next = waiting.poll(); next != null; next = waiting.poll()) {
            ReferenceCountUtil.release(next.message());
            next.promise().tryFailure(new ClosedChannelException());
        }
        ChannelPromise close = closing;
        if (close != null) {
            closing = null;
            close.trySuccess();
        }
    }
}
