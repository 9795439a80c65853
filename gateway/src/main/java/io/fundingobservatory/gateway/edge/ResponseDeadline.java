package io.fundingobservatory.gateway.edge;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time in which a client reads a whole response, from its first byte on. It also ends the connection for failures that no handler before
 * it took. The framework's own handler, which is next, would log them with a trace and leave the connection open.
 */
final class ResponseDeadline extends ChannelDuplexHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseDeadline.class);

    private final long deadlineMs;
    private final RefusalMeters meters;
    private int pending;
    private @Nullable Future<?> running;

    ResponseDeadline(Duration deadline, RefusalMeters meters) {
        this.deadlineMs = deadline.toMillis();
        this.meters = meters;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse) {
            pending++;
            if (running == null) {
                start(context);
            }
        }
        if (message instanceof LastHttpContent) {
            Future<?> _ = context.write(message, promise.unvoid()).addListener(sent -> {
                stop();
                if (--pending > 0 && context.channel().isActive()) {
                    start(context);
                }
            });
        } else {
            Future<?> _ = context.write(message, promise);
        }
    }

    private void start(ChannelHandlerContext context) {
        running = context.executor().schedule(() -> late(context), deadlineMs, TimeUnit.MILLISECONDS);
    }

    private void stop() {
        Future<?> timer = running;
        if (timer != null) {
            timer.cancel(false);
            running = null;
        }
    }

    private void late(ChannelHandlerContext context) {
        running = null;
        if (context.channel().isActive()) {
            meters.refused(RefusalMeters.Reason.SLOW_READER);
            // Past the handler that would wait until everything is sent.
            Future<?> _ = context.pipeline().firstContext().close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        stop();
        context.fireChannelInactive();
    }

    /** An internal error is logged and counted. What a client or the network causes is not, since any client could fill the log. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!context.channel().isActive() || isOfTheConnection(cause)) {
            LOG.debug("connection ended cause={}", cause.toString());
        } else {
            LOG.warn("connection failed and is closed cause={}", cause.toString());
            meters.refused(RefusalMeters.Reason.FAILED);
        }
        Future<?> _ = context.close();
    }

    /**
     * Faults of TLS are {@link IOException}s as well, within that of the decoder. The framework throws where a client has over 128
     * requests without a response on a connection.
     */
    private static boolean isOfTheConnection(Throwable cause) {
        Throwable origin = cause instanceof DecoderException ? cause.getCause() : cause;
        return origin instanceof IOException
                || (origin instanceof IllegalStateException && origin.toString().contains("maxPipelineDepth"));
    }
}
