package io.fundingobservatory.gateway.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.gateway.core.site.Described;
import io.fundingobservatory.gateway.core.site.UnitsWalk;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests that no well-behaved client sends, byte for byte over a socket. Each gets a response in the
 * envelope and a close within a second.
 */
class HostileRequestsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String GET = "GET /robots.txt HTTP/1.1\r\n";
    private static final String END = "Host: a\r\n\r\n";

    private final RunningGateway gateway = RunningGateway.starting();

    /** What is sent, and the statuses that are right. */
    private record Sent(String what, String request, Integer... statuses) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static Sent field(String what, String fields, Integer... statuses) {
        return new Sent(what, GET + "Host: a\r\n" + fields + "\r\n\r\n", statuses);
    }

    private static Sent line(String what, String line, Integer... statuses) {
        return new Sent(what, line + "\r\n" + END, statuses);
    }

    static Stream<Sent> matrix() {
        return Stream.of(framing(), fields(), lines(), sizes()).flatMap(List::stream);
    }

    private static List<Sent> framing() {
        return List.of(
                field("length and chunks", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", 400),
                field("chunks and length", "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n", 400),
                field("two lengths", "Content-Length: 0\r\nContent-Length: 5\r\n\r\nhello", 400),
                field("two equal lengths", "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 400),
                field("two lengths of nothing", "Content-Length: 0\r\nContent-Length: 0", 400),
                field("a list of lengths", "Content-Length: 5, 5\r\n\r\nhello", 400),
                field("a length with a sign", "Content-Length: +5\r\n\r\nhello", 400),
                field("a negative length", "Content-Length: -1", 400),
                field("a length in hexadecimal", "Content-Length: 0x5\r\n\r\nhello", 400),
                field("a length beyond all numbers", "Content-Length: 99999999999999999999", 400),
                field("an empty length", "Content-Length: ", 400),
                field("a body on GET", "Content-Length: 2\r\n\r\n{}", 400),
                field("an announced body that never comes", "Content-Length: 5", 400),
                field("a chunked body on GET", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", 400),
                field("chunks of another kind", "Transfer-Encoding: chunked, xchunked\r\n\r\n0\r\n", 400, 501),
                field("chunks that are hidden", "Transfer-Encoding: xchunked\r\n\r\n0\r\n", 400, 501),
                field("chunks twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", 400),
                field("identity", "Transfer-Encoding: identity", 400, 501),
                field("a chunk with an extension", "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n", 400),
                field("a chunk of negative size", "Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n", 400),
                field("a blank before chunked's colon", "Transfer-Encoding : chunked\r\n\r\n0\r\n", 400),
                new Sent("a body on HEAD", "HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", 400),
                new Sent("a body on OPTIONS", "OPTIONS / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", 400),
                new Sent("a body on POST", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", 405),
                new Sent("a body on HTTP/1.0", "GET / HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}", 400),
                new Sent(
                        "a second request within the body",
                        GET + "Host: a\r\nContent-Length: 50\r\n\r\n" + GET + END + GET + END,
                        400),
                new Sent("a right request after a wrong one", GET + "Host: a\r\nHost: b\r\n\r\n" + GET + END, 400));
    }

    private static List<Sent> fields() {
        return List.of(
                field("a bare CR in a value", "X: a\rb", 400),
                field("a bare CR in a name", "X\rY: a", 400),
                field("a bare CR at the end of a line", "X: a\r\r", 400),
                field("a bare LF in a value", "X: a\nY: b", 400),
                field("a bare LF in a name", "X\nY: a", 400),
                new Sent("bare LFs throughout", "GET /robots.txt HTTP/1.1\nHost: a\n\n", 400),
                field("NUL in a value", "X: a\0b", 400),
                field("NUL in a name", "X\0Y: a", 400),
                field("a control character in a name", "X\u0007Y: a", 400),
                new Sent("a fold before the first field", GET + " X: a\r\n" + END, 400),
                field("a blank before the colon", "X : a", 400),
                field("a blank in a name", "X Y: a", 400),
                field("a field without a colon", "nonsense", 400),
                field("a field without a name", ": a", 400),
                new Sent("no host", GET + "X: a\r\n\r\n", 400),
                new Sent("two hosts", GET + "Host: a\r\nHost: b\r\n\r\n", 400),
                new Sent("twice the same host", GET + "Host: a\r\nHost: a\r\n\r\n", 400),
                new Sent("a blank before the host's colon", GET + "Host : a\r\n\r\n", 400),
                new Sent("an empty host", GET + "Host: \r\n\r\n", 400),
                new Sent("a host with a path", GET + "Host: a/b\r\n\r\n", 400),
                new Sent("a host with a user", GET + "Host: u@a\r\n\r\n", 400),
                new Sent("a list of hosts", GET + "Host: a b\r\n\r\n", 400),
                new Sent("a host with a port that is none", GET + "Host: a:b\r\n\r\n", 400),
                new Sent("a host with markup", GET + "Host: <script>\r\n\r\n", 400));
    }

    private static List<Sent> lines() {
        return List.of(
                line("HTTP/9.9", "GET /robots.txt HTTP/9.9", 400, 505),
                line("HTTP/1.2", "GET /robots.txt HTTP/1.2", 505),
                line("HTTP/2.0 without its preface", "GET /robots.txt HTTP/2.0", 505),
                new Sent("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, 505),
                line("no version", "GET /robots.txt", 400, 505),
                new Sent("HTTP/0.9", "GET /robots.txt\r\n\r\n", 400, 505),
                line("a version that is a word", "GET /robots.txt HTTP/x.y", 400, 505),
                line("a version with a sign", "GET /robots.txt HTTP/+1.1", 400, 505),
                line("a version with more", "GET /robots.txt HTTP/1.1.1", 400, 505),
                new Sent("the hello of TLS", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n", 400, 505),
                new Sent("NUL in the target", "GET /robots\0.txt HTTP/1.1\r\n" + END, 400),
                line("a control character in the target", "GET /robots\u0001.txt HTTP/1.1", 400),
                line("bytes beyond ASCII in the target", "GET /\u00e9 HTTP/1.1", 400),
                line("half an encoding", "GET /robots%2 HTTP/1.1", 400),
                line("an encoding that is none", "GET /%zz HTTP/1.1", 400),
                line("a fragment", "GET /robots.txt#a HTTP/1.1", 400),
                line("a backslash", "GET \\robots.txt HTTP/1.1", 400),
                line("markup", "GET /<script> HTTP/1.1", 400),
                line("no slash", "GET robots.txt HTTP/1.1", 400),
                line("an asterisk on GET", "GET * HTTP/1.1", 400),
                line("another scheme", "GET ftp://a/robots.txt HTTP/1.1", 400),
                line("an absolute target without a host", "GET http:///robots.txt HTTP/1.1", 400),
                line("a method that is none", "GE(T /robots.txt HTTP/1.1", 400, 405));
    }

    private static List<Sent> sizes() {
        return List.of(
                line("a long line", "GET /" + "a".repeat(4_000) + " HTTP/1.1", 414),
                line("a long query", "GET /api/v1/latest?venues=" + "a,".repeat(1_100) + " HTTP/1.1", 414),
                new Sent("a line without an end", "GET /" + "a".repeat(4_000), 414),
                new Sent("empty lines without an end", "\r\n".repeat(4_000), 400, 414),
                field("a long field", "X: " + "a".repeat(9_000), 431),
                field("a long field without an end", "X: " + "a".repeat(9_000), 431),
                field("65 fields", "X: a\r\n".repeat(63) + "X: a", 431),
                field("long fields", ("X: " + "a".repeat(1_000) + "\r\n").repeat(9) + "X: a", 431));
    }

    @ParameterizedTest
    @MethodSource("matrix")
    void getsResponseAndIsClosed(Sent sent) throws IOException {
        String response = response(sent.request());
        assertTrue(
                Stream.of(sent.statuses()).anyMatch(status -> response.matches("(?s)HTTP/1\\.[01] " + status + " .*")),
                sent + " -> " + response);
        String head = response.substring(0, response.indexOf("\r\n\r\n"));
        assertTrue(head.toLowerCase(Locale.ROOT).contains("\r\nconnection: close"), head);
        assertTrue(head.contains("\r\nX-Content-Type-Options: nosniff"), head);
        assertFalse(head.contains("\r\nServer:"), head);
        String body = response.substring(head.length() + 4);
        if (sent.request().startsWith("HEAD ")) {
            assertEquals("", body, "a response to HEAD has no body");
            return;
        }
        JsonNode json = JSON.readTree(body);
        UnitsWalk.check(json);
        Described.check("GET", "/nowhere", response);
        assertFalse(json.path("reason").asText().isEmpty());
        assertFalse(body.contains("script"), "nothing is echoed");
        assertEquals(1, response.split("HTTP/1\\.[01] \\d{3} ", -1).length - 1, sent + ": one response only");
    }

    static Stream<Sent> matrixOfHead() {
        return matrix().filter(sent -> sent.request().startsWith("GET "))
                .map(sent -> new Sent(sent.what(), "HEAD" + sent.request().substring(3), sent.statuses()));
    }

    /** Status and fields are those of GET. There is no body where the request line could be decoded: otherwise the method is unknown. */
    @ParameterizedTest
    @MethodSource("matrixOfHead")
    void headHasResponseOfGet(Sent sent) throws IOException {
        String response = response(sent.request());
        assertTrue(
                Stream.of(sent.statuses()).anyMatch(status -> response.matches("(?s)HTTP/1\\.[01] " + status + " .*")),
                sent + " -> " + response);
        int end = response.indexOf("\r\n\r\n");
        String head = response.substring(0, end + 2);
        for (String field : List.of(
                "Access-Control-Allow-Origin: *",
                "X-Content-Type-Options: nosniff",
                "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
                "Cache-Control: no-store",
                "Content-Type: application/json; charset=utf-8")) {
            assertTrue(head.contains("\r\n" + field + "\r\n"), field + " in " + head);
        }
        // What the guard refuses by its bytes has no method either.
        assertTrue(sent.statuses()[0] != 431 || response.substring(end + 4).isEmpty(), response);
    }

    /** A client that leaves in the middle of a header did nothing wrong that is worth a count. */
    @Test
    void leavingWithinAHeaderIsNotMalformed() throws IOException, InterruptedException {
        double before = gateway.refused("malformed");
        double open;
        try (Socket socket = gateway.connect()) {
            socket.getOutputStream().write((GET + "Host: ").getBytes(StandardCharsets.US_ASCII));
            RunningGateway.await("the connection is open", () -> gateway.connections() >= 1);
            open = gateway.connections();
        }
        RunningGateway.await("the connection has gone", () -> gateway.connections() < open);
        assertEquals(before, gateway.refused("malformed"));
    }

    /** Everything that comes back until the other side closes, which it must by itself: a header may take 10 s. */
    private String response(String request) throws IOException {
        try (Socket socket = gateway.connect()) {
            socket.setSoTimeout(8_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketTimeoutException e) {
            return "left open";
        } catch (SocketException e) {
            return "reset";
        }
    }

    static Stream<Sent> unusual() {
        String close = "Connection: close\r\n\r\n";
        return Stream.of(
                new Sent("HTTP/1.0", "GET /robots.txt HTTP/1.0\r\n\r\n", 200),
                new Sent("HTTP/1.0 with a host", "GET /robots.txt HTTP/1.0\r\nHost: a\r\n\r\n", 200),
                new Sent("a length of nothing", GET + "host:a\r\nContent-Length: 0\r\n" + close, 200),
                new Sent("an absolute target", "GET http://a/robots.txt HTTP/1.1\r\nHost: a\r\n" + close, 200),
                new Sent(
                        "an absolute target of https",
                        "GET HTTPS://a:1/robots.txt HTTP/1.1\r\nHost: a\r\n" + close,
                        200),
                new Sent("a host with a port", GET + "Host: a.example:8080\r\n" + close, 200),
                new Sent("an IPv6 host", GET + "Host: [::1]:8080\r\n" + close, 200),
                new Sent("empty lines before", "\r\n\r\n" + GET + "Host: a\r\n" + close, 200),
                new Sent("an expectation without a body", GET + "Host: a\r\nExpect: 100-continue\r\n" + close, 200),
                new Sent(
                        "an upgrade that is not taken",
                        GET + "Host: a\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n" + close,
                        200),
                // RFC 9112 §5.2 permits a server to read a fold as a blank, which the decoder does.
                new Sent("a folded line", GET + "Host: a\r\nX: a\r\n b\r\n" + close, 200),
                new Sent("a folded line by a tab", GET + "Host: a\r\nX: a\r\n\tb\r\n" + close, 200),
                new Sent("64 fields", GET + "Host: a\r\n" + "X: a\r\n".repeat(62) + close, 200),
                new Sent("an asterisk on OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: a\r\n" + close, 204),
                new Sent("TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\n" + close, 405),
                new Sent("CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n" + close, 405),
                new Sent("a method in small letters", "get / HTTP/1.1\r\nHost: a\r\n" + close, 405),
                new Sent("an encoded NUL", "GET /robots.txt%00 HTTP/1.1\r\nHost: a\r\n" + close, 404),
                new Sent("encoded dots", "GET /%2e%2e/robots.txt HTTP/1.1\r\nHost: a\r\n" + close, 404),
                new Sent("dots", "GET /../../etc/passwd HTTP/1.1\r\nHost: a\r\n" + close, 404),
                new Sent("a slash too many", "GET //robots.txt HTTP/1.1\r\nHost: a\r\n" + close, 404),
                new Sent("an overlong encoding", "GET /%c0%af HTTP/1.1\r\nHost: a\r\n" + close, 404),
                new Sent("UTF-8 that is none", "GET /%ff%fe HTTP/1.1\r\nHost: a\r\n" + close, 404),
                new Sent(
                        "an encoding that is none in the query",
                        "GET /api/v1/latest?venues=%u0041 HTTP/1.1\r\nHost: a\r\n" + close,
                        400),
                new Sent(
                        "UTF-8 that is none in a name",
                        "GET /api/v1/latest?x%ff=a HTTP/1.1\r\nHost: a\r\n" + close,
                        400));
    }

    @ParameterizedTest
    @MethodSource("unusual")
    void unusualRequestGetsUsualResponse(Sent sent) throws IOException {
        String response = response(sent.request());
        int status = sent.statuses()[0];
        assertTrue(response.matches("(?s)HTTP/1\\.[01] " + status + " .*"), sent + " -> " + response);
        assertEquals(status == 200, response.contains("User-agent"), response);
        assertEquals(1, response.split("HTTP/1\\.[01] \\d{3} ", -1).length - 1, sent + ": one response only");
    }

    @Test
    void respondsToPipelinedRequestsInOrder() throws IOException {
        String responses =
                response("GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\nHEAD /openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\nGET /llms.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                        + "GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\n");
        assertEquals(
                "200 200 404 200",
                Stream.of(responses.split("HTTP/1\\.1 ", -1))
                        .skip(1)
                        .map(response -> response.substring(0, 3))
                        .reduce((a, b) -> a + ' ' + b)
                        .orElse(""));
    }

    @Test
    void anHttp10ClientMayKeepItsConnection() throws IOException {
        String keep = "GET /robots.txt HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
        String responses = response(keep + keep + "GET /robots.txt HTTP/1.0\r\n\r\n");
        assertEquals(3, responses.split("HTTP/1\\.[01] 200 ", -1).length - 1, responses);
        assertEquals(2, responses.toLowerCase().split("connection: keep-alive", -1).length - 1, responses);
    }

    @Test
    void whatWasRefusedIsCounted() throws IOException {
        double before = gateway.refused("malformed");
        response("GET * HTTP/1.1\r\nHost: a\r\n\r\n");
        assertEquals(before + 1, gateway.refused("malformed"));
    }
}
