package io.fundingobservatory.gateway.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.settings.StandardPort;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.ForwardingHeader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestGuardTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final RefusalMeters meters = new RefusalMeters(new SimpleMeterRegistry());
    private final OpenConnections connections = new OpenConnections(
            StandardPort.SETTINGS, new ClientAddresses(List.of(), ForwardingHeader.X_FORWARDED_FOR));
    private final EmbeddedChannel channel = new EmbeddedChannel(guard());

    private RequestGuard guard() {
        return new RequestGuard(
                new ConnectionGuard(connections, meters, StandardPort.SETTINGS, false), meters, StandardPort.SETTINGS);
    }

    private void send(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    private String handedOn() {
        ByteBuf bytes = assertInstanceOf(ByteBuf.class, channel.readInbound());
        String text = bytes.toString(StandardCharsets.ISO_8859_1);
        bytes.release();
        return text;
    }

    @Test
    void passesOneHeaderForEachRead() {
        channel.config().setAutoRead(false);
        send(GET + GET + "GET /half");
        assertEquals(GET, handedOn());
        assertTrue(channel.inboundMessages().isEmpty(), "the next waits");
        channel.read();
        assertEquals(GET, handedOn());
        channel.read();
        assertEquals("GET /half", handedOn());
        channel.finishAndReleaseAll();
    }

    @Test
    void replacesMalformedRequestInItsTurn() {
        channel.config().setAutoRead(false);
        send(GET + "GET / HTTP/1.1\nHost: a\r\n\r\n" + GET);
        assertEquals(GET, handedOn());
        assertTrue(channel.inboundMessages().isEmpty(), "not before the response to the first");
        channel.read();
        FullHttpRequest refused = assertInstanceOf(FullHttpRequest.class, channel.readInbound());
        RefusedConnection cause = assertInstanceOf(
                RefusedConnection.class, refused.decoderResult().cause());
        assertEquals(RefusalReason.MALFORMED, cause.reason());
        refused.release();
        send(GET);
        assertTrue(channel.inboundMessages().isEmpty(), "nothing more is let in");
        channel.finishAndReleaseAll();
    }

    /** The connection closes once the last response has been sent; until then the client may send more requests. */
    @Test
    void passesNothingWhileClosing() {
        var closing = new EmbeddedChannel(new ClosingLater(), guard());
        closing.config().setAutoRead(false);
        closing.writeInbound(Unpooled.copiedBuffer(GET + GET, StandardCharsets.ISO_8859_1));
        assertEquals(1, closing.inboundMessages().size());
        closing.close();
        closing.read();
        closing.writeInbound(Unpooled.copiedBuffer(GET, StandardCharsets.ISO_8859_1));
        assertTrue(closing.isActive());
        assertEquals(1, closing.inboundMessages().size(), "the response to another could not be sent");
        closing.finishAndReleaseAll();
    }

    private static final class ClosingLater extends ChannelOutboundHandlerAdapter {
        @Override
        public void close(ChannelHandlerContext context, ChannelPromise promise) {
            // Something is still being sent.
        }
    }

    @Test
    void emptyLinesBuyNoTime() {
        send("\r\n");
        assertEquals("\r\n", handedOn());
        channel.advanceTimeBy(9, TimeUnit.SECONDS);
        send("\r\n");
        assertEquals("\r\n", handedOn());
        channel.advanceTimeBy(2, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        FullHttpRequest refused = assertInstanceOf(FullHttpRequest.class, channel.readInbound());
        assertEquals(
                RefusalReason.SLOW_HEADER,
                assertInstanceOf(
                                RefusedConnection.class, refused.decoderResult().cause())
                        .reason());
        refused.release();
        channel.finishAndReleaseAll();
    }

    @Test
    void completeHeaderEndsItsDeadline() {
        send("GET / HTTP/1.1\r\n");
        handedOn();
        channel.advanceTimeBy(9, TimeUnit.SECONDS);
        send("Host: a\r\n\r\n");
        handedOn();
        channel.advanceTimeBy(60, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertFalse(channel.inboundMessages().stream().anyMatch(FullHttpRequest.class::isInstance));
        channel.finishAndReleaseAll();
    }

    /** What one read brought may be 2,500 requests; those of other connections do not wait for all of them. */
    @Test
    void yieldsToOtherConnectionsAfterSeveralRequests() {
        int inARow = RequestGuard.REQUESTS_IN_A_ROW;
        var responding = new EmbeddedChannel(guard(), new RespondingAtOnce());
        responding.freezeTime();
        responding.writeInbound(Unpooled.copiedBuffer(GET.repeat(2 * inARow + 1), StandardCharsets.ISO_8859_1));
        for (int handedOn : List.of(inARow, 2 * inARow, 2 * inARow + 1)) {
            assertEquals(handedOn, responding.inboundMessages().size());
            responding.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            responding.runScheduledPendingTasks();
        }
        responding.finishAndReleaseAll();
    }

    /** Reads the next request as soon as it has one, as the framework does when its response is written at once. */
    private static final class RespondingAtOnce extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.fireChannelRead(message);
            context.read();
        }
    }
}
