package io.fundingobservatory.testbed.sim.server;

import com.sun.net.httpserver.HttpExchange;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** How an exchange responds while a fault lasts, or without one. Whatever waits here ends when the fault does. */
final class Misbehaviour {
    private static final String PAGE =
            "<!DOCTYPE html><html><head><title>Attention Required!</title></head><body></body></html>";
    private static final byte[] BLANKS = " ".repeat(64 * 1024).getBytes(StandardCharsets.US_ASCII);

    /** More than the 32 MB that the reader unpacks of any response, and a thousand times as much as is sent. */
    private static final int BOMB_BYTES = 40 * 1024 * 1024;

    private static final int TICKS_PER_SECOND = 10;
    private static final Map<HostileBody, byte[]> PACKED = new ConcurrentHashMap<>();

    private final @Nullable Fault fault;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Map<SimulatedRequest, SimulatedResponse> frozen = new ConcurrentHashMap<>();

    private Misbehaviour(@Nullable Fault fault) {
        this.fault = fault;
    }

    static Misbehaviour none() {
        return new Misbehaviour(null);
    }

    static Misbehaviour of(Fault fault) {
        return new Misbehaviour(fault);
    }

    /** Whether it responds in place of the exchange, which never comes to the request. */
    boolean replacesResponse(SimulatedRequest request) {
        return switch (fault) {
            case null -> false;
            case Fault.Truncated truncated -> false;
            case Fault.Slow slow -> false;
            case Fault.Frozen frozenFault -> frozen.containsKey(request);
            default -> true;
        };
    }

    void end() {
        ended.countDown();
    }

    /** Responds to one request; the right response is only computed where some of it is sent. */
    void response(HttpExchange http, SimulatedRequest request, Wire wire, Supplier<SimulatedResponse> right)
            throws IOException {
        switch (fault) {
            case null -> proper(http, right.get());
            case Fault.TooManyRequests(int seconds) -> {
                http.getResponseHeaders().set("Retry-After", Integer.toString(seconds));
                ResponseWriter.send(
                        http, 429, ResponseWriter.JSON, wire.errors().throttledBody());
            }
            case Fault.ServerError(int status) -> ResponseWriter.send(http, status, ResponseWriter.HTML, PAGE);
            case Fault.HtmlInsteadOfJson() -> ResponseWriter.send(http, 200, ResponseWriter.HTML, PAGE);
            case Fault.Truncated() -> {
                String body = right.get().body();
                ResponseWriter.send(http, 200, ResponseWriter.JSON, body.substring(0, body.length() / 2));
            }
            case Fault.Slow slow -> slowly(http, right.get().body(), slow);
            case Fault.InBandError() -> ResponseWriter.send(http, 200, ResponseWriter.JSON, wire.errorBody());
            case Fault.Empty() -> ResponseWriter.send(http, 200, ResponseWriter.JSON, "");
            case Fault.NoResponse() -> pause(Long.MAX_VALUE);
            case Fault.Frozen() -> proper(http, frozen.computeIfAbsent(request, first -> right.get()));
            case Fault.Redirect(String to) -> {
                http.getResponseHeaders().set("Location", to);
                ResponseWriter.send(http, 302, ResponseWriter.HTML, "");
            }
            case Fault.GzipBomb() -> gzipped(http, Bomb.PACKED);
            case Fault.Hostile(HostileBody body) -> gzipped(http, PACKED.computeIfAbsent(body, HostileBody::gzip));
            case Fault.EndlessBody() -> endless(http);
        }
    }

    private void proper(HttpExchange http, SimulatedResponse simulated) throws IOException {
        pause(simulated.afterMs());
        simulated.headers().forEach(http.getResponseHeaders()::set);
        ResponseWriter.send(http, simulated.status(), simulated.contentType(), simulated.body());
    }

    private void slowly(HttpExchange http, String body, Fault.Slow slow) throws IOException {
        pause(slow.first().toMillis());
        byte[] bytes = ResponseWriter.prepared(http, body.getBytes(StandardCharsets.UTF_8));
        if (slow.bytesPerSecond() <= 0) {
            ResponseWriter.sendBytes(http, 200, ResponseWriter.JSON, bytes);
            return;
        }
        http.getResponseHeaders().set("Content-Type", ResponseWriter.JSON);
        http.sendResponseHeaders(200, bytes.length);
        int piece = (int) Math.max(1, slow.bytesPerSecond() / TICKS_PER_SECOND);
        long pauseMs = 1_000L * piece / slow.bytesPerSecond();
        for (int at = 0; at < bytes.length; at += piece) {
            http.getResponseBody().write(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + piece)));
            http.getResponseBody().flush();
            pause(pauseMs);
        }
    }

    private static void gzipped(HttpExchange http, byte[] packed) throws IOException {
        http.getResponseHeaders().set("Content-Encoding", "gzip");
        ResponseWriter.sendBytes(http, 200, ResponseWriter.JSON, packed);
    }

    /** Packed once: it costs the test far more than the one who unpacks it. */
    private static final class Bomb {
        static final byte[] PACKED = packed();

        private static byte[] packed() {
            var bytes = new ByteArrayOutputStream();
            try (var gzip = new GZIPOutputStream(bytes)) {
                gzip.write('[');
                for (int written = 0; written < BOMB_BYTES; written += BLANKS.length) {
                    gzip.write(BLANKS);
                }
                gzip.write(']');
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.toByteArray();
        }
    }

    private void endless(HttpExchange http) throws IOException {
        http.getResponseHeaders().set("Content-Type", ResponseWriter.JSON);
        http.sendResponseHeaders(200, 0);
        http.getResponseBody().write('[');
        while (ended.getCount() > 0) {
            http.getResponseBody().write(BLANKS);
        }
    }

    /** Waits so long, or until the fault ends. */
    private void pause(long milliseconds) {
        try {
            ended.await(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
