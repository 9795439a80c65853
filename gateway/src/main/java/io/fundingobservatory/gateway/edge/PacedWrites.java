package io.fundingobservatory.gateway.edge;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.stream.ChunkedInput;
import io.netty.handler.stream.ChunkedWriteHandler;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

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
        Object paced =
                message instanceof ByteBuf bytes && bytes.readableBytes() > SLICE_BYTES ? new Slices(bytes) : message;
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

    /** A buffer in slices, which it keeps until the last of them is sent. */
    private static final class Slices implements ChunkedInput<ByteBuf> {
        private final ByteBuf bytes;
        private final int length;
        private boolean closed;

        private Slices(ByteBuf bytes) {
            this.bytes = bytes;
            this.length = bytes.readableBytes();
        }

        @Override
        public boolean isEndOfInput() {
            return closed || !bytes.isReadable();
        }

        @Override
        public @Nullable ByteBuf readChunk(ByteBufAllocator allocator) {
            return closed ? null : bytes.readRetainedSlice(Math.min(SLICE_BYTES, bytes.readableBytes()));
        }

        @Override
        @SuppressWarnings("deprecation") // the interface still has it
        public @Nullable ByteBuf readChunk(ChannelHandlerContext context) {
            return readChunk(context.alloc());
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public long progress() {
            return closed ? length : length - bytes.readableBytes();
        }

        /** A failed write closes it before it is at its end, and the handler may come back to it. */
        @Override
        public void close() {
            if (!closed) {
                closed = true;
                bytes.release();
            }
        }
    }
}
