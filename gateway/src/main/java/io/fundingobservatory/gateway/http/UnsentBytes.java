package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.coding.Segment;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes that were written to connections of the public port and not yet taken by their sockets. Bytes that responses share count
 * once for each reader.
 */
@Singleton
@ChannelHandler.Sharable
final class UnsentBytes extends ChannelOutboundHandlerAdapter {
    private static final long MB = 1 << 20;

    /** Above this, plain lists are refused: 11 MB each, of which each reader may hold another snapshot's. */
    static final long NO_PLAIN_LISTS = 48 * MB;

    /** Above this, everything is refused that is not tiny; prepared gzip lists are not, for all their readers share one buffer. */
    static final long PREPARED_ALONE = 64 * MB;

    private static final long PLAIN_LIST = MB;
    private static final long TINY = 16 << 10;

    private final AtomicLong unsent = new AtomicLong();

    UnsentBytes(MeterRegistry meters) {
        Gauge.builder("observatory.gateway.unsent.bytes", unsent, AtomicLong::get)
                .description("bytes that sockets have not taken yet; shared ones count once for each reader")
                .baseUnit("bytes")
                .register(meters);
        Gauge.builder(
                        "observatory.gateway.answers.bytes",
                        () -> Segment.ALLOCATOR.metric().usedDirectMemory())
                .description("memory outside the heap that bodies take")
                .baseUnit("bytes")
                .register(meters);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        int bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
        if (bytes == 0) {
            Future<?> _ = context.write(message, promise);
            return;
        }
        unsent.addAndGet(bytes);
        Future<?> _ = context.write(message, promise.unvoid()).addListener(sent -> unsent.addAndGet(-bytes));
    }

    /**
     * Whether there is room for a body of so many bytes.
     *
     * @param packed whether it is in a content coding
     * @param prepared whether it is one prepared buffer that all readers share
     */
    boolean permits(long bytes, boolean packed, boolean prepared) {
        long now = unsent.get();
        return !(now > NO_PLAIN_LISTS && !packed && bytes > PLAIN_LIST)
                && !(now > PREPARED_ALONE && bytes > TINY && !(packed && prepared));
    }
}
