package io.fundingobservatory.gateway.port;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last handler of a connection: a failure that no other one took is told in one line, and ends the connection. Once this side has
 * ended it, every write that still waited fails, and over HTTP/2 each stream has some: that is told by the reason of the end.
 */
final class UnhandledFailures extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(UnhandledFailures.class);

    private final BooleanSupplier ended;
    private final RefusalMeters meters;

    /**
     * The end of one pipeline.
     *
     * @param ended whether this side has ended the connection
     */
    UnhandledFailures(BooleanSupplier ended, RefusalMeters meters) {
        this.ended = ended;
        this.meters = meters;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (ended.getAsBoolean() || !context.channel().isActive()) {
            LOG.debug("written after the end of the connection cause={}", cause.toString());
            return;
        }
        LOG.warn("connection failed and is closed cause={}", cause.toString());
        meters.refused(RefusalReason.FAILED);
        Future<?> _ = context.close();
    }
}
