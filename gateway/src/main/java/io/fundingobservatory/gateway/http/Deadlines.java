package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection whose client does not send a whole request in time, from its first byte on. It closes one too whose client does not
 * read a whole response in time, from when it is written. It also ends the connection for failures that no handler before it took. The
 * framework's own handler, which is next, would log them with a trace and leave the connection open.
 */
final class Deadlines extends ChannelDuplexHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);

    private final GatewaySettings.Port settings;
    private final PortMeters meters;
    private @Nullable Future<?> request;
    private @Nullable Future<?> response;

    Deadlines(GatewaySettings.Port settings, PortMeters meters) {
        this.settings = settings;
        this.meters = meters;
    }

    /** The handler before the HTTP codec, which sees first bytes. */
    ChannelHandler firstByte() {
        return new FirstByte();
    }

    private final class FirstByte extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (request == null) {
                request = start(context, settings.requestDeadline(), PortMeters.Reason.SLOW_REQUEST);
            }
            context.fireChannelRead(message);
        }
    }

    private Future<?> start(ChannelHandlerContext context, Duration deadline, PortMeters.Reason reason) {
        Runnable late = () -> {
            if (context.channel().isActive()) {
                meters.refused(reason);
                // Past the handler that would wait until everything is sent.
                Future<?> _ = context.pipeline().firstContext().close();
            }
        };
        return context.executor().schedule(late, deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * A HEAD that cannot be decoded gets the same response as a GET: the framework makes an error body for other methods alone. A header
     * that ends with its connection is dropped: nobody reads a response to it, and leaving is not malformed.
     */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        boolean failed =
                message instanceof HttpRequest head && head.decoderResult().isFailure();
        if (failed || message instanceof LastHttpContent) {
            requestEnds();
        }
        if (failed && message instanceof HttpRequest head) {
            if (head.decoderResult().cause() instanceof PrematureChannelClosureException) {
                ReferenceCountUtil.release(message);
                return;
            }
            if (head.method().equals(HttpMethod.HEAD)) {
                head.setMethod(HttpMethod.GET);
            }
        }
        context.fireChannelRead(message);
    }

    private void requestEnds() {
        Future<?> timer = request;
        if (timer != null) {
            timer.cancel(false);
            request = null;
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        requestEnds();
        Future<?> timer = response;
        if (timer != null) {
            timer.cancel(false);
        }
        context.fireChannelInactive();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse) {
            response = start(context, settings.responseDeadline(), PortMeters.Reason.SLOW_READER);
        }
        Future<?> timer = response;
        Future<?> _ = message instanceof LastHttpContent && timer != null
                ? context.write(message, promise.unvoid()).addListener(sent -> timer.cancel(false))
                : context.write(message, promise);
    }

    /** An internal error is logged and counted. What a client or the network causes is not, since any client could fill the log. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!context.channel().isActive() || isOfTheConnection(cause)) {
            LOG.debug("connection ended cause={}", cause.toString());
        } else {
            LOG.warn("connection failed and is closed cause={}", cause.toString());
            meters.refused(PortMeters.Reason.FAILED);
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
