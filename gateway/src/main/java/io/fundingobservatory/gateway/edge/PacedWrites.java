package io.fundingobservatory.gateway.edge;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.stream.ChunkedStream;
import io.netty.handler.stream.ChunkedWriteHandler;
import java.util.concurrent.Future;

/**
 * Netty's chunked writes between TLS and HTTP/1: hands on as much of a response as the socket takes. TLS
 * encrypts all its input at once. A plain list would become 3 to 7 MB of each connection's own, outside every
 * limit, instead of the buffers that all share. A close waits for everything written before it, because the
 * framework closes as soon as it has handed on the last response.
 */
final class PacedWrites extends ChunkedWriteHandler {
    /** What is encrypted at a time: four records of TLS, and as much as the channel holds before it is no longer writable. */
    static final int SLICE_BYTES = 64 << 10;

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        Object paced = message instanceof ByteBuf bytes && bytes.readableBytes() > SLICE_BYTES
                ? new ChunkedStream(new ByteBufInputStream(bytes, true), SLICE_BYTES)
                : message;
        super.write(context, paced, promise);
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) throws Exception {
        if (!context.channel().isActive()) {
            Future<?> _ = context.close(promise);
            return;
        }
        ChannelPromise last = context.newPromise();
        Future<?> _ = last.addListener(sent -> {
            Future<?> _ = context.close(promise);
        });
        super.write(context, Unpooled.EMPTY_BUFFER, last);
        flush(context);
    }
}
