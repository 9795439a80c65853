package io.fundingobservatory.gateway.proxy;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** A server in place of a gateway: each request has a thread, and its connection ends with the handler. */
final class StubGateway implements AutoCloseable {
    /** As many may wait to be accepted as come at once: nginx counts one that is refused as a failed gateway. */
    private static final int WAITING = 256;

    private final HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), WAITING);

    StubGateway(HttpHandler handler) throws IOException {
        server.createContext("/", exchange -> {
            try (exchange) {
                handler.handle(exchange);
            }
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
