package io.fundingobservatory.gateway.edge;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time for a whole request, from its first byte on; a connection that takes longer is closed. It precedes the HTTP codec and sees first
 * bytes. {@link #whole} follows the codec and sees whole requests.
 */
final class RequestDeadline extends ChannelInboundHandlerAdapter {
    private final long deadlineMs;
    private final RefusalMeters meters;
    private @Nullable Future<?> running;

    RequestDeadline(Duration deadline, RefusalMeters meters) {
        this.deadlineMs = deadline.toMillis();
        this.meters = meters;
    }

    /** The handler after the codec. */
    ChannelHandler whole() {
        return new Whole();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (running == null) {
            running = context.executor().schedule(() -> late(context), deadlineMs, TimeUnit.MILLISECONDS);
        }
        context.fireChannelRead(message);
    }

    private void late(ChannelHandlerContext context) {
        if (context.channel().isActive()) {
            meters.refused(RefusalMeters.Reason.SLOW_REQUEST);
            Future<?> _ = context.close();
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
    public void channelInactive(ChannelHandlerContext context) {
        stop();
        context.fireChannelInactive();
    }

    private final class Whole extends ChannelInboundHandlerAdapter {
        /**
         * A HEAD that cannot be decoded gets the same response as a GET: the framework makes an error body for other methods alone. A header
         * that ends with its connection is dropped: nobody reads a response to it, and leaving is not malformed.
         */
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request
                    && request.decoderResult().isFailure()) {
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
}
