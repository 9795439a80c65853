package io.fundingobservatory.gateway.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fundingobservatory.gateway.PageFiles;
import io.fundingobservatory.gateway.core.site.Routed;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteRequest;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.traffic.ClientLimiter.Refusal;
import io.fundingobservatory.gateway.traffic.StandardLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Responds with the real site over a snapshot that tests put there; refuses and stops when told. */
final class PageServer implements AutoCloseable {
    /** What the build bundles. */
    static final Path SOURCE = Path.of("../../gateway/src/main/page");

    private final Site site = new Site(PageFiles.load(), System.currentTimeMillis(), StandardLimits.STANDARD, () -> "");
    private final int port;
    private HttpServer server;

    /** The snapshot from which responses are made; null while the service starts. */
    volatile @Nullable Snapshot snapshot;

    /** Whether every address of data is refused for volume, for two seconds each time. */
    volatile boolean refusing;

    /** Until it is counted down, responses of data stop half-way; null while they do not. */
    volatile @Nullable CountDownLatch stalled;

    /** How long a cache may keep a response of data, seconds; 0 keeps none. */
    volatile int maxAgeS;

    /** How often a list was requested that the browser had already. */
    final AtomicInteger unchangedLists = new AtomicInteger();

    PageServer() throws IOException {
        server = open(0);
        port = server.getAddress().getPort();
    }

    private HttpServer open(int at) throws IOException {
        HttpServer opened = HttpServer.create(new InetSocketAddress("127.0.0.1", at), 0);
        opened.createContext("/", this::response);
        opened.createContext("/source/", PageServer::source);
        opened.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        opened.start();
        return opened;
    }

    /** The same server under another name than that of this machine. */
    URI publicBase() {
        return URI.create("http://" + Browser.PUBLIC_HOST + ":" + port + "/");
    }

    URI base() {
        return URI.create("http://127.0.0.1:" + port + "/");
    }

    void stop() {
        server.stop(0);
    }

    /** Opens the same port again. */
    void start() throws IOException {
        server = open(port);
    }

    /** A module of the page as it is written, for tests of single functions; without a name, a document that runs nothing. */
    private static void source(HttpExchange exchange) throws IOException {
        try (exchange) {
            String name = exchange.getRequestURI().getPath().substring("/source/".length());
            byte[] module = name.isEmpty() ? new byte[0] : Files.readAllBytes(SOURCE.resolve(name));
            exchange.getResponseHeaders().set("Content-Type", name.isEmpty() ? "text/html" : "text/javascript");
            exchange.sendResponseHeaders(200, module.length == 0 ? -1 : module.length);
            exchange.getResponseBody().write(module);
        }
    }

    private void response(HttpExchange exchange) throws IOException {
        try (exchange) {
            SiteRequest request = SiteRequest.of(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders().getOrDefault("If-None-Match", List.of()),
                    null,
                    exchange.getRequestHeaders().getOrDefault("Accept-Encoding", List.of()),
                    System.currentTimeMillis());
            boolean data = request.path().startsWith("/api/");
            SiteResponse response = refusing && data
                    ? site.errors().refused(new Refusal(Refusal.Cause.VOLUME, 2, List.of()), request, snapshot)
                    : Routed.response(site, request, snapshot);
            response.headers().forEach((name, value) -> {
                if (!name.equals("Content-Length")) {
                    exchange.getResponseHeaders().set(name, value);
                }
            });
            if (data) {
                // Else the browser uses its cache for as long as a list lasts, and every test waits for that.
                exchange.getResponseHeaders().set("Cache-Control", maxAgeS == 0 ? "no-cache" : "max-age=" + maxAgeS);
            }
            if (response.status() == 304 && request.path().equals("/api/v1/latest")) {
                unchangedLists.incrementAndGet();
            }
            int length = Routed.pieces(response).stream()
                    .mapToInt(piece -> piece.length)
                    .sum();
            exchange.sendResponseHeaders(response.status(), length == 0 ? -1 : length);
            CountDownLatch until = stalled;
            for (byte[] piece : Routed.pieces(response)) {
                if (data && until != null) {
                    exchange.getResponseBody().write(piece, 0, piece.length / 2);
                    exchange.getResponseBody().flush();
                    until.await();
                    return;
                }
                exchange.getResponseBody().write(piece);
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
