package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.client.HttpResult.Broken;
import io.fundingobservatory.ingest.client.HttpResult.Response;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.micronaut.buffer.netty.NettyByteBufferFactory;
import io.micronaut.context.annotation.Property;
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

    /** Several exchanges reject a request without one at their edge. */
    private static final String USER_AGENT =
            "funding-observatory/1.0 (public funding-rate observation, about once a minute";

    private static final ByteBodyFactory BODIES = ByteBodyFactory.createDefault(NettyByteBufferFactory.DEFAULT);

    private final RawHttpClient client;
    private final HttpClientConfiguration configuration;
    private final HostAddresses addresses;
    private final IngestEvents events;
    private final String userAgent;
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
            @Property(name = "observatory.ingest.contact", defaultValue = "") String contact,
            IngestEvents events) {
        this(
                clients.getRawClient(
                        HttpVersionSelection.forLegacyVersion(HttpVersion.HTTP_1_1), HttpClientRules.SERVICE, null),
                configuration,
                addresses,
                DEADLINE,
                contact,
                events);
    }

    /** Names are looked up within the connect timeout of {@code configuration} as well. */
    HttpTransport(
            RawHttpClient client,
            HttpClientConfiguration configuration,
            HostAddresses addresses,
            Duration deadline,
            String contact,
            IngestEvents events) {
        this.client = client;
        this.configuration = configuration;
        this.addresses = addresses;
        this.connect = configuration.getConnectTimeout().orElse(CONNECT);
        this.deadline = deadline;
        this.events = events;
        this.userAgent = USER_AGENT + (contact.isBlank() ? ")" : "; +" + requireWord(contact.strip()) + ")");
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
        String host = Objects.requireNonNullElse(uri.getHost(), "");
        HttpResult result = exchange(method, uri, host, json, largestMb);
        if (closed && !(result instanceof Response)) {
            throw new InterruptedException("the client is closed");
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        switch (result) {
            case Response response -> events.exchanged(host, response.status(), response.body().length, took);
            case Broken broken -> events.exchanged(host, 0, 0, took);
        }
        return result;
    }

    /** Where no connection can be made the host's next address is tried, within the same deadline. */
    private HttpResult exchange(String method, URI uri, String host, @Nullable String json, int largestMb)
            throws InterruptedException {
        long end = System.nanoTime() + deadline.toNanos();
        HttpResult result = once(method, uri, host, json, largestMb, end);
        int tries = 1;
        while (isUnconnected(result) && tries++ < addresses.count(host) && System.nanoTime() < end) {
            result = once(method, uri, host, json, largestMb, end);
        }
        return result;
    }

    private static boolean isUnconnected(HttpResult result) {
        return result instanceof Broken broken && broken.isUnconnected();
    }

    private HttpResult once(String method, URI uri, String host, @Nullable String json, int largestMb, long end)
            throws InterruptedException {
        CompletableFuture<@Nullable Void> lookup;
        try {
            lookup = CompletableFuture.runAsync(() -> lookUp(uri, host), lookups);
        } catch (RejectedExecutionException e) {
            return Broken.of("no address for " + host + ": its name servers do not respond");
        }
        var body = new BodyCollector(largestMb * MEGABYTE);
        CompletableFuture<HttpResponse<?>> head = null;
        try {
            lookup.get(connect.toNanos(), TimeUnit.NANOSECONDS);
            CloseableByteBody sent =
                    json == null || method.equals("GET") ? null : BODIES.copyOf(json, StandardCharsets.UTF_8);
            head = Mono.<HttpResponse<?>>from(client.exchange(request(method, uri), sent, null))
                    .toFuture();
            HttpResponse<?> response = head.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (!(response instanceof ByteBodyHttpResponse<?> arriving)) {
                throw new IllegalStateException("a raw response has bytes");
            }
            arriving.byteBody().toByteArrayPublisher().subscribe(body);
            byte[] whole = body.whole().get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            return new Response(response.code(), headers(response.getHeaders()), whole);
        } catch (TimeoutException e) {
            return Broken.of(
                    head == null
                            ? "no address for " + host + " within " + connect.toSeconds() + " s"
                            : Broken.notWhole(deadline));
        } catch (ExecutionException e) {
            Broken broken = Broken.of(e, host, largestMb, connect, deadline);
            if (broken.isUnconnected()) {
                addresses.failed(host);
            }
            return broken;
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

    private static String requireWord(String contact) {
        if (!contact.matches("[\\x21-\\x7e&&[^()]]{1,200}")) {
            throw new IllegalArgumentException(
                    "observatory.ingest.contact is one address, such as https://example.org/about or ops@example.org");
        }
        return contact;
    }

    private MutableHttpRequest<?> request(String method, URI uri) {
        MutableHttpRequest<?> request = method.equals("GET")
                ? HttpRequest.GET(uri)
                : HttpRequest.POST(uri, "").header(HttpHeaders.CONTENT_TYPE, "application/json");
        request.getHeaders()
                .set(HttpHeaders.ACCEPT, "application/json")
                .set(HttpHeaders.ACCEPT_ENCODING, "gzip")
                .set(HttpHeaders.USER_AGENT, userAgent);
        return request;
    }

    private static Map<String, String> headers(HttpHeaders headers) {
        var byName = new HashMap<String, String>();
        for (String name : headers.names()) {
            byName.put(name.toLowerCase(Locale.ROOT), Objects.requireNonNullElse(headers.get(name), ""));
        }
        return byName;
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
