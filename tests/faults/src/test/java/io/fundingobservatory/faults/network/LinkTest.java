package io.fundingobservatory.faults.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.faults.network.Link.Way;
import io.fundingobservatory.testbed.Await;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that gives back each request, through a link: what the link does to it can be seen by the client. */
class LinkTest {
    private static final int END_TXN = 26;

    private final AtomicInteger served = new AtomicInteger();
    private ServerSocket server;
    private Link link;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.ofLiteral("127.0.0.1"));
        link = Link.to(server.getLocalPort());
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket client = server.accept();
                    Thread.ofVirtual().start(() -> echo(client));
                } catch (IOException e) {
                    return;
                }
            }
        });
    }

    private void echo(Socket client) {
        try (client) {
            var in = new DataInputStream(client.getInputStream());
            var out = new DataOutputStream(client.getOutputStream());
            while (true) {
                byte[] request = in.readNBytes(in.readInt());
                served.incrementAndGet();
                out.write(ByteBuffer.allocate(4 + request.length)
                        .putInt(request.length)
                        .put(request)
                        .array());
            }
        } catch (IOException e) {
            // the client is gone
        }
    }

    @AfterEach
    void close() throws IOException {
        link.close();
        server.close();
    }

    private Socket connect() throws IOException {
        var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), link.port());
        socket.setSoTimeout(5_000);
        return socket;
    }

    private static byte[] request(int api, int size) {
        return ByteBuffer.allocate(size).putShort((short) api).array();
    }

    private static byte[] exchange(Socket socket, byte[] request) throws IOException {
        var out = new DataOutputStream(socket.getOutputStream());
        out.write(ByteBuffer.allocate(4 + request.length)
                .putInt(request.length)
                .put(request)
                .array());
        var in = new DataInputStream(socket.getInputStream());
        return in.readNBytes(in.readInt());
    }

    private static long ms(long since) {
        return (System.nanoTime() - since) / 1_000_000;
    }

    @Test
    void undisturbedItChangesNothing() throws IOException {
        try (Socket socket = connect()) {
            for (int size : new int[] {2, 100, 50_000}) {
                assertArrayEquals(request(1, size), exchange(socket, request(1, size)));
            }
        }
    }

    @Test
    void delayAndBandwidth() throws IOException {
        try (Socket socket = connect()) {
            exchange(socket, request(1, 10));
            link.delayed(Duration.ofMillis(100));
            long since = System.nanoTime();
            exchange(socket, request(1, 10));
            assertTrue(ms(since) >= 200, ms(since) + " ms there and back");
            link.heal();
            link.narrowed(100_000);
            since = System.nanoTime();
            exchange(socket, request(1, 30_000));
            assertTrue(ms(since) >= 500, ms(since) + " ms for 60 kB at 100 kB/s");
        }
    }

    @Test
    void whatWasSilencedArrivesAfterwards() throws IOException {
        try (Socket socket = connect()) {
            exchange(socket, request(1, 10));
            link.silenced(Way.TO_CLIENT);
            socket.setSoTimeout(200);
            assertThrows(SocketTimeoutException.class, () -> exchange(socket, request(2, 10)));
            Await.until("half-open: the server got it", () -> served.get() == 2);
            socket.setSoTimeout(60_000);
            link.heal();
            var in = new DataInputStream(socket.getInputStream());
            assertArrayEquals(request(2, 10), in.readNBytes(in.readInt()));
        }
    }

    @Test
    void cutsAreSeenAndCounted() throws IOException {
        try (Socket socket = connect()) {
            exchange(socket, request(1, 10));
            link.cut();
            assertThrows(IOException.class, () -> exchange(socket, request(1, 10)));
            assertEquals(1, link.cuts());
        }
        try (Socket again = connect()) {
            exchange(again, request(1, 10));
        }
        link.cutOff();
        try (Socket refused = connect()) {
            assertThrows(IOException.class, () -> exchange(refused, request(1, 10)));
        }
    }

    /** The server responds to the trapped request; the response never reaches the client. */
    @Test
    void theTrapCutsBetweenRequestAndResponse() throws IOException {
        try (Socket socket = connect()) {
            link.trap(END_TXN);
            exchange(socket, request(1, 70_000));
            assertEquals(0, link.trapped());
            assertThrows(IOException.class, () -> exchange(socket, request(END_TXN, 40)));
            assertEquals(1, link.trapped());
            assertEquals(2, served.get());
        }
        try (Socket again = connect()) {
            exchange(again, request(END_TXN, 40));
            assertFalse(link.trapped() > 1, "it springs once");
        }
    }

    @Test
    void holdsRequestBackUntilHealed() throws IOException {
        try (Socket socket = connect();
                Socket another = connect()) {
            link.hold(END_TXN);
            exchange(socket, request(1, 10));
            socket.setSoTimeout(200);
            assertThrows(SocketTimeoutException.class, () -> exchange(socket, request(END_TXN, 40)));
            assertTrue(link.holds());
            assertEquals(1, served.get(), "it has not arrived");
            assertArrayEquals(request(END_TXN, 40), exchange(another, request(END_TXN, 40)), "only one is held back");
            socket.setSoTimeout(5_000);
            link.heal();
            var in = new DataInputStream(socket.getInputStream());
            assertArrayEquals(request(END_TXN, 40), in.readNBytes(in.readInt()));
        }
    }
}
