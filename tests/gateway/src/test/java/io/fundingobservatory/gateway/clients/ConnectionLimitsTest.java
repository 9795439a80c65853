package io.fundingobservatory.gateway.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a connection may do and how many there may be, with the bounds made small. */
@MicronautTest
@Property(name = "observatory.gateway.traffic.exempt", value = "127.0.0.0/8")
@Property(name = "observatory.gateway.traffic.trusted-proxies", value = "127.0.0.99")
@Property(name = "observatory.gateway.port.request-deadline", value = "1s")
@Property(name = "observatory.gateway.port.response-deadline", value = "1s")
@Property(name = "observatory.gateway.port.idle-timeout", value = "2s")
@Property(name = "observatory.gateway.port.connections", value = "12")
@Property(name = "observatory.gateway.port.client-connections", value = "4")
class ConnectionLimitsTest {
    private static final byte[] GET = "GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @Inject
    RunningGateway gateway;

    private void closeAll(List<Socket> sockets) throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        RunningGateway.await("all closed", () -> gateway.connections() == 0);
    }

    /** Whether the other side still responds on it. */
    private static boolean responses(Socket socket) throws IOException {
        socket.setSoTimeout(60_000);
        try {
            socket.getOutputStream().write(GET);
            byte[] head = socket.getInputStream().readNBytes(12);
            while (socket.getInputStream().available() > 0) {
                socket.getInputStream().skip(socket.getInputStream().available());
            }
            return new String(head, StandardCharsets.US_ASCII).equals("HTTP/1.1 200");
        } catch (SocketException e) {
            return false;
        }
    }

    /** Whether the other side closes it without a response. */
    private static boolean isClosed(Socket socket) throws IOException {
        socket.setSoTimeout(60_000);
        try {
            return socket.getInputStream().read() == -1;
        } catch (SocketException e) {
            return true;
        }
    }

    @Test
    void closesConnectionsBeyondThoseOfANetwork() throws Exception {
        var held = new ArrayList<Socket>();
        double before = gateway.refused("client_connections");
        for (int i = 0; i < 4; i++) {
            held.add(gateway.connectFrom("127.0.0.2"));
            assertTrue(responses(held.getLast()), "connection " + i);
        }
        held.add(gateway.connectFrom("127.0.0.2"));
        assertTrue(isClosed(held.getLast()));
        assertEquals(before + 1, gateway.refused("client_connections"));
        held.add(gateway.connectFrom("127.0.0.3"));
        assertTrue(responses(held.getLast()), "another client");
        held.removeFirst().close();
        RunningGateway.await("room again", () -> gateway.connections() == 4);
        held.add(gateway.connectFrom("127.0.0.2"));
        assertTrue(responses(held.getLast()), "after one was closed");
        closeAll(held);
    }

    @Test
    void trustedProxyMayUseAllConnections() throws Exception {
        var held = new ArrayList<Socket>();
        double before = gateway.refused("connections");
        for (int i = 0; i < 12; i++) {
            held.add(gateway.connectFrom("127.0.0.99"));
            assertTrue(responses(held.getLast()), "connection " + i);
        }
        held.add(gateway.connectFrom("127.0.0.5"));
        assertTrue(isClosed(held.getLast()));
        assertEquals(before + 1, gateway.refused("connections"));
        assertEquals(200, gateway.managed("/health/liveness"), "the management port has connections of its own");
        closeAll(held);
        held.clear();
        held.add(gateway.connectFrom("127.0.0.5"));
        assertTrue(responses(held.getLast()), "room again");
        closeAll(held);
    }

    @Test
    void closesConnectionOfEndlessRequest() throws Exception {
        double before = gateway.refused("slow_request");
        long started = System.nanoTime();
        try (Socket socket = gateway.connect()) {
            socket.getOutputStream()
                    .write("GET /robots.txt HTTP/1.1\r\nHost: a\r\nX: ".getBytes(StandardCharsets.US_ASCII));
            socket.setSoTimeout(50);
            int first = -2;
            while (first == -2) {
                try {
                    // A byte now and then does not buy more time.
                    socket.getOutputStream().write('a');
                    first = socket.getInputStream().read();
                } catch (SocketException e) {
                    first = -1;
                } catch (SocketTimeoutException e) {
                    assertTrue(System.nanoTime() - started < TimeUnit.MINUTES.toNanos(5), "still open");
                }
            }
            assertEquals(-1, first);
        }
        assertTrue(System.nanoTime() - started > TimeUnit.MILLISECONDS.toNanos(900), "not before its time");
        assertEquals(before + 1, gateway.refused("slow_request"));
    }

    @Test
    void requestsThatOverlapAreNotLate() throws Exception {
        double before = gateway.refused("slow_request");
        try (Socket socket = gateway.connect()) {
            socket.setSoTimeout(60_000);
            byte[] half = "GET /robots.txt HT".getBytes(StandardCharsets.US_ASCII);
            byte[] rest = ("TP/1.1\r\nHost: a\r\n\r\n" + "GET /robots.txt HT").getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write(half);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2_500);
            while (System.nanoTime() < end) {
                socket.getOutputStream().write(rest);
                assertEquals(
                        "HTTP/1.1 200", new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII));
                socket.getInputStream().skipNBytes(socket.getInputStream().available());
            }
        }
        assertEquals(before, gateway.refused("slow_request"));
    }

    @Test
    void aSilentConnectionIsClosed() throws Exception {
        long started = System.nanoTime();
        try (Socket socket = gateway.connect()) {
            assertTrue(responses(socket));
            socket.getInputStream().skip(Long.MAX_VALUE);
            assertEquals(-1, socket.getInputStream().read());
            assertTrue(System.nanoTime() - started > TimeUnit.MILLISECONDS.toNanos(1_700), "not before its time");
        }
    }

    @Test
    void aClientThatDoesNotReadIsDropped() throws Exception {
        double before = gateway.refused("slow_reader");
        try (var socket = new Socket()) {
            socket.setReceiveBufferSize(4_096);
            socket.connect(new InetSocketAddress("127.0.0.1", gateway.port()));
            byte[] request = "GET /openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            long started = System.nanoTime();
            try {
                // More than all buffers on the way hold.
                for (int sent = 0; sent < 100; sent++) {
                    socket.getOutputStream().write(request);
                }
            } catch (SocketException e) {
                // Dropped already.
            }
            RunningGateway.await("dropped", () -> gateway.refused("slow_reader") == before + 1);
            assertTrue(System.nanoTime() - started > TimeUnit.MILLISECONDS.toNanos(900), "not before its time");
        }
        RunningGateway.await("gone", () -> gateway.connections() == 0);
    }
}
