package io.fundingobservatory.gateway.edge;

import io.fundingobservatory.gateway.settings.PortSettings;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How fast a client takes in what is written to a connection, or to a stream of one. Its event loop uses this. */
final class ReadingProgress {
    /**
     * Bytes that the client may have taken unseen. The socket takes more only when a third of its buffer has
     * gone, and the buffer is twice the requested size.
     */
    private static final long UNSEEN_BYTES = PublicPort.SEND_BUFFER_BYTES;

    /** What was read fast at first does not make up for what is read slowly afterwards: the rate is measured over this long. */
    private static final long SPAN_NS = TimeUnit.SECONDS.toNanos(30);

    private final PortSettings settings;
    private long written;
    private boolean waiting;
    private long sent;
    private long sentNs;
    private long spanSent;
    private long spanNs;

    ReadingProgress(PortSettings settings) {
        this.settings = settings;
    }

    void written(long bytes) {
        written += bytes;
    }

    /** Whether there was something that the client had not taken in when it was last looked at. */
    boolean waiting() {
        return waiting;
    }

    /** Looks at what the socket has taken since the last time; returns why the connection is to be closed, null when it is not. */
    @Nullable
    RefusalReason check(Channel channel, long nowNs) {
        return check(pendingBytes(channel), false, 1, nowNs);
    }

    /**
     * Looks at what has been taken in since the last time, of a stream or a connection.
     *
     * @param pending bytes that the socket has not taken
     * @param open whether something waits that the windows of HTTP/2 hold back
     * @param sharers between how many streams the least rate is shared
     * @return why it is to be closed; null when it is not
     */
    @Nullable
    RefusalReason check(long pending, boolean open, int sharers, long nowNs) {
        long sentNow = written - pending;
        boolean began = !waiting;
        waiting = pending > 0 || open;
        if (!waiting) {
            return null;
        }
        if (began || sentNow != sent) {
            sent = sentNow;
            sentNs = nowNs;
        } else if (nowNs - sentNs >= settings.stalledTimeout().toNanos()) {
            return RefusalReason.STALLED;
        }
        if (began || nowNs - spanNs >= SPAN_NS) {
            spanSent = sentNow;
            spanNs = nowNs;
        }
        long spentNs = nowNs - spanNs;
        long expected = (long) (settings.slowestReading() * (spentNs / 1e9)) / sharers - UNSEEN_BYTES;
        boolean slow = spentNs >= settings.slowAfter().toNanos() && sentNow - spanSent < expected;
        return slow ? RefusalReason.SLOW_READER : null;
    }

    private static long pendingBytes(Channel channel) {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        if (outbound == null) {
            return 0;
        }
        var bytes = new long[1];
        try {
            // What was sent of a message is no longer readable in it.
            outbound.forEachFlushedMessage(message -> {
                bytes[0] += message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
                return true;
            });
        } catch (Exception e) {
            throw new IllegalStateException("adding up lengths does not fail", e);
        }
        return bytes[0];
    }
}
