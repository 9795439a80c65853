package io.fundingobservatory.gateway.edge;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a connection for a failure that no handler before it took, also of a write. An internal error is logged in one line and counted.
 * What a client or the network causes is not, since any client could fill the log. Nor are writes that fail because this side ended it.
 */
final class UnhandledFailures extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(UnhandledFailures.class);

    private final BooleanSupplier ended;
    private final RefusalMeters meters;

    UnhandledFailures(BooleanSupplier ended, RefusalMeters meters) {
        this.ended = ended;
        this.meters = meters;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (ended.getAsBoolean() || !context.channel().isActive() || isOfTheConnection(cause)) {
            LOG.debug("connection ended cause={}", cause.toString());
        } else {
            LOG.warn("connection failed and is closed cause={}", cause.toString());
            meters.refused(RefusalReason.FAILED);
        }
        Future<?> _ = context.close();
    }

    /** Faults of TLS are {@link IOException}s as well, within that of the decoder. */
    private static boolean isOfTheConnection(Throwable cause) {
        Throwable origin = cause instanceof DecoderException ? cause.getCause() : cause;
        return origin instanceof IOException;
    }
}
