package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.publish.IngestEvents;
import io.micronaut.buffer.netty.NettyByteBufferFactory;
import io.micronaut.http.ByteBodyHttpResponse;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpVersion;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.body.ByteBodyFactory;
import io.micronaut.http.body.CloseableByteBody;
import io.micronaut.http.client.HttpClientConfiguration;
import io.micronaut.http.client.HttpVersionSelection;
import io.micronaut.http.client.RawHttpClient;
import io.micronaut.http.client.RawHttpClientRegistry;
import io.micronaut.http.client.ServiceHttpClientConfiguration;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The only class that sends HTTP requests to venues. It connects within 3 s and takes at most 10 s for
 * everything. A body is at most 4 MB as sent, or what the venue declares. It follows no redirects and
 * verifies certificates. Bodies are returned packed, so that we bound their inflated size.
 */
@Singleton
public final class HttpTransport implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    /** Default for everything from the look-up of the name to the last byte. */
    public static final Duration DEADLINE = Duration.ofSeconds(10);
    /** So long after its read timeout a connection has surely been closed. */
    private static final Duration CLOSED = Duration.ofSeconds(5);

    private static final int MEGABYTE = 1024 * 1024;
    /** Every host has at most one request in flight, so more than these are hanging name servers. */
    private static final int LOOKUPS = 64;

    private static final ByteBodyFactory BODIES = ByteBodyFactory.createDefault(NettyByteBufferFactory.DEFAULT);

    private final RawHttpClient client;
    private final HttpClientConfiguration configuration;
    private final HostAddresses addresses;
    private final IngestEvents events;
    private final RequestHeaders headers;
    // Netty would look names up on its event loop, where one slow name server holds up every exchange.
    private final ExecutorService lookups = new ThreadPoolExecutor(
            0,
            LOOKUPS,
            20,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("exchange-lookup-", 0).factory());
    private final Duration connect;
    private final Duration deadline;
    private volatile boolean closed;

    /** HTTP through the framework's client {@code micronaut.http.services.exchange}, which its registry closes. */
    @Inject
    HttpTransport(
            RawHttpClientRegistry clients,
            @Named(HttpClientRules.SERVICE) ServiceHttpClientConfiguration configuration,
            HostAddresses addresses,
            RequestHeaders headers,
            IngestEvents events) {
        this(
                clients.getRawClient(
                        HttpVersionSelection.forLegacyVersion(HttpVersion.HTTP_1_1), HttpClientRules.SERVICE, null),
                configuration,
                addresses,
                DEADLINE,
                headers,
                events);
    }

    /** Names are looked up within the connect timeout of {@code configuration} as well. */
    HttpTransport(
            RawHttpClient client,
            HttpClientConfiguration configuration,
            HostAddresses addresses,
            Duration deadline,
            RequestHeaders headers,
            IngestEvents events) {
        this.client = client;
        this.configuration = configuration;
        this.addresses = addresses;
        this.connect = configuration.getConnectTimeout().orElse(CONNECT);
        this.deadline = deadline;
        this.events = events;
        this.headers = headers;
    }

    /**
     * Sends a request and waits for the whole response. A failure is a {@link HttpResult} as well.
     *
     * @param json what a POST sends; null for GET
     * @param largestMb the most megabytes of the response as it is sent
     * @throws InterruptedException if the thread is interrupted, or this client is closed meanwhile: no failure of the venue
     */
    public HttpResult send(String method, URI uri, @Nullable String json, int largestMb) throws InterruptedException {
        long begun = System.nanoTime();
        HttpResult result = exchange(method, uri, json, largestMb);
        if (closed && !(result instanceof HttpResult.Response)) {
            throw new InterruptedException("the client is closed");
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        String host = Objects.requireNonNullElse(uri.getHost(), "");
        switch (result) {
            case HttpResult.Response response ->
                events.exchanged(host, response.status(), response.body().length, took);
            case HttpResult.Broken broken -> events.exchanged(host, 0, 0, took);
        }
        return result;
    }

    /** Where no connection can be made the host's next address is tried, within the same deadline. */
    private HttpResult exchange(String method, URI uri, @Nullable String json, int largestMb)
            throws InterruptedException {
        long end = System.nanoTime() + deadline.toNanos();
        String host = Objects.requireNonNullElse(uri.getHost(), "");
        HttpResult result = once(method, uri, json, largestMb, end);
        for (int tries = 1;
                result instanceof HttpResult.Broken broken
                        && broken.isUnconnected()
                        && tries < addresses.count(host)
                        && System.nanoTime() < end;
                tries++) {
            result = once(method, uri, json, largestMb, end);
        }
        return result;
    }

    private HttpResult once(String method, URI uri, @Nullable String json, int largestMb, long end)
            throws InterruptedException {
        String host = Objects.requireNonNullElse(uri.getHost(), "");
        CompletableFuture<@Nullable Void> lookup;
        try {
            lookup = CompletableFuture.runAsync(() -> lookUp(uri, host), lookups);
        } catch (RejectedExecutionException e) {
            return HttpFailure.broken("no address for " + host + ": its name servers do not respond");
        }
        var body = new BodyCollector(largestMb * MEGABYTE);
        CompletableFuture<HttpResponse<?>> head = null;
        try {
            lookup.get(connect.toNanos(), TimeUnit.NANOSECONDS);
            head = Mono.<HttpResponse<?>>from(client.exchange(request(method, uri), body(method, json), null))
                    .toFuture();
            HttpResponse<?> response = head.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (!(response instanceof ByteBodyHttpResponse<?> arriving)) {
                throw new IllegalStateException("a raw response has bytes");
            }
            arriving.byteBody().toByteArrayPublisher().subscribe(body);
            byte[] whole = body.whole().get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            return new HttpResult.Response(response.code(), headers(response.getHeaders()), whole);
        } catch (TimeoutException e) {
            return HttpFailure.broken(
                    head == null
                            ? "no address for " + host + " within " + connect.toSeconds() + " s"
                            : HttpFailure.notWhole(deadline));
        } catch (ExecutionException e) {
            HttpResult result = HttpFailure.of(e, host, largestMb, connect, deadline);
            if (result instanceof HttpResult.Broken broken && broken.isUnconnected()) {
                addresses.failed(host);
            }
            return result;
        } finally {
            lookup.cancel(true);
            if (body.whole().cancel(true) || body.whole().isCompletedExceptionally()) {
                CompletableFuture.delayedExecutor(deadline.plus(CLOSED).toMillis(), TimeUnit.MILLISECONDS)
                        .execute(body::discardRest);
            }
            if (head != null) {
                head.cancel(true);
            }
        }
    }

    private MutableHttpRequest<?> request(String method, URI uri) {
        MutableHttpRequest<?> request = method.equals("GET")
                ? HttpRequest.GET(uri)
                : HttpRequest.POST(uri, "").header(HttpHeaders.CONTENT_TYPE, "application/json");
        headers.add(request);
        return request;
    }

    private static Map<String, String> headers(HttpHeaders headers) {
        var byName = new HashMap<String, String>();
        for (String name : headers.names()) {
            byName.put(name.toLowerCase(Locale.ROOT), Objects.requireNonNullElse(headers.get(name), ""));
        }
        return byName;
    }

    private static @Nullable CloseableByteBody body(String method, @Nullable String json) {
        return json == null || method.equals("GET") ? null : BODIES.copyOf(json, StandardCharsets.UTF_8);
    }

    /** A proxy looks names up itself, and where there is one they may not be known here. */
    private void lookUp(URI uri, String host) {
        int port = uri.getPort() < 0 ? 443 : uri.getPort();
        if (HttpClientRules.isProxied(configuration, host, port)) {
            return;
        }
        try {
            addresses.lookUp(host);
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lookups.shutdownNow();
    }
}
