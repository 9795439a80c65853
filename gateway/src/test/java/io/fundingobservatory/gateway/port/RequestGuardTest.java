package io.fundingobservatory.gateway.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.settings.PortSettings;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.ForwardingHeader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestGuardTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final PortSettings settings = new PortSettings(
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            32_768,
            Duration.ofSeconds(60),
            2_048,
            32,
            16,
            96,
            Duration.ZERO);
    private final RefusalMeters meters = new RefusalMeters(new SimpleMeterRegistry());
    private final OpenConnections connections =
            new OpenConnections(settings, new ClientAddresses(List.of(), ForwardingHeader.X_FORWARDED_FOR));
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new RequestGuard(new ConnectionGuard(connections, meters, settings, false), meters, settings));

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
    void oneHeaderIsHandedOnForEachTimeThatMoreIsAskedFor() {
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
    void whatIsWrongTakesTheRequestsPlaceInItsTurn() {
        channel.config().setAutoRead(false);
        send(GET + "GET / HTTP/1.1\nHost: a\r\n\r\n" + GET);
        assertEquals(GET, handedOn());
        assertTrue(channel.inboundMessages().isEmpty(), "not before the first is answered");
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
    void aHeaderThatEndsInTimeEndsItsDeadline() {
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

    private int admitted(String network, int from, int to) {
        int admitted = 0;
        for (int i = from; i < to; i++) {
            Address peer =
                    Address.parse(network.replace("N", Integer.toHexString(i))).orElseThrow();
            admitted += connections.opened(peer) == OpenConnections.Room.YES ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void theNetworksAroundAnIpv6ClientHoldFourAndSixteenTimesAsMany() {
        assertEquals(32, admitted("2001:db8:0:100::N", 0, 33), "one /64");
        connections.closed(Address.parse("2001:db8:0:100::1").orElseThrow());
        assertEquals(128 - 32, admitted("2001:db8:0:1N::1", 16, 256), "what one /56 holds besides");
        Address other = Address.parse("2001:db8:1::1").orElseThrow();
        assertEquals(OpenConnections.Room.YES, connections.opened(other), "another /48");
        connections.closed(other);
    }
}
