package io.fundingobservatory.gateway.edge;

import io.fundingobservatory.gateway.settings.PortSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Precedes the HTTP/1 codec. Hands on one header at a time, the next only when the framework requests more. It does so while at most one request
 * has no response. For a client that reads no responses, this side holds the bytes of one read, at most 64 kB. Limits the time and the bytes
 * of a header, and how many requests of one connection get a response before others have their turn.
 */
final class RequestGuard extends ChannelDuplexHandler {
    private final ConnectionGuard connection;
    private final RefusalMeters meters;
    private final PortSettings settings;
    private final HeaderBytes header = new HeaderBytes();
    /** So many requests of one connection get a response in a row; one read may bring 2,500, and the other connections wait for as long. */
    static final int REQUESTS_IN_A_ROW = 16;

    private static final long PAUSE_MS = 1;

    private @Nullable ByteBuf buffered;
    private @Nullable Future<?> deadline;
    private State state = State.WANTED;

    /** Within {@link #handOn}: what is handed on may request more at once. */
    private boolean handingOn;

    /** A header was handed on within the current read, with its own end of a read. */
    private boolean handedOn;

    /** What the next header waits for. */
    private enum State {
        /** The framework, which has not requested it: it has enough to respond to. */
        WAITING,
        /** Its own bytes. */
        WANTED,
        /** Other connections' turn, or the end of the time for which a refused client is not read. */
        PAUSED,
        /** Nothing: no header is handed on any more. */
        ENDED
    }

    RequestGuard(ConnectionGuard connection, RefusalMeters meters, PortSettings settings) {
        this.connection = connection;
        this.meters = meters;
        this.settings = settings;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.fireChannelActive();
        RefusalReason refusal = connection.refusal();
        if (refusal != null) {
            refuse(context, refusal);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (state == State.ENDED || !(message instanceof ByteBuf bytes)) {
            ReferenceCountUtil.release(message);
            return;
        }
        ByteBuf before = buffered;
        buffered = before == null ? bytes : Unpooled.wrappedBuffer(before, bytes);
        handOn(context);
    }

    /**
     * Signals the end of a read only where no header was handed on: each header that is handed on signals it
     * already.
     */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (handedOn || state == State.ENDED) {
            handedOn = false;
        } else {
            context.fireChannelReadComplete();
        }
    }

    @Override
    public void read(ChannelHandlerContext context) {
        if (state == State.WAITING) {
            state = State.WANTED;
        }
        if (handingOn) {
            return;
        }
        if (buffered == null) {
            context.read();
        } else {
            handOn(context);
        }
    }

    private void handOn(ChannelHandlerContext context) {
        if (handingOn || state == State.PAUSED) {
            return;
        }
        handingOn = true;
        try {
            ByteBuf bytes = buffered;
            for (int inARow = 0; state == State.WANTED && bytes != null; inARow++) {
                long slowMs = connection.slowMs();
                if (slowMs > 0 || inARow == REQUESTS_IN_A_ROW) {
                    pause(context, Math.max(slowMs, PAUSE_MS));
                    return;
                }
                next(context, bytes);
                bytes = buffered;
            }
        } finally {
            handingOn = false;
        }
        if (state == State.WANTED && buffered == null) {
            context.read();
        }
    }

    /** Lets the event loop turn to its other connections, and a refused client wait. */
    private void pause(ChannelHandlerContext context, long ms) {
        state = State.PAUSED;
        Runnable goOn = () -> {
            if (state == State.PAUSED) {
                state = State.WANTED;
                handOn(context);
            }
        };
        Future<?> _ = context.executor().schedule(goOn, ms, TimeUnit.MILLISECONDS);
    }

    private void next(ChannelHandlerContext context, ByteBuf bytes) {
        int at = bytes.forEachByte(header);
        if (header.wrong()) {
            refuse(context, RefusalReason.MALFORMED);
            return;
        }
        ByteBuf next = bytes;
        if (at < 0 || at == bytes.writerIndex() - 1) {
            buffered = null;
        } else {
            next = bytes.readRetainedSlice(at + 1 - bytes.readerIndex());
        }
        watch(context);
        state = State.WAITING;
        handedOn = true;
        context.fireChannelRead(next);
        context.fireChannelReadComplete();
    }

    /** A header has its time from its first byte on, whatever comes in between. */
    private void watch(ChannelHandlerContext context) {
        Future<?> running = deadline;
        if (!header.pending()) {
            if (running != null) {
                running.cancel(false);
                deadline = null;
            }
        } else if (running == null) {
            deadline = context.executor()
                    .schedule(
                            () -> refuse(context, RefusalReason.SLOW_HEADER),
                            settings.headerTimeout().toNanos(),
                            TimeUnit.NANOSECONDS);
        }
    }

    /** Lets nothing more in, and has the framework respond in turn with the reason. */
    private void refuse(ChannelHandlerContext context, RefusalReason reason) {
        if (state == State.ENDED || !context.channel().isActive()) {
            return;
        }
        end();
        var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/", Unpooled.EMPTY_BUFFER);
        request.setDecoderResult(DecoderResult.failure(new RefusedConnection(reason)));
        context.fireChannelRead(request);
        context.fireChannelReadComplete();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent idle && idle.state() == IdleState.ALL_IDLE && state != State.ENDED) {
            meters.refused(RefusalReason.IDLE);
        }
        context.fireUserEventTriggered(event);
    }

    /** After the last response nothing is handed on: its response could not be sent any more. */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        end();
        Future<?> _ = context.close(promise);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end();
        context.fireChannelInactive();
    }

    private void end() {
        state = State.ENDED;
        Future<?> running = deadline;
        if (running != null) {
            running.cancel(false);
        }
        ByteBuf rest = buffered;
        buffered = null;
        if (rest != null) {
            rest.release();
        }
    }
}
