package io.fundingobservatory.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.fixture.Responses;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.testbed.Await;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the gateways leave to nginx: TLS with HTTP/2, slow readers, connections by address. */
class PublicProxyTest {
    private static final int CONNECTIONS = 64;

    /** More than the sockets of two ends hold. */
    private static final int LARGE = 12_000_000;

    @Test
    void http2OverTlsHasUntouchedBytes(@TempDir Path dir) throws Exception {
        RunningGateway gateway = RunningGateway.serving(3);
        try (Nginx nginx = Nginx.before(dir, gateway.port());
                var client = ProxyClient.tls(nginx)) {
            for (String coding : List.of("gzip", "")) {
                HttpResponse<byte[]> direct = gateway.get("/api/v1/latest", "Accept-Encoding", coding);
                HttpResponse<byte[]> proxied = client.get("/api/v1/latest", "Accept-Encoding", coding);
                assertEquals(HttpClient.Version.HTTP_2, proxied.version());
                assertArrayEquals(direct.body(), proxied.body());
                for (String field : List.of("Content-Encoding", "ETag", "Vary", "Last-Modified")) {
                    assertEquals(Responses.header(direct, field), Responses.header(proxied, field), field);
                }
                assertEquals(
                        304,
                        client.get(
                                        "/api/v1/latest",
                                        "Accept-Encoding",
                                        coding,
                                        "If-None-Match",
                                        Responses.header(direct, "ETag"))
                                .statusCode());
            }
        }
    }

    private static Socket requested(Nginx nginx, String from, String address) throws IOException {
        Socket socket = nginx.connect(from);
        socket.getOutputStream()
                .write(("GET " + address + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Clients that read nothing leave the gateway free, whether the response may be kept or not. */
    @Test
    void gatewayWaitsForNoSlowReader(@TempDir Path dir) throws IOException {
        for (String kept : List.of("public, max-age=1, stale-if-error=0", "no-store")) {
            var sent = new AtomicInteger();
            try (var gateway = new StubGateway(exchange -> {
                        exchange.getResponseHeaders().set("Cache-Control", kept);
                        exchange.sendResponseHeaders(200, LARGE);
                        exchange.getResponseBody().write(new byte[LARGE]);
                        sent.incrementAndGet();
                    });
                    Nginx nginx = Nginx.before(dir.resolve("of-" + kept.length()), gateway.port())) {
                var readers = new ArrayList<Socket>();
                for (int i = 0; i < 2; i++) {
                    readers.add(requested(nginx, "127.0.0.1", "/api/v1/latest?assets=A" + i));
                }
                Await.until("the gateway has sent all of it: " + kept, () -> sent.get() == 2);
                for (Socket reader : readers) {
                    reader.close();
                }
            }
        }
    }

    @Test
    void limitsConnectionsOfAddressAlone(@TempDir Path dir) throws IOException {
        var open = new AtomicInteger();
        var released = new CountDownLatch(1);
        // Responses go on, a byte a second, until they are released.
        try (var gateway = new StubGateway(exchange -> {
                    open.incrementAndGet();
                    exchange.getResponseHeaders().set("Cache-Control", "no-store");
                    exchange.sendResponseHeaders(200, 0);
                    do {
                        exchange.getResponseBody().write('x');
                        exchange.getResponseBody().flush();
                    } while (!isOver(released));
                });
                Nginx nginx = Nginx.before(dir, gateway.port());
                var client = ProxyClient.plain(nginx)) {
            var readers = new ArrayList<Socket>();
            for (int i = 0; i < CONNECTIONS; i++) {
                readers.add(requested(nginx, "127.0.0.1", "/api/v1/latest?assets=A" + i));
            }
            Await.until("all of them are at the gateway", () -> open.get() == CONNECTIONS);
            HttpResponse<byte[]> refused = client.get("/api/v1/latest");
            assertEquals(429, refused.statusCode());
            assertEquals("1", Responses.header(refused, "Retry-After"));
            assertEquals(CONNECTIONS, open.get());
            readers.add(requested(nginx, "127.0.0.2", "/api/v1/latest?assets=B"));
            Await.until("another address is served", () -> open.get() == CONNECTIONS + 1);
            released.countDown();
            for (Socket reader : readers) {
                reader.close();
            }
            Await.until("the client is served again", () -> status(nginx) == 200);
        }
    }

    private static boolean isOver(CountDownLatch released) throws IOException {
        try {
            return released.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static int status(Nginx nginx) {
        try (Socket socket = requested(nginx, "127.0.0.1", "/api/v1/latest?assets=C")) {
            String line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            return Integer.parseInt(line.substring(9));
        } catch (IOException e) {
            return -1;
        }
    }

    /** The gateways count clients by this header; one that a client invents has no effect. */
    @Test
    void clientCannotInventItsAddress(@TempDir Path dir) throws IOException {
        var seen = new ArrayList<String>();
        try (var gateway = new StubGateway(exchange -> {
                    seen.add(exchange.getRequestHeaders().get("X-Forwarded-For") + " "
                            + exchange.getRequestHeaders().get("Forwarded"));
                    exchange.sendResponseHeaders(200, -1);
                });
                Nginx nginx = Nginx.before(dir, gateway.port());
                Socket socket = nginx.connect("127.0.0.3")) {
            socket.getOutputStream()
                    .write(
                            "GET /a HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 9.9.9.9\r\nForwarded: for=9.9.9.9\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            assertTrue(socket.getInputStream().readAllBytes().length > 0);
            assertEquals(List.of("[127.0.0.3] null"), seen);
            assertFalse(nginx.log().contains("[emerg]"), nginx.log());
        }
    }
}
