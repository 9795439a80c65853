package io.fundingobservatory.gateway.edge;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time for a whole request, from its first byte on. It follows the HTTP codec and sees whole requests; {@link #bytes} precedes the codec
 * and sees first bytes. A late request is handed on as one that could not be decoded, so the framework responds in turn and closes.
 */
final class RequestDeadline extends ChannelInboundHandlerAdapter {
    private final long deadlineMs;
    private final Bytes bytes = new Bytes();
    private @Nullable Future<?> running;
    private @Nullable ChannelHandlerContext context;
    private boolean ended;

    /** The request did not arrive in time. */
    static final class Late extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Late() {
            super("the request did not arrive in time", null, false, false);
        }
    }

    RequestDeadline(Duration deadline) {
        this.deadlineMs = deadline.toMillis();
    }

    /** The handler before the codec. */
    ChannelHandler bytes() {
        return bytes;
    }

    private final class Bytes extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext before, Object message) {
            if (ended) {
                ReferenceCountUtil.release(message);
                return;
            }
            if (running == null) {
                running = before.executor().schedule(RequestDeadline.this::late, deadlineMs, TimeUnit.MILLISECONDS);
            }
            before.fireChannelRead(message);
        }
    }

    private void late() {
        ChannelHandlerContext here = context;
        running = null;
        if (here != null && here.channel().isActive()) {
            ended = true;
            var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/", Unpooled.EMPTY_BUFFER);
            request.setDecoderResult(DecoderResult.failure(new Late()));
            here.fireChannelRead(request);
            here.fireChannelReadComplete();
        }
    }

    private void stop() {
        Future<?> timer = running;
        if (timer != null) {
            timer.cancel(false);
            running = null;
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        this.context = context;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended = true;
        stop();
        context.fireChannelInactive();
    }

    /**
     * A HEAD that cannot be decoded gets the same response as a GET: the framework makes an error body for other methods alone. A header that
     * ends with its connection is dropped: nobody reads a response to it, and leaving is not malformed.
     */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request && request.decoderResult().isFailure()) {
            stop();
            if (request.decoderResult().cause() instanceof PrematureChannelClosureException) {
                ReferenceCountUtil.release(message);
                return;
            }
            if (request.method().equals(HttpMethod.HEAD)) {
                request.setMethod(HttpMethod.GET);
            }
        } else if (message instanceof LastHttpContent) {
            stop();
        }
        context.fireChannelRead(message);
    }
}
