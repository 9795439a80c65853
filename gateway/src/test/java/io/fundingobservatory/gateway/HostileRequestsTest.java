package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.gateway.core.UnitsWalk;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What no honest client sends, byte for byte over a socket: each gets an answer in the envelope and a close within a second. */
class HostileRequestsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static ApplicationContext gateway;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        int management;
        try (ServerSocket socket = new ServerSocket(0)) {
            management = socket.getLocalPort();
        }
        gateway = ApplicationContext.run(Map.of(
                "micronaut.server.port", "0",
                "observatory.management.port", Integer.toString(management),
                // Nobody is there: files are served all the same.
                "observatory.kafka.bootstrap-servers", "127.0.0.1:1",
                "observatory.gateway.traffic.exempt", "127.0.0.1",
                "observatory.gateway.port.header-timeout", "2s",
                "observatory.gateway.port.client-connections", "32"));
        port = gateway.getBean(EmbeddedServer.class).start().getPort();
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static Socket connect() throws IOException {
        var socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(1_000);
        return socket;
    }

    /** Everything that comes back until the other side closes, which it must within a second. */
    private static String answer(String request) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketTimeoutException e) {
            return "left open";
        } catch (SocketException e) {
            return "reset";
        }
    }

    private static void refused(String what, String request, int... statuses) throws IOException {
        String answer = answer(request);
        boolean known = false;
        for (int status : statuses) {
            known |= answer.startsWith("HTTP/1.1 " + status + " ") || answer.startsWith("HTTP/1.0 " + status + " ");
        }
        assertTrue(known, what + " -> " + answer);
        int body = answer.indexOf("\r\n\r\n") + 4;
        JsonNode json = JSON.readTree(answer.substring(body));
        UnitsWalk.check(json);
        assertEquals(1, answer.split("HTTP/1\\.[01] \\d{3} ", -1).length - 1, what + ": one answer only");
    }

    @Test
    void framingThatCanBeReadInTwoWaysIsAnsweredAndClosed() {
        String get = "GET /robots.txt HTTP/1.1\r\n";
        var requests = new ArrayList<Executable>();
        Map<String, String> bad = Map.ofEntries(
                Map.entry(
                        "length and chunks",
                        get + "Host: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
                Map.entry("two lengths", get + "Host: a\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nhello"),
                Map.entry("two equal lengths", get + "Host: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
                Map.entry("a list of lengths", get + "Host: a\r\nContent-Length: 5, 5\r\n\r\nhello"),
                Map.entry("a length that is none", get + "Host: a\r\nContent-Length: +5\r\n\r\nhello"),
                Map.entry("a negative length", get + "Host: a\r\nContent-Length: -1\r\n\r\n"),
                Map.entry(
                        "chunks of another kind",
                        get + "Host: a\r\nTransfer-Encoding: chunked, xchunked\r\n\r\n0\r\n\r\n"),
                Map.entry("a body on GET", get + "Host: a\r\nContent-Length: 2\r\n\r\n{}"),
                Map.entry(
                        "a chunked body on GET",
                        get + "Host: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
                Map.entry("an announced body that never comes", get + "Host: a\r\nContent-Length: 5\r\n\r\n"),
                Map.entry("a bare CR in a value", get + "Host: a\r\nX: a\rb\r\n\r\n"),
                Map.entry("NUL in a value", get + "Host: a\r\nX: a\0b\r\n\r\n"),
                Map.entry("NUL in the address", "GET /robots\0.txt HTTP/1.1\r\nHost: a\r\n\r\n"),
                Map.entry("a folded line", get + "Host: a\r\nX: a\r\n b\r\n\r\n"),
                Map.entry("a blank before the colon", get + "Host : a\r\n\r\n"),
                Map.entry("no host", get + "X: a\r\n\r\n"),
                Map.entry("two hosts", get + "Host: a\r\nHost: b\r\n\r\n"),
                Map.entry("a field without a colon", get + "Host: a\r\nnonsense\r\n\r\n"));
        bad.forEach((what, request) -> requests.add(() -> refused(what, request, 400, 501)));
        requests.add(
                () -> refused("a version that is not there", "GET /robots.txt HTTP/9.9\r\nHost: a\r\n\r\n", 400, 505));
        requests.add(
                () -> refused("HTTP/2 without its preface", "GET /robots.txt HTTP/2.0\r\nHost: a\r\n\r\n", 400, 505));
        requests.add(() -> refused("no version", "GET /robots.txt\r\nHost: a\r\n\r\n", 400, 505));
        requests.add(() -> refused("bytes", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n", 400, 505));
        requests.add(() -> refused("too many fields", get + "Host: a\r\n" + "X: a\r\n".repeat(80) + "\r\n", 431));
        requests.add(() -> refused("a long line", "GET /" + "a".repeat(4_000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414));
        requests.add(() -> refused("long fields", get + "Host: a\r\nX: " + "a".repeat(9_000) + "\r\n\r\n", 431));
        assertAll(requests);
    }

    @Test
    void whatIsUnusualButRightIsAnswered() throws IOException {
        for (String request : List.of(
                "GET /robots.txt HTTP/1.0\r\n\r\n",
                "GET /robots.txt HTTP/1.0\r\nHost: a\r\n\r\n",
                "GET /robots.txt HTTP/1.1\r\nhost:a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                "GET http://a/robots.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")) {
            String answer = answer(request);
            assertTrue(answer.matches("(?s)HTTP/1\\.[01] 200 .*User-agent.*"), request + " -> " + answer);
        }
        try (Socket socket = connect()) {
            String two =
                    "GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\nGET /llms.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(two.getBytes(StandardCharsets.US_ASCII));
            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(2, answers.split("HTTP/1\\.1 200 ", -1).length - 1, "two in a row on one connection");
        }
    }

    @Test
    void aHeaderThatNeverEndsIsCutOff() throws Exception {
        try (Socket socket = connect()) {
            socket.setSoTimeout(8_000);
            long started = System.nanoTime();
            socket.getOutputStream()
                    .write("GET /robots.txt HTTP/1.1\r\nHost: a\r\nX: ".getBytes(StandardCharsets.US_ASCII));
            boolean open = true;
            while (open) {
                try {
                    // A byte now and then does not buy more time.
                    socket.getOutputStream().write('a');
                    socket.setSoTimeout(200);
                    open = socket.getInputStream().read() >= 0;
                } catch (SocketTimeoutException e) {
                    assertTrue(System.nanoTime() - started < TimeUnit.SECONDS.toNanos(6), "still open");
                } catch (SocketException e) {
                    open = false;
                }
            }
            assertTrue(System.nanoTime() - started > TimeUnit.SECONDS.toNanos(1), "not before its time");
        }
    }

    @Test
    void oneClientHoldsOnlySoManyConnections() throws Exception {
        var held = new ArrayList<Socket>();
        try {
            int answered = 0;
            for (int i = 0; i < 40; i++) {
                Socket socket = connect();
                held.add(socket);
                try {
                    socket.getOutputStream()
                            .write("GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    answered += socket.getInputStream().read() == 'H' ? 1 : 0;
                } catch (SocketException e) {
                    // Closed at once: that is the bound.
                    continue;
                }
            }
            assertTrue(answered >= 28 && answered <= 32, answered + " of 40 were answered");
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }
}
