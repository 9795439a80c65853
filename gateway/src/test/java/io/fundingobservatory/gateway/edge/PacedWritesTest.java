package io.fundingobservatory.gateway.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class PacedWritesTest {
    private static final int LARGE = 3 * PacedWrites.SLICE_BYTES + 1;

    /** The first handler stands for the guard next to the socket, which may end the connection. */
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter(), new PacedWrites());

    private void writable(boolean writable) {
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, writable);
        channel.runPendingTasks();
    }

    private int sent() {
        int bytes = 0;
        for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
            assertTrue(sent.readableBytes() <= PacedWrites.SLICE_BYTES, sent.readableBytes() + " at once");
            bytes += sent.readableBytes();
            sent.release();
        }
        return bytes;
    }

    @Test
    void writesLargeBodyInSlicesAndReleasesIt() {
        ByteBuf response = Unpooled.buffer(LARGE).writeZero(LARGE);
        ChannelFuture written = channel.writeAndFlush(response);
        assertEquals(LARGE, sent());
        assertTrue(written.isSuccess());
        assertEquals(0, response.refCnt());
    }

    @Test
    void nothingGoesOnWhileTheSocketTakesNothing() {
        writable(false);
        ByteBuf response = Unpooled.buffer(LARGE).writeZero(LARGE);
        ChannelFuture written = channel.writeAndFlush(response);
        ChannelFuture next = channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[10]));
        assertEquals(0, sent());
        assertFalse(written.isDone());
        writable(true);
        assertEquals(LARGE + 10, sent());
        assertTrue(written.isSuccess() && next.isSuccess());
    }

    @Test
    void aCloseWaitsForWhatWasWrittenBefore() {
        writable(false);
        channel.writeAndFlush(Unpooled.buffer(LARGE).writeZero(LARGE));
        ChannelFuture closed = channel.close();
        assertTrue(channel.isOpen());
        writable(true);
        assertEquals(LARGE, sent());
        assertTrue(closed.isSuccess());
        assertFalse(channel.isOpen());
    }

    @Test
    void releasesWaitingBodyWhenConnectionCloses() {
        writable(false);
        ByteBuf response = Unpooled.buffer(LARGE).writeZero(LARGE);
        ChannelFuture written = channel.writeAndFlush(response);
        ChannelFuture closed = channel.close();
        channel.pipeline().firstContext().close();
        channel.runPendingTasks();
        assertNull(channel.readOutbound());
        assertEquals(0, response.refCnt());
        assertTrue(written.isDone() && !written.isSuccess());
        assertTrue(closed.isDone());
    }
}
