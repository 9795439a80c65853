package io.fundingobservatory.gateway.edge;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.Future;

/** Follows the frames that an HTTP/2 connection sends, next to its codec, and reports the bytes of DATA by stream (RFC 9113 §4.1). */
final class Http2DataFrames extends ChannelOutboundHandlerAdapter {
    private static final int HEADER_BYTES = 9;
    private static final int TYPE_AT = 3;
    private static final int STREAM_AT = 5;
    private static final byte DATA = 0;

    private final Http2Streams streams;
    private int payloadLeft;

    Http2DataFrames(Http2Streams streams) {
        this.streams = streams;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf bytes) {
            follow(bytes);
        }
        Future<?> _ = context.write(message, promise);
    }

    /** A buffer holds a header, a payload or whole frames; no header is divided between two. */
    private void follow(ByteBuf bytes) {
        int at = bytes.readerIndex();
        while (at < bytes.writerIndex()) {
            if (payloadLeft > 0) {
                int here = Math.min(payloadLeft, bytes.writerIndex() - at);
                payloadLeft -= here;
                at += here;
            } else if (bytes.writerIndex() - at < HEADER_BYTES) {
                return;
            } else {
                payloadLeft = bytes.getUnsignedMedium(at);
                if (bytes.getByte(at + TYPE_AT) == DATA) {
                    streams.sent(bytes.getInt(at + STREAM_AT) & Integer.MAX_VALUE, payloadLeft);
                }
                at += HEADER_BYTES;
            }
        }
    }
}
