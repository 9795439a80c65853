package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.site.Described;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.env.Environment;
import io.micronaut.http.ssl.ServerSslConfiguration;
import io.micronaut.runtime.server.EmbeddedServer;
import jakarta.annotation.PostConstruct;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
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

/** The gateway that runs in a test's context, as clients, balancers and operators see it. */
@Singleton
final class RunningGateway implements AutoCloseable {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final ApplicationContext context;
    private final MeterRegistry meters;
    private final int port;
    private final int managementPort;
    private final boolean tls;
    private final HttpClient client;

    RunningGateway(
            ApplicationContext context,
            EmbeddedServer server,
            MeterRegistry meters,
            ServerSslConfiguration tls,
            @Property(name = "endpoints.all.port") int managementPort) {
        this.context = context;
        this.meters = meters;
        this.port = server.getPort();
        this.managementPort = managementPort;
        this.tls = tls.isEnabled();
        this.client = tls.isEnabled() ? Tls.client() : HTTP;
    }

    /** One for a test that ends it, or has several. */
    static RunningGateway start(String... settings) {
        Map<String, Object> all = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        ApplicationContext context = ApplicationContext.run(all, Environment.TEST);
        context.getBean(EmbeddedServer.class).start();
        return context.getBean(RunningGateway.class);
    }

    /** What is loaded with the first answer and the first refusal is not timed with those of a test. */
    @PostConstruct
    void warmUp() {
        try (Socket socket = connect()) {
            socket.getOutputStream()
                    .write("GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\nGET * HTTP/1.1\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    <B> B bean(Class<B> type) {
        return context.getBean(type);
    }

    /** An answer over HTTP/1.1, plain or over TLS as it is served, which is held against the description. */
    HttpResponse<byte[]> call(String method, String address, String... headers) {
        var request = HttpRequest.newBuilder(URI.create((tls ? "https" : "http") + "://127.0.0.1:" + port + address))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<byte[]> response;
        try {
            response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        var fields = new HashMap<String, String>();
        response.headers().map().keySet().forEach(name -> fields.put(name, Responses.header(response, name)));
        Described.check(method, response.uri().getPath(), response.statusCode(), fields, response.body());
        return response;
    }

    HttpResponse<byte[]> get(String address, String... headers) {
        return call("GET", address, headers);
    }

    Socket connect() throws IOException {
        return tls ? Tls.connect(port, "http/1.1") : new Socket("127.0.0.1", port);
    }

    /** A connection from another address of this machine: another client. */
    Socket connectFrom(String address) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(address), 0);
    }

    double refused(String reason) {
        return meters.get("observatory.gateway.refused")
                .tag("reason", reason)
                .counter()
                .count();
    }

    /** Answers of an address so far, whatever their status. */
    long answered(String uri) {
        return meters.find("http.server.requests").tag("uri", uri).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    double connections() {
        return meters.get("observatory.gateway.connections").gauge().value();
    }

    /** What prepared answers and those on their way take outside the heap. */
    long answerBytes() {
        return (long) meters.get("observatory.gateway.answers.bytes").gauge().value();
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
