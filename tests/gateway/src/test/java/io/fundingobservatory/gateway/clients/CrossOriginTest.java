package io.fundingobservatory.gateway.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.fixture.Responses;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pages and apps of any origin read every response, whatever name the gateway is called by: a gateway at localhost included. */
class CrossOriginTest {
    private record Call(String origin, String host) {}

    private static final List<Call> CALLS = Stream.of("https://a.example", "null", "http://localhost:3000")
            .flatMap(origin -> Stream.of("localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "rates.example")
                    .map(host -> new Call(origin, host)))
            .toList();

    /** What is requested, with the status that GET gets. */
    private static final Map<String, Integer> TARGETS = Map.ofEntries(
            Map.entry("/", 200),
            Map.entry("/robots.txt", 200),
            Map.entry("/openapi.yaml", 200),
            Map.entry("/manifest.json", 200),
            Map.entry("/.well-known/api-catalog", 200),
            Map.entry("/api/v1", 200),
            Map.entry("/api/v1/latest", 200),
            Map.entry("/api/v1/latest?assets=C1", 200),
            Map.entry("/api/v1/venues", 200),
            Map.entry("/api/v1/carry", 503),
            Map.entry("/api/v1/history", 501),
            Map.entry("/api/v1/latest?x=1", 400),
            Map.entry("/nowhere", 404),
            Map.entry("/" + "a".repeat(4_000), 414));

    private final RunningGateway gateway = RunningGateway.serving(2);

    private int checked;

    /** Whether a response may be read depends on origin and host together, and on neither with a target: each pair has its turn. */
    @Test
    void everyResponseIsReadableFromEveryOrigin() throws IOException {
        for (var target : TARGETS.entrySet()) {
            int status = target.getValue();
            check("GET", target.getKey(), "", status);
            check("HEAD", target.getKey(), "", status);
            check("POST", target.getKey(), "", status == 414 ? 414 : 405);
            check("OPTIONS", target.getKey(), "Access-Control-Request-Method: GET\r\n", status == 414 ? 414 : 204);
        }
        for (Call _ : CALLS) {
            check("GET", "/", "Host: another\r\n", 400);
            check("GET", "/", "X: " + "a".repeat(9_000) + "\r\n", 431);
            check("GET", "/api/v1/latest", "If-None-Match: *\r\n", 304);
            check("GET", "/api/v1/latest", "", 200);
        }
    }

    @Test
    void aRefusalIsReadableFromEveryOrigin() throws IOException {
        String from = "X-Forwarded-For: 2001:db8:7::1\r\n";
        for (Call call : CALLS) {
            int lists = 0;
            while (status(exchange("GET", "/api/v1/latest?venues=all", call, from)) == 200) {
                assertTrue(++lists < 40, "the client's points are used up");
            }
            check("GET", "/api/v1/latest?venues=all", from, 429);
        }
    }

    private void check(String method, String target, String fields, int status) throws IOException {
        Call call = CALLS.get(checked++ % CALLS.size());
        String response = exchange(method, target, call, fields);
        String what =
                method + ' ' + target.substring(0, Math.min(40, target.length())) + ' ' + call + " -> " + response;
        assertEquals(status, status(response), what);
        int end = response.indexOf("\r\n\r\n");
        String head = response.substring(0, end + 2);
        assertTrue(head.contains("\r\nAccess-Control-Allow-Origin: *\r\n"), what);
        assertFalse(head.contains("\r\nAccess-Control-Allow-Credentials"), what);
        String body = response.substring(end + 4);
        if ((method.equals("HEAD") && status != 414) || status == 204 || status == 304) {
            assertEquals("", body, what);
        } else if (status != 200) {
            JsonNode json = Responses.tree(body.getBytes(StandardCharsets.UTF_8));
            assertEquals("free", json.path("plan").asText(), what);
            assertFalse(json.path("reason").asText().isEmpty(), what);
            assertTrue(json.path("meta").isObject(), what);
        }
    }

    private static int status(String response) {
        return Integer.parseInt(response.substring(9, 12));
    }

    private String exchange(String method, String target, Call call, String fields) throws IOException {
        try (Socket socket = gateway.connect()) {
            socket.setSoTimeout(10_000);
            String request = method + ' ' + target + " HTTP/1.1\r\nHost: " + call.host() + "\r\nOrigin: "
                    + call.origin() + "\r\nConnection: close\r\n" + fields + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
