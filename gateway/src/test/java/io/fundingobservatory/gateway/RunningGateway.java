package io.fundingobservatory.gateway;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A gateway without a broker: files are served all the same. */
final class RunningGateway implements AutoCloseable {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final ApplicationContext context;
    private final int managementPort;
    private final int port;
    private final boolean tls;

    private RunningGateway(ApplicationContext context, int managementPort, boolean tls) {
        this.tls = tls;
        this.context = context;
        this.managementPort = managementPort;
        this.port = context.getBean(EmbeddedServer.class).start().getPort();
    }

    static RunningGateway start(String... settings) throws IOException {
        int management;
        try (ServerSocket socket = new ServerSocket(0)) {
            management = socket.getLocalPort();
        }
        Map<String, Object> all = new HashMap<>();
        all.put("micronaut.server.port", "0");
        all.put("observatory.management.port", Integer.toString(management));
        all.put("observatory.kafka.bootstrap-servers", "127.0.0.1:1");
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        boolean tls = all.containsKey("micronaut.server.ssl.enabled");
        var gateway = new RunningGateway(ApplicationContext.run(all), management, tls);
        gateway.warmUp();
        return gateway;
    }

    /** What is loaded with the first answer and the first refusal is not timed with those of a test. */
    private void warmUp() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream()
                    .write("GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\nGET * HTTP/1.1\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
        }
    }

    int port() {
        return port;
    }

    <B> B bean(Class<B> type) {
        return context.getBean(type);
    }

    /** An answer as it is, without TLS. */
    HttpResponse<String> get(String path, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    Socket connect() throws IOException {
        return tls ? Tls.connect(port, "http/1.1") : new Socket("127.0.0.1", port);
    }

    /** A connection from another address of this machine: another client. */
    Socket connectFrom(String address) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(address), 0);
    }

    double refused(String reason) {
        return context.getBean(MeterRegistry.class)
                .get("observatory.gateway.refused")
                .tag("reason", reason)
                .counter()
                .count();
    }

    /** Answers of an address so far, whatever their status. */
    long answered(String uri) {
        return context.getBean(MeterRegistry.class).find("http.server.requests").tag("uri", uri).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    double connections() {
        return gauge("observatory.gateway.connections");
    }

    /** What prepared answers and those on their way take outside the heap. */
    long answerBytes() {
        return (long) gauge("observatory.gateway.answers.bytes");
    }

    private double gauge(String name) {
        return context.getBean(MeterRegistry.class).get(name).gauge().value();
    }

    /** The status of an address of the management port; -1 when nobody answers. */
    int managed(String path) {
        try {
            var call = (HttpURLConnection) URI.create("http://127.0.0.1:" + managementPort + path)
                    .toURL()
                    .openConnection();
            call.setConnectTimeout(5_000);
            call.setReadTimeout(5_000);
            return call.getResponseCode();
        } catch (IOException e) {
            return -1;
        }
    }

    String managedBody(String path) {
        try (var in =
                URI.create("http://127.0.0.1:" + managementPort + path).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within 20 s: " + what);
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
