package io.fundingobservatory.gateway.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.fixture.FixedSnapshots;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.gateway.fixture.SeparateGateway;
import io.fundingobservatory.gateway.fixture.Tls;
import io.fundingobservatory.topics.ListedVenue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cost of large responses that clients request and do not read. No client, and no number of clients,
 * holds up others.
 */
class UnreadResponsesTest {
    /** All exchanges, of which half are in the default list: about 3.4 MB as it is. */
    private static final String ROWS = "350";

    private static final int MEGABYTE = 1 << 20;

    @TempDir
    Path directory;

    private static List<String> settings(String... more) {
        var settings = new ArrayList<>(
                List.of(FixedSnapshots.ROWS, ROWS, "observatory.gateway.traffic.exempt", "127.0.0.0/8"));
        settings.addAll(List.of(more));
        return settings;
    }

    private static RunningGateway gateway(String... more) throws IOException {
        return RunningGateway.start(settings(more).toArray(String[]::new));
    }

    private static SeparateGateway separateGateway(String... more) throws IOException {
        return SeparateGateway.start(settings(more).toArray(String[]::new));
    }

    private static byte[] request(String path, String coding) {
        return ("GET " + path + " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: " + coding + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static Socket connectFrom(String address, int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(address), 0);
    }

    private static SocketChannel unreading(int port, String address) throws IOException {
        return reader(port, address, 4_096);
    }

    private static SocketChannel reader(int port, String address, int buffer) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, buffer);
        channel.bind(new InetSocketAddress(address, 0));
        channel.connect(new InetSocketAddress("127.0.0.1", port));
        channel.configureBlocking(false);
        return channel;
    }

    /** One whole response on a connection of its own, ns. */
    private static long send(int port, String coding) throws IOException {
        try (Socket socket = connectFrom("127.0.0.2", port)) {
            socket.setSoTimeout(60_000);
            long sent = System.nanoTime();
            socket.getOutputStream().write(request("/api/v1/latest", coding));
            skipResponse(socket);
            return System.nanoTime() - sent;
        }
    }

    /** Reads a response to its end; the length of its body. */
    private static long skipResponse(Socket socket) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) socket.getInputStream().read());
        }
        assertTrue(head.toString().contains("TTP/1.1 200 "), head.toString());
        String fields = head.toString().toLowerCase(Locale.ROOT);
        int from = fields.indexOf("content-length: ") + 16;
        long length = Long.parseLong(fields.substring(from, fields.indexOf("\r\n", from)));
        socket.getInputStream().skipNBytes(length);
        return length;
    }

    /**
     * The defaults, ten times as fast: connections are closed after 1 s, and snapshots come every 500 ms.
     * Half of the readers read almost nothing. The other half read 100 kB/s, which is also too slow where 1
     * MB/s is the least.
     */
    @Test
    void cutsOffSlowReadersWithoutRefusingOthers() throws Exception {
        try (RunningGateway gateway = gateway(
                "observatory.gateway.port.slowest-reading", "1000000",
                "observatory.gateway.port.slow-after", "1s")) {
            FixedSnapshots snapshots = gateway.bean(FixedSnapshots.class);
            var readers = new ArrayList<SocketChannel>();
            for (int i = 0; i < 35; i++) {
                // Four of one client: more plain lists than these are 429 for it.
                readers.add(unreading(gateway.port(), "127.0.1." + (1 + i / 4)));
                readers.getLast().write(ByteBuffer.wrap(request("/api/v1/latest", "identity")));
            }
            long generated = System.nanoTime();
            var bytes = ByteBuffer.allocate(10_000);
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
            while (gateway.refused("slow_reader") < 35) {
                assertTrue(System.nanoTime() < end, "still " + gateway.connections() + " connections");
                for (int i = 0; i < readers.size(); i++) {
                    read(readers.get(i), bytes.clear().limit(i % 2 == 0 ? 1 : 10_000));
                }
                if (System.nanoTime() - generated > TimeUnit.MILLISECONDS.toNanos(500)) {
                    snapshots.next();
                    generated = System.nanoTime();
                }
                send(gateway.port(), "identity");
                send(gateway.port(), "gzip");
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
            assertEquals(0, gateway.refused("memory"), "nobody was turned away");
            assertEquals(0, gateway.refused("client_memory"));
            for (SocketChannel reader : readers) {
                reader.close();
            }
        }
    }

    /**
     * Plain lists of 5.8 MB, 300 kB/s as the least rate, and a snapshot every 300 ms, in which one venue has
     * changed. Twelve readers at 1.2 times that rate begin in twelve snapshots. They are still reading when
     * the last one begins.
     */
    @Test
    void readersJustFastEnoughTurnNobodyAway() throws Exception {
        try (RunningGateway gateway = gateway(
                FixedSnapshots.ROWS,
                "600",
                "observatory.gateway.port.slowest-reading",
                "300000",
                "observatory.gateway.port.slow-after",
                "5s")) {
            FixedSnapshots snapshots = gateway.bean(FixedSnapshots.class);
            send(gateway.port(), "identity");
            var readers = new CopyOnWriteArrayList<SocketChannel>();
            var running = new AtomicBoolean(true);
            Thread reading = Thread.ofPlatform().daemon().start(() -> readAt(360_000, readers, running));
            long begun = System.nanoTime();
            for (int snapshot = 0; snapshot < 24; snapshot++) {
                snapshots.next(ListedVenue.ALL.get(snapshot % ListedVenue.ALL.size()));
                if (readers.size() < 12) {
                    SocketChannel reader = reader(gateway.port(), "127.0.1." + (1 + readers.size()), 1 << 16);
                    reader.write(ByteBuffer.wrap(request("/api/v1/latest", "identity")));
                    readers.add(reader);
                }
                send(gateway.port(), "identity");
                long until = begun + (snapshot + 1) * TimeUnit.MILLISECONDS.toNanos(300);
                LockSupport.parkNanos(until - System.nanoTime());
            }
            running.set(false);
            reading.join();
            assertEquals(0, gateway.refused("memory"), "nobody was turned away");
            assertEquals(0, gateway.refused("slow_reader") + gateway.refused("stalled"), "nobody was cut off");
            assertTrue(gateway.responseBytes() < 32L * MEGABYTE, gateway.responseBytes() + " bytes");
            for (SocketChannel reader : readers) {
                reader.close();
            }
        }
    }

    /** Reads so many bytes a second of each connection, on a thread that nothing else of the test holds up. */
    private static void readAt(long bytesPerS, List<SocketChannel> readers, AtomicBoolean running) {
        var bytes = ByteBuffer.allocate(1 << 16);
        long begun = System.nanoTime();
        long read = 0;
        while (running.get()) {
            long due = (System.nanoTime() - begun) * bytesPerS / TimeUnit.SECONDS.toNanos(1);
            int more = (int) Math.min(due - read, bytes.capacity());
            readers.forEach(reader -> read(reader, bytes.clear().limit(more)));
            read += more;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** As {@code printf … | nc} does: the whole of it, larger than every buffer on the way. */
    @Test
    void halfClosedClientGetsWholeLargeBody() throws Exception {
        try (RunningGateway gateway = gateway();
                Socket socket = connectFrom("127.0.0.4", gateway.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request("/api/v1/latest", "identity"));
            socket.shutdownOutput();
            assertTrue(skipResponse(socket) > 3 * MEGABYTE);
            assertEquals(-1, socket.getInputStream().read(), "and then the end of the connection");
        }
    }

    private static void read(SocketChannel channel, ByteBuffer into) {
        try {
            channel.read(into);
        } catch (IOException e) {
            // Cut off.
        }
    }

    /** 32 connections of one client that send requests without end and read nothing. */
    @Test
    void pipeliningConnectionsCostLittleMemoryAndTime() throws Exception {
        try (SeparateGateway gateway = separateGateway()) {
            long[] alone = times(gateway, 50);
            long before = gateway.memory();
            var running = new AtomicBoolean(true);
            var connections = new ArrayList<SocketChannel>();
            for (int i = 0; i < 32; i++) {
                connections.add(unreading(gateway.port(), "127.0.0.3"));
            }
            Thread attack = Thread.ofPlatform().daemon().start(() -> pipeline(connections, running));
            RunningGateway.await("all of them have a response", () -> responses(gateway) > 50 + 32);
            long[] among = times(gateway, 100);
            long cost = gateway.memory() - before;
            running.set(false);
            attack.join();
            System.out.printf(
                    "32 pipelining connections: %d MB more; others' p50 and p99 %.1f and %.1f ms alone, %.1f and %.1f ms among them%n",
                    cost / MEGABYTE,
                    percentile(50, alone) / 1e6,
                    percentile(99, alone) / 1e6,
                    percentile(50, among) / 1e6,
                    percentile(99, among) / 1e6);
            assertTrue(cost < 64 * MEGABYTE, cost / MEGABYTE + " MB");
            for (SocketChannel connection : connections) {
                connection.close();
            }
        }
    }

    /** Requests prepared, rendered and refused responses in turn, as far as the socket takes it. */
    private static void pipeline(List<SocketChannel> connections, AtomicBoolean running) {
        var all = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            all.append(new String(
                    request(
                            switch (i % 4) {
                                case 0 -> "/api/v1/latest";
                                case 1 -> "/api/v1/latest?venues=okx,binance,bybit,gate,bitget,mexc,c" + i;
                                case 2 -> "/api/v1/latest?assets=C" + i;
                                default -> "/nowhere" + i;
                            },
                            i % 2 == 0 ? "identity" : "gzip"),
                    StandardCharsets.US_ASCII));
        }
        byte[] requests = all.toString().getBytes(StandardCharsets.US_ASCII);
        var unsent = new ByteBuffer[connections.size()];
        Arrays.setAll(unsent, i -> ByteBuffer.wrap(requests));
        while (running.get()) {
            for (int i = 0; i < unsent.length; i++) {
                try {
                    connections.get(i).write(unsent[i]);
                } catch (IOException e) {
                    // Cut off.
                }
                if (!unsent[i].hasRemaining()) {
                    unsent[i].rewind();
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private static long[] times(SeparateGateway gateway, int count) throws IOException {
        var times = new long[count];
        for (int i = 0; i < count; i++) {
            times[i] = send(gateway.port(), "gzip");
        }
        Arrays.sort(times);
        return times;
    }

    private static long percentile(int percent, long[] sorted) {
        return sorted[sorted.length * percent / 100];
    }

    private static long responses(SeparateGateway gateway) {
        try {
            return gateway.responses("/api/v1/latest");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Under TLS what is not read is not encrypted either: a plain list of 3.4 MB costs a connection no more than its buffers. */
    @Test
    void encryptsLargeBodyAsItIsRead() throws Exception {
        var tls = new ArrayList<String>();
        Tls.served(directory.resolve("public.pem"), "first").forEach((key, value) -> tls.addAll(List.of(key, value)));
        try (SeparateGateway gateway = separateGateway(tls.toArray(String[]::new))) {
            var readers = new ArrayList<SSLSocket>();
            readers.add(sent(gateway, "127.0.1.1"));
            long before = gateway.memory();
            for (int i = 0; i < 8; i++) {
                readers.add(sent(gateway, "127.0.1." + (2 + i / 4)));
            }
            long cost = gateway.memory() - before;
            System.out.printf("8 unread plain lists under TLS: %d kB more%n", cost / 1024);
            assertTrue(cost < 8 * MEGABYTE, cost / 1024 + " kB");
            // Who reads on has the whole list.
            SSLSocket last = readers.getLast();
            last.setSoTimeout(60_000);
            assertTrue(skipResponse(last) > 3 * MEGABYTE);
            for (SSLSocket reader : readers) {
                reader.close();
            }
        }
    }

    private static SSLSocket sent(SeparateGateway gateway, String address) throws Exception {
        SSLSocket socket = Tls.connectFrom(InetAddress.getByName(address), gateway.port());
        socket.getOutputStream().write(request("/api/v1/latest", "identity"));
        assertEquals('H', socket.getInputStream().read(), "a response");
        return socket;
    }
}
