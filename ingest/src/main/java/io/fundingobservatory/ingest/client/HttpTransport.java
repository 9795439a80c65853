package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.publish.IngestEvents;
import io.micronaut.buffer.netty.NettyByteBufferFactory;
import io.micronaut.http.ByteBodyHttpResponse;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.body.ByteBodyFactory;
import io.micronaut.http.body.CloseableByteBody;
import io.micronaut.http.client.DefaultHttpClientConfiguration;
import io.micronaut.http.client.HttpClientConfiguration;
import io.micronaut.http.client.RawHttpClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The only class that sends HTTP requests to venues. It connects within 3 s and takes at most 10 s for
 * everything. A body is at most 4 MB as sent, or what the venue declares. It follows no redirects and
 * verifies certificates. Bodies are returned packed, so that we bound their inflated size.
 */
public final class HttpTransport implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    /** Default for everything from the look-up of the name to the last byte. */
    public static final Duration DEADLINE = Duration.ofSeconds(10);
    /** So long after its read timeout a connection has surely been closed. */
    private static final Duration CLOSED = Duration.ofSeconds(5);

    private static final int MEGABYTE = 1024 * 1024;
    /** Every host has at most one request in flight, so more than these are hanging name servers. */
    private static final int LOOKUPS = 64;

    /** Such as x-mbx-used-weight-1m, x-gate-ratelimit-requests-remain, x-bapi-limit-status; and how long to wait. */
    private static final Pattern LIMIT_HEADER = Pattern.compile("rate-?limit|used-weight|x-bapi-limit|x-retry-after");

    private static final ByteBodyFactory BODIES = ByteBodyFactory.createDefault(NettyByteBufferFactory.DEFAULT);

    private final RawHttpClient client;
    private final HttpClientConfiguration configuration;
    private final HostAddresses addresses;
    private final IngestEvents events;
    private final Consumer<MutableHttpRequest<?>> headers;
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

    /**
     * HTTP through a client.
     *
     * @param configuration the client's own; a name is looked up within its connect timeout as well
     * @param addresses what the client resolves names by
     * @param deadline for everything from the look-up of the name to the last byte
     * @param headers adds to a request what the client's own filters do not
     */
    HttpTransport(
            RawHttpClient client,
            HttpClientConfiguration configuration,
            HostAddresses addresses,
            Duration deadline,
            Consumer<MutableHttpRequest<?>> headers,
            IngestEvents events) {
        this.client = client;
        this.configuration = configuration;
        this.addresses = addresses;
        this.connect = configuration.getConnectTimeout().orElse(CONNECT);
        this.deadline = deadline;
        this.events = events;
        this.headers = headers;
    }

    /** HTTP through a client of its own, outside of any application and without its filters. */
    public static HttpTransport unmanaged(Duration deadline) {
        return unmanaged(CONNECT, deadline);
    }

    /**
     * As {@link #unmanaged(Duration)}, with a separate time limit for the look-up of a name and for the
     * connection. Where no connection hangs, use a limit that no stall of the machine reaches.
     */
    public static HttpTransport unmanaged(Duration connect, Duration deadline) {
        var configuration = new DefaultHttpClientConfiguration();
        configuration.setConnectTimeout(connect);
        configuration.setReadTimeout(deadline);
        configuration.setConnectionPoolIdleTimeout(Duration.ofSeconds(20));
        configuration.setAlpnModes(List.of("http/1.1"));
        configuration.setNumOfThreads(2);
        HttpClientRules.apply(configuration);
        return new HttpTransport(
                RawHttpClient.create(null, configuration),
                configuration,
                new HostAddresses(),
                deadline,
                new RequestHeaders("")::add,
                IngestEvents.NONE);
    }

    /**
     * Sends a request and waits for the whole response. A failure is a {@link HttpResult} as well. A request that
     * closing this client has ended is not a failure of the venue.
     *
     * @param method GET or POST
     * @param json what a POST sends; null for GET
     * @param largestMb the most megabytes of the response as it is sent
     * @throws InterruptedException if the thread is interrupted, or this client is closed meanwhile
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
            case HttpResult.TooLarge large -> events.exchanged(host, 0, 0, took);
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
                result instanceof HttpResult.Broken(String reason, boolean isUnconnected)
                        && isUnconnected
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
            return broken("no address for " + host + ": its name servers do not respond");
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
            HttpHeaders headers = response.getHeaders();
            return new HttpResult.Response(
                    response.code(),
                    headers.get(HttpHeaders.CONTENT_TYPE),
                    headers.get(HttpHeaders.CONTENT_ENCODING),
                    headers.get(HttpHeaders.RETRY_AFTER),
                    limitHeaders(headers),
                    whole);
        } catch (TimeoutException e) {
            return broken(
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

    private static HttpResult broken(String reason) {
        return new HttpResult.Broken(reason, false);
    }

    private MutableHttpRequest<?> request(String method, URI uri) {
        MutableHttpRequest<?> request = method.equals("GET")
                ? HttpRequest.GET(uri)
                : HttpRequest.POST(uri, "").header(HttpHeaders.CONTENT_TYPE, "application/json");
        headers.accept(request);
        return request;
    }

    private static Map<String, String> limitHeaders(HttpHeaders headers) {
        var limits = new TreeMap<String, String>();
        for (String name : headers.names()) {
            String lower = name.toLowerCase(Locale.ROOT);
            String value = headers.get(name);
            if (value != null
                    && value.length() <= 64
                    && LIMIT_HEADER.matcher(lower).find()) {
                limits.put(lower, value);
            }
        }
        return limits;
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
