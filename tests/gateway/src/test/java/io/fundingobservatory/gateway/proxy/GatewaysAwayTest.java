package io.fundingobservatory.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.fixture.FixedSnapshots;
import io.fundingobservatory.gateway.fixture.Responses;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.Release;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clients receive while no gateway responds, or only some do. */
class GatewaysAwayTest {
    private static final long STALE_AFTER_MS = 180_000;

    /** The rows are 155 s old when the gateway dies: the last list may be shown for some seconds more. */
    @Test
    void listEndsBeforeRowNeedsItsMark(@TempDir Path dir) throws IOException {
        RunningGateway gateway =
                RunningGateway.start(FixedSnapshots.ROWS, "2", "observatory.gateway.traffic.exempt", "127.0.0.1");
        try (Nginx nginx = Nginx.before(dir, gateway.port(), gateway.port());
                var client = ProxyClient.plain(nginx)) {
            gateway.bean(FixedSnapshots.class).asOf(System.currentTimeMillis() - STALE_AFTER_MS + 25_000);
            assertEquals(200, client.get("/api/v1/latest").statusCode());
            gateway.close();
            assertEndsInTime(client);
        } finally {
            gateway.close();
        }
    }

    /** Gateways that take connections and never respond: nginx shows the last list after a wait. */
    @Test
    void listBehindHangingGatewaysEndsInTime(@TempDir Path dir) throws IOException {
        RunningGateway gateway = RunningGateway.serving(2);
        var hangs = new AtomicBoolean();
        var released = new CountDownLatch(1);
        try (var hanging = new StubGateway(exchange -> {
                    if (hangs.get()) {
                        awaitUninterrupted(released);
                        return;
                    }
                    HttpResponse<byte[]> response =
                            gateway.get(exchange.getRequestURI().toString());
                    exchange.getResponseHeaders().putAll(response.headers().map());
                    exchange.sendResponseHeaders(response.statusCode(), response.body().length);
                    exchange.getResponseBody().write(response.body());
                });
                Nginx nginx = Nginx.before(dir, hanging.port(), hanging.port());
                var client = ProxyClient.plain(nginx)) {
            gateway.bean(FixedSnapshots.class).asOf(System.currentTimeMillis() - STALE_AFTER_MS + 25_000);
            assertEquals(200, client.get("/api/v1/latest").statusCode());
            hangs.set(true);
            assertEndsInTime(client);
        } finally {
            released.countDown();
        }
    }

    private static void awaitUninterrupted(CountDownLatch released) throws IOException {
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** Until the proxy shows an error: no row is older than 180 s without its mark, when it arrives. */
    private static void assertEndsInTime(ProxyClient client) {
        var states = new TreeSet<String>();
        var last = new AtomicReference<HttpResponse<byte[]>>();
        Await.until("no gateway responds, and the list is too old", () -> {
            HttpResponse<byte[]> response = client.get("/api/v1/latest");
            last.set(response);
            long nowMs = System.currentTimeMillis();
            states.add(response.statusCode() + " " + Responses.header(response, "X-Cache-Status"));
            if (response.statusCode() == 200) {
                for (JsonNode row : Responses.json(response).path("rows")) {
                    long ageMs = nowMs - row.path("observed_at_ms").asLong();
                    assertTrue(ageMs <= STALE_AFTER_MS || row.path("stale").asBoolean(), ageMs + " ms, not marked");
                }
            }
            return response.statusCode() != 200;
        });
        assertTrue(states.contains("200 STALE"), "served from the cache before: " + states);
        assertEquals(503, last.get().statusCode());
        assertEquals("5", Responses.header(last.get(), "Retry-After"));
        assertEquals("starting", Responses.json(last.get()).path("status").asText());
    }

    @Test
    void errorHasMembersOfGatewaysOwn(@TempDir Path dir) throws IOException {
        RunningGateway starting = RunningGateway.starting();
        try (Nginx nginx = Nginx.before(dir, 1);
                var client = ProxyClient.plain(nginx)) {
            JsonNode expected = Responses.json(starting.get("/api/v1/latest"));
            JsonNode made = Responses.json(client.get("/api/v1/latest"));
            assertEquals(names(expected, ""), names(made, ""));
            for (String same :
                    new String[] {"/meta/units", "/meta/release", "/meta/venues_listed", "/meta/missing/kinds"}) {
                assertEquals(expected.at(same), made.at(same), same);
            }
            assertEquals(
                    expected.at("/meta/missing/values").findValuesAsText("field"),
                    made.at("/meta/missing/values").findValuesAsText("field"));
            assertEquals(Release.NAME, made.at("/meta/release").asText());
            assertTrue(
                    Math.abs(System.currentTimeMillis()
                                    - made.at("/meta/generated_at_ms").asLong())
                            < 3_600_000,
                    "milliseconds");
        }
    }

    private static TreeSet<String> names(JsonNode object, String above) {
        var names = new TreeSet<String>();
        object.properties().forEach(member -> {
            names.add(above + member.getKey());
            names.addAll(names(member.getValue(), above + member.getKey() + "."));
        });
        return names;
    }

    /** Two entries of one gateway that has no snapshot: nginx excludes none of them, and makes no response of its own. */
    @Test
    void bothStartingReturnTheirOwn503(@TempDir Path dir) throws IOException {
        RunningGateway starting = RunningGateway.starting();
        try (Nginx nginx = Nginx.before(dir, starting.port(), starting.port());
                var client = ProxyClient.plain(nginx)) {
            for (int i = 0; i < 50; i++) {
                HttpResponse<byte[]> response = client.get("/api/v1/latest");
                assertEquals(503, response.statusCode());
                assertTrue(
                        Responses.json(response).path("reason").asText().startsWith("the first complete snapshot"),
                        "from the gateway");
            }
        }
    }

    @Test
    void oneServingGatewayIsEnough(@TempDir Path dir) throws IOException {
        RunningGateway starting = RunningGateway.starting();
        RunningGateway serving = RunningGateway.serving(2);
        try (Nginx nginx = Nginx.before(dir, starting.port(), serving.port(), 1);
                var client = ProxyClient.plain(nginx)) {
            for (int i = 0; i < 50; i++) {
                assertEquals(200, client.get("/api/v1/latest?assets=A" + i).statusCode());
            }
        }
    }

    /** What nginx refuses before a gateway sees it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET | 400",
                "GET /%zz HTTP/1.1 | 400",
                "TRACE /api/v1/latest HTTP/1.1 | 405",
                "POST /api/v1/latest HTTP/1.1;Content-Length: 9;;123456789 | 413",
                "GET /LONG HTTP/1.1 | 414",
                "GET / HTTP/1.1;X: LONG | 431",
                "GET / HTTP/3.0 | 505",
            })
    void errorsOfNginxAreJson(String request, int status, @TempDir Path dir) throws IOException {
        try (Nginx nginx = Nginx.before(dir, 1);
                Socket socket = nginx.connect("127.0.0.1")) {
            String lines = request.replace("LONG", "l".repeat(9_000));
            String[] parts = lines.split(";;", 2);
            String head = String.join("\r\n", parts[0].split(";"));
            String host = head.contains("HTTP/") ? "\r\nHost: a\r\nConnection: close\r\n\r\n" : "\r\n\r\n";
            socket.getOutputStream()
                    .write((head + host + (parts.length > 1 ? parts[1] : "")).getBytes(StandardCharsets.US_ASCII));
            String response = read(socket.getInputStream());
            assertTrue(response.startsWith("HTTP/1.1 " + status + " "), response);
            JsonNode body = Responses.tree(
                    response.substring(response.indexOf("\r\n\r\n") + 4).getBytes(StandardCharsets.UTF_8));
            assertEquals(
                    status == 405 ? "read_only" : "unreadable",
                    body.path("status").asText());
            assertEquals("free", body.path("plan").asText());
        }
    }

    private static String read(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
}
