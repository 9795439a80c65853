package io.fundingobservatory.gateway.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.fixture.LoggedLines;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.gateway.fixture.Tls;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** TLS and HTTP/2 on the public port, by the framework's settings: negotiated, guarded, and with a certificate that can change. */
@MicronautTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Property(name = "observatory.gateway.traffic.exempt", value = "127.0.0.1")
@Property(name = "observatory.gateway.port.client-connections", value = "4")
@Property(name = "observatory.gateway.port.header-timeout", value = "1s")
@Property(name = "observatory.gateway.port.stalled-timeout", value = "1s")
@Property(name = "observatory.gateway.port.idle-timeout", value = "2s")
@Property(name = "test.slow-endpoint", value = "true")
class Http2Test implements TestPropertyProvider {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int ENHANCE_YOUR_CALM = 0xb;
    private static final int REFUSED_STREAM = 7;
    private static final int END_STREAM_AND_HEADERS = 5;
    private static final int END_HEADERS = 4;

    @TempDir
    private static Path directory;

    @RegisterExtension
    private final LoggedLines netty = LoggedLines.of("io.netty.channel");

    @RegisterExtension
    private final LoggedLines unhandled = LoggedLines.of("io.fundingobservatory.gateway.edge");

    @Inject
    RunningGateway gateway;

    @Override
    public Map<String, String> getProperties() {
        return Tls.served(directory.resolve("public.pem"), "first");
    }

    private HttpResponse<String> get(HttpClient.Version version, String path, String... headers) throws Exception {
        try (HttpClient client = HttpClient.newBuilder()
                .version(version)
                .sslContext(Tls.trustingAnybody())
                .build()) {
            var request = HttpRequest.newBuilder(URI.create("https://localhost:" + gateway.port() + path));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void bothVersionsGiveSameResponses() throws Exception {
        HttpResponse<String> two = get(HttpClient.Version.HTTP_2, "/robots.txt");
        HttpResponse<String> one = get(HttpClient.Version.HTTP_1_1, "/robots.txt");
        assertEquals(HttpClient.Version.HTTP_2, two.version());
        assertEquals(HttpClient.Version.HTTP_1_1, one.version());
        assertEquals(200, two.statusCode());
        assertEquals(one.body(), two.body());
        assertEquals(one.headers().firstValue("etag"), two.headers().firstValue("etag"));
        String tag = two.headers().firstValue("etag").orElseThrow();
        assertEquals(
                304,
                get(HttpClient.Version.HTTP_2, "/robots.txt", "If-None-Match", tag)
                        .statusCode());
        HttpResponse<String> starting = get(HttpClient.Version.HTTP_2, "/api/v1/latest");
        assertEquals(503, starting.statusCode());
        assertTrue(starting.body().startsWith("{\"status\":\"starting\",\"reason\":"), starting.body());
        assertEquals(404, get(HttpClient.Version.HTTP_2, "/nowhere").statusCode());
    }

    @Test
    void limitsConnectionsOfOneClient() throws Exception {
        RunningGateway.await("those of other tests are closed", () -> gateway.connections() == 0);
        var held = new ArrayList<SSLSocket>();
        double before = gateway.refused("client_connections");
        for (int i = 0; i < 4; i++) {
            held.add(Tls.connect(gateway.port(), "h2"));
            held.getLast().startHandshake();
        }
        boolean refused = false;
        try (SSLSocket fifth = Tls.connect(gateway.port(), "h2")) {
            fifth.startHandshake();
        } catch (SSLException | SocketException | EOFException e) {
            refused = true;
        }
        assertTrue(refused, "not even a handshake");
        assertEquals(before + 1, gateway.refused("client_connections"));
        for (SSLSocket socket : held) {
            socket.close();
        }
        RunningGateway.await("all closed", () -> gateway.connections() == 0);
    }

    /** One frame as it came. */
    private record Frame(int type, int stream, byte[] payload) {
        int error() {
            return ByteBuffer.wrap(payload).getInt(type == GOAWAY ? 4 : 0);
        }
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /** A header block without compression: GET of a file at the host a, and a field of so many bytes. */
    private static byte[] get(String path, int fieldBytes) {
        var block = new ByteArrayOutputStream();
        block.writeBytes(new byte[] {(byte) 0x82, (byte) 0x87, 0x04, (byte) path.length()});
        block.writeBytes(path.getBytes(StandardCharsets.US_ASCII));
        block.writeBytes(new byte[] {0x01, 1, 'a'});
        if (fieldBytes > 0) {
            block.writeBytes(new byte[] {0x00, 1, 'x', 0x7f});
            int rest = fieldBytes - 127;
            for (; rest >= 128; rest >>= 7) {
                block.write(rest & 127 | 128);
            }
            block.write(rest);
            block.writeBytes("a".repeat(fieldBytes).getBytes(StandardCharsets.US_ASCII));
        }
        return block.toByteArray();
    }

    private SSLSocket open(byte[] settings) throws IOException {
        return open(new Socket(InetAddress.getLoopbackAddress(), gateway.port()), settings);
    }

    private static SSLSocket open(Socket connection, byte[] settings) throws IOException {
        SSLSocket socket = Tls.over(connection, "h2");
        socket.setSoTimeout(60_000);
        socket.startHandshake();
        assertEquals("h2", socket.getApplicationProtocol());
        OutputStream out = socket.getOutputStream();
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.write(frame(SETTINGS, 0, 0, settings));
        return socket;
    }

    /** Everything that comes until the other side closes. */
    private static List<Frame> untilClosed(SSLSocket socket) {
        var frames = new ArrayList<Frame>();
        try {
            var in = new DataInputStream(socket.getInputStream());
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                in.readUnsignedByte();
                frames.add(new Frame(type, in.readInt(), in.readNBytes(length)));
            }
        } catch (EOFException | SSLException | SocketException e) {
            return frames;
        } catch (IOException e) {
            throw new AssertionError("left open after " + frames, e);
        }
    }

    @Test
    void closesConnectionAfterManyRapidResets() throws Exception {
        try (SSLSocket socket = open(new byte[0])) {
            var all = new ByteArrayOutputStream();
            for (int i = 0; i < 1_000; i++) {
                all.writeBytes(frame(HEADERS, END_STREAM_AND_HEADERS, 2 * i + 1, get("/robots.txt", 0)));
                all.writeBytes(frame(RST_STREAM, 0, 2 * i + 1, new byte[] {0, 0, 0, 8}));
            }
            Thread.ofVirtual().start(() -> {
                try {
                    socket.getOutputStream().write(all.toByteArray());
                } catch (IOException e) {
                    // Ended already.
                }
            });
            List<Frame> frames = untilClosed(socket);
            Frame goAway = frames.stream()
                    .filter(frame -> frame.type() == GOAWAY)
                    .findFirst()
                    .orElseThrow();
            assertEquals(ENHANCE_YOUR_CALM, goAway.error());
        }
        assertEquals(List.of(), netty.all(), "one hostile client does not fill the log");
    }

    @Test
    void refusesExcessStreamsAndDropsStalledClient() throws Exception {
        double before = gateway.refused("stalled");
        // SETTINGS_INITIAL_WINDOW_SIZE of nothing: every response waits.
        try (SSLSocket socket = open(new byte[] {0, 4, 0, 0, 0, 0})) {
            for (int i = 0; i < 40; i++) {
                socket.getOutputStream()
                        .write(frame(HEADERS, END_STREAM_AND_HEADERS, 2 * i + 1, get("/openapi.yaml", 0)));
            }
            List<Frame> frames = untilClosed(socket);
            assertEquals(
                    8,
                    frames.stream()
                            .filter(frame -> frame.type() == RST_STREAM && frame.error() == REFUSED_STREAM)
                            .count());
            assertEquals(
                    0,
                    frames.stream()
                            .filter(frame -> frame.type() == DATA && frame.payload().length > 0)
                            .count());
        }
        RunningGateway.await("counted", () -> gateway.refused("stalled") == before + 3);
    }

    /** A client that takes nothing of one response, and pings and has other small responses all the while. */
    @Test
    void resetsUnreadStreamOnBusyConnection() throws Exception {
        double before = gateway.refused("stalled");
        // SETTINGS_INITIAL_WINDOW_SIZE of nothing; the connection's own window is as large as the protocol has it.
        try (SSLSocket socket = open(new byte[] {0, 4, 0, 0, 0, 0})) {
            OutputStream out = socket.getOutputStream();
            out.write(frame(HEADERS, END_STREAM_AND_HEADERS, 1, get("/openapi.yaml", 0)));
            Thread busy = Thread.ofVirtual().start(() -> {
                try {
                    for (int stream = 3; !Thread.currentThread().isInterrupted(); stream += 2) {
                        var frames = new ByteArrayOutputStream();
                        for (int i = 0; i < 10; i++) {
                            frames.writeBytes(frame(PING, 0, 0, new byte[8]));
                        }
                        if (stream % 40 == 3) {
                            frames.writeBytes(frame(HEADERS, END_STREAM_AND_HEADERS, stream, get("/nowhere", 0)));
                            frames.writeBytes(frame(WINDOW_UPDATE, 0, stream, new byte[] {0, 0, 64, 0}));
                        }
                        out.write(frames.toByteArray());
                        LockSupport.parkNanos(10_000_000);
                    }
                } catch (IOException e) {
                    // The test is over.
                }
            });
            Frame reset = untilReset(socket);
            busy.interrupt();
            assertEquals(1, reset.stream());
            assertEquals(ENHANCE_YOUR_CALM, reset.error());
            busy.join();
        }
        assertEquals(before + 1, gateway.refused("stalled"));
    }

    private static Frame untilReset(SSLSocket socket) throws IOException {
        var in = new DataInputStream(socket.getInputStream());
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            in.readUnsignedByte();
            var frame = new Frame(type, in.readInt(), in.readNBytes(length));
            if (type == RST_STREAM) {
                return frame;
            }
        }
    }

    /** The response takes longer to make than a client may be stalled: that is not the client's fault. */
    @Test
    void doesNotMistakeSlowServiceForSlowClient() throws Exception {
        double before = gateway.refused("stalled") + gateway.refused("slow_reader");
        HttpResponse<String> slow = get(HttpClient.Version.HTTP_2, "/api/v1/venues");
        assertEquals(503, slow.statusCode());
        assertEquals(before, gateway.refused("stalled") + gateway.refused("slow_reader"));
    }

    /** Responses are waiting for it; its system resets the connection without a word of TLS. */
    @Test
    void clientResetIsNotInternalError() throws Exception {
        double before = gateway.refused("failed");
        for (int i = 0; i < 20; i++) {
            var connection = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
            SSLSocket socket = open(connection, new byte[] {0, 4, 0, 0, 0, 0});
            socket.getOutputStream().write(frame(HEADERS, END_STREAM_AND_HEADERS, 1, get("/openapi.yaml", 0)));
            assertTrue(socket.getInputStream().read() >= 0);
            connection.setSoLinger(true, 0);
            connection.close();
            RunningGateway.await("gone", () -> gateway.connections() == 0);
        }
        assertEquals(List.of(), unhandled.all());
        assertEquals(before, gateway.refused("failed"));
    }

    @Test
    void fieldsThatAreTooLongAreRefused() throws Exception {
        try (SSLSocket socket = open(new byte[0])) {
            socket.getOutputStream().write(frame(HEADERS, END_STREAM_AND_HEADERS, 1, get("/robots.txt", 9_000)));
            List<Frame> frames = untilClosed(socket);
            // 431 is a literal of the static table's :status, so its digits stand there as they are, or packed.
            assertTrue(
                    frames.stream()
                            .noneMatch(frame ->
                                    frame.type() == DATA && new String(frame.payload()).contains("User-agent")),
                    frames.toString());
            assertTrue(
                    frames.stream().anyMatch(frame -> frame.stream() == 1 || frame.type() == GOAWAY),
                    frames.toString());
        }
    }

    @Test
    void aHeaderThatNeverEndsIsCutOff() throws Exception {
        double before = gateway.refused("idle");
        try (SSLSocket socket = open(new byte[0])) {
            byte[] block = get("/robots.txt", 0);
            socket.getOutputStream().write(frame(HEADERS, 1, 1, block));
            Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        // Frames that request nothing do not buy more time.
                        socket.getOutputStream().write(frame(9, 0, 1, new byte[0]));
                        LockSupport.parkNanos(300_000_000);
                    }
                } catch (IOException e) {
                    // Ended.
                }
            });
            boolean ended = untilClosed(socket).stream().anyMatch(frame -> frame.type() == GOAWAY);
            RunningGateway.await("gone", () -> gateway.connections() == 0);
            assertTrue(ended || gateway.refused("idle") == before + 1, "by the codec's bound or by the idle time");
        }
    }

    @Test
    void aBodyIsRefused() throws Exception {
        try (SSLSocket socket = open(new byte[0])) {
            socket.getOutputStream().write(frame(HEADERS, END_HEADERS, 1, get("/robots.txt", 0)));
            socket.getOutputStream().write(frame(DATA, 1, 1, "{}".getBytes(StandardCharsets.US_ASCII)));
            List<Frame> frames = untilClosed(socket);
            String body = frames.stream()
                    .filter(frame -> frame.type() == DATA)
                    .map(frame -> new String(frame.payload(), StandardCharsets.UTF_8))
                    .reduce("", String::concat);
            assertTrue(body.startsWith("{\"status\":\"unreadable\""), body);
        }
    }

    @Test
    void aNewCertificateIsServedWithoutARestart() throws Exception {
        RunningGateway.await("those of other tests are closed", () -> gateway.connections() == 0);
        assertEquals("CN=first", Tls.commonName(gateway.port()));
        Tls.certificate(directory.resolve("public.pem"), "second");
        RunningGateway.await("the new one", () -> {
            try {
                return Tls.commonName(gateway.port()).equals("CN=second");
            } catch (IOException e) {
                return false;
            }
        });
        Tls.certificate(directory.resolve("public.pem"), "first");
        RunningGateway.await("the old one again", () -> {
            try {
                return Tls.commonName(gateway.port()).equals("CN=first");
            } catch (IOException e) {
                return false;
            }
        });
    }
}
