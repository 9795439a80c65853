package io.fundingobservatory.gateway.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.settings.StandardPort;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.ForwardingHeader;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionGuardTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final RefusalMeters meters = new RefusalMeters(registry);
    private final OpenConnections connections = new OpenConnections(
            StandardPort.SETTINGS, new ClientAddresses(List.of(), ForwardingHeader.X_FORWARDED_FOR));

    /** A connection from an address, with its guard alone. */
    private final class Connection extends EmbeddedChannel {
        private final ConnectionGuard guard;

        private Connection(ConnectionGuard guard) {
            super(false, false, guard);
            this.guard = guard;
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress("192.0.2.7", 40_000);
        }
    }

    private Connection connect(boolean tlsOnly) throws Exception {
        var connection = new Connection(new ConnectionGuard(connections, meters, StandardPort.SETTINGS, tlsOnly));
        connection.register();
        connection.runPendingTasks();
        return connection;
    }

    private double refused(RefusalReason reason) {
        return registry.get("observatory.gateway.refused")
                .tag("reason", reason.word())
                .counter()
                .count();
    }

    @Test
    void countsConnectionFromOpenToClose() throws Exception {
        Connection connection = connect(false);
        assertEquals(1, connections.count());
        assertNull(connection.guard.refusal());
        connection.close();
        assertEquals(0, connections.count());
    }

    @Test
    void excessConnectionGetsItsRefusalInTurn() throws Exception {
        for (int i = 0; i < 32; i++) {
            assertNull(connect(false).guard.refusal());
        }
        Connection surplus = connect(false);
        assertEquals(RefusalReason.CLIENT_CONNECTIONS, surplus.guard.refusal());
        assertTrue(surplus.isOpen(), "its response comes first");
    }

    @Test
    void closesPlainConnectionOnTlsPort() throws Exception {
        Connection plain = connect(true);
        assertFalse(plain.isOpen());
        assertEquals(1, refused(RefusalReason.FAILED));
        assertEquals(0, connections.count());
    }

    @Test
    void aCloseSendsFirstWhatWasWritten() throws Exception {
        Connection connection = connect(false);
        connection.write(Unpooled.wrappedBuffer(new byte[10]));
        ChannelFuture closed = connection.pipeline().close();
        connection.runPendingTasks();
        ByteBuf sent = connection.readOutbound();
        assertEquals(10, sent.readableBytes());
        sent.release();
        assertTrue(closed.isSuccess());
        assertFalse(connection.isOpen());
    }

    /** The client reads slowly: the last response is still under way when another one is written. */
    @Test
    void releasesWritesAfterLastResponse() throws Exception {
        Connection connection = connect(false);
        var unsent = new ArrayDeque<ChannelPromise>();
        connection.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                ReferenceCountUtil.release(message);
                unsent.add(promise);
            }
        });
        connection.write(Unpooled.wrappedBuffer(new byte[10]));
        connection.pipeline().close();
        assertEquals(2, unsent.size(), "the response, and what tells that it has been sent");
        ByteBuf late = Unpooled.wrappedBuffer(new byte[10]);
        assertTrue(connection.write(late).isSuccess(), "no failure to be logged");
        assertEquals(0, late.refCnt());
        assertEquals(2, unsent.size());
        unsent.forEach(ChannelPromise::setSuccess);
        connection.runPendingTasks();
        assertFalse(connection.isOpen());
    }

    /** A pipeline without a handler of requests sends no response. */
    @Test
    void closesConnectionHalfClosedBeforeAnyRequest() throws Exception {
        Connection connection = connect(false);
        connection.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        connection.runPendingTasks();
        assertFalse(connection.isOpen());
    }
}
