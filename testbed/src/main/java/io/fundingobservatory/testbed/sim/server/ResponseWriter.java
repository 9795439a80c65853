package io.fundingobservatory.testbed.sim.server;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Writes HTTP responses as an exchange's front server does: gzip where it is accepted. */
final class ResponseWriter {
    static final String JSON = "application/json;charset=utf-8";
    static final String HTML = "text/html";

    private ResponseWriter() {}

    static void send(HttpExchange http, int status, String contentType, String body) throws IOException {
        byte[] bytes = prepared(http, body.getBytes(StandardCharsets.UTF_8));
        http.getResponseHeaders().set("Content-Type", contentType);
        http.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            http.getResponseBody().write(bytes);
        }
    }

    /** Returns the body in the coding that the client accepts, and names the coding in the header. */
    private static byte[] prepared(HttpExchange http, byte[] body) throws IOException {
        @Nullable String accepted = http.getRequestHeaders().getFirst("Accept-Encoding");
        if (accepted == null || !accepted.contains("gzip") || body.length < 256) {
            return body;
        }
        http.getResponseHeaders().set("Content-Encoding", "gzip");
        var compressed = new ByteArrayOutputStream(body.length / 4);
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write(body);
        }
        return compressed.toByteArray();
    }
}
