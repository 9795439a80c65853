package io.fundingobservatory.gateway.edge;

import io.fundingobservatory.gateway.settings.PortSettings;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Judges the streams of an HTTP/2 connection by the DATA that each takes while its response waits for the client. Those that wait share the
 * least rate. Two slow streams are reset; the third ends the connection. Its event loop uses this.
 */
final class Http2Streams extends Http2ConnectionAdapter {
    private static final int RESETS_MOST = 2;

    private final Http2ConnectionHandler handler;
    private final ChannelHandlerContext context;
    private final Http2Connection connection;
    private final PortSettings settings;
    private final RefusalMeters meters;
    private final Map<Integer, ReadingProgress> progress = new HashMap<>();
    private long changedNs = System.nanoTime();
    private int resets;
    private boolean waiting;

    Http2Streams(
            Http2ConnectionHandler handler,
            ChannelHandlerContext context,
            PortSettings settings,
            RefusalMeters meters) {
        this.handler = handler;
        this.context = context;
        this.connection = handler.connection();
        this.settings = settings;
        this.meters = meters;
        connection.addListener(this);
    }

    @Override
    public void onStreamActive(Http2Stream stream) {
        changedNs = System.nanoTime();
        progress.put(stream.id(), new ReadingProgress(settings));
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        changedNs = System.nanoTime();
        progress.remove(stream.id());
    }

    /** The handler that follows the frames sent; it belongs next to the codec. */
    ChannelHandler dataFrames() {
        return new DataFrames();
    }

    private void sent(int stream, int bytes) {
        ReadingProgress read = progress.get(stream);
        if (read != null) {
            read.written(bytes);
        }
    }

    /** Whether a response waited for the client when they were last looked at. */
    boolean waiting() {
        return waiting;
    }

    /** How long nothing has been requested, whatever other frames came, ns; 0 while a request is open. */
    long silentNs() {
        return connection.numActiveStreams() > 0 ? 0 : System.nanoTime() - changedNs;
    }

    /** Resets streams that have taken too little since the last time; returns why the connection is to be closed, null when it is not. */
    @Nullable
    RefusalReason check(long nowNs) {
        Http2RemoteFlowController flow = connection.remote().flowController();
        List<Http2Stream> active = progress.keySet().stream()
                .map(connection::stream)
                .filter(Objects::nonNull)
                .toList();
        int controlled = (int) active.stream().filter(flow::hasFlowControlled).count();
        waiting = controlled > 0;
        for (Http2Stream stream : active) {
            ReadingProgress read = progress.get(stream.id());
            RefusalReason reason =
                    read == null ? null : read.check(0, flow.hasFlowControlled(stream), Math.max(1, controlled), nowNs);
            if (reason != null) {
                if (resets == RESETS_MOST) {
                    return reason;
                }
                resets++;
                meters.refused(reason);
                Future<?> _ = handler.resetStream(
                        context, stream.id(), Http2Error.ENHANCE_YOUR_CALM.code(), context.newPromise());
                context.flush();
            }
        }
        return null;
    }

    /** Follows the frames that an HTTP/2 connection sends, next to its codec, and reports the bytes of DATA by stream (RFC 9113 §4.1). */
    private final class DataFrames extends ChannelOutboundHandlerAdapter {
        private static final int HEADER_BYTES = 9;
        private static final int TYPE_AT = 3;
        private static final int STREAM_AT = 5;
        private static final byte DATA = 0;

        private int payloadLeft;

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
                        sent(bytes.getInt(at + STREAM_AT) & Integer.MAX_VALUE, payloadLeft);
                    }
                    at += HEADER_BYTES;
                }
            }
        }
    }
}
