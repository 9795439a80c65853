package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.json.ReasonText;
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
import io.micronaut.http.client.HttpVersionSelection;
import io.micronaut.http.client.RawHttpClient;
import io.micronaut.http.client.RawHttpClientRegistry;
import io.netty.handler.timeout.ReadTimeoutException;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The only class that sends HTTP requests to venues. It connects within 3 s and takes at most 10 s for
 * everything. A body is at most 4 MB as sent, or what the venue declares. It follows no redirects and
 * verifies certificates. Bodies are returned packed, so that we bound their inflated size.
 */
@Singleton
public final class HttpTransport implements AutoCloseable {
    /** Default for everything from the look-up of the name to the last byte. */
    public static final Duration DEADLINE = Duration.ofSeconds(10);
    /** So long after its read timeout a connection has surely been closed. */
    private static final Duration CLOSED = Duration.ofSeconds(5);

    private static final int MEGABYTE = 1024 * 1024;
    private static final int LONGEST_REASON = 120;

    /** Several exchanges reject a request without one at their edge. */
    private static final String USER_AGENT =
            "funding-observatory/1.0 (public funding-rate observation, about once a minute";

    private static final ByteBodyFactory BODIES = ByteBodyFactory.createDefault(NettyByteBufferFactory.DEFAULT);

    private final RawHttpClient client;
    private final HostAddresses addresses;
    private final IngestEvents events;
    private final String userAgent;
    private final Duration deadline;
    private volatile boolean closed;

    /** HTTP through the framework's client {@code micronaut.http.services.exchange}, which its registry closes. */
    @Inject
    HttpTransport(
            RawHttpClientRegistry clients,
            HostAddresses addresses,
            @Property(name = "observatory.ingest.contact", defaultValue = "") String contact,
            IngestEvents events) {
        this(
                clients.getRawClient(
                        HttpVersionSelection.forLegacyVersion(HttpVersion.HTTP_1_1), HttpClientRules.SERVICE, null),
                addresses,
                DEADLINE,
                contact,
                events);
    }

    HttpTransport(
            RawHttpClient client, HostAddresses addresses, Duration deadline, String contact, IngestEvents events) {
        this.client = client;
        this.addresses = addresses;
        this.deadline = deadline;
        this.events = events;
        this.userAgent = USER_AGENT + (contact.isBlank() ? ")" : "; +" + requireWord(contact.strip()) + ")");
    }

    /**
     * Sends a request and waits for the whole response. Where no connection can be made, the host's next address is
     * tried within the same deadline.
     *
     * @param json what a POST sends; null for GET
     * @param largestMb the most megabytes of the response as it is sent
     * @throws InterruptedException if the thread is interrupted, or this client is closed meanwhile: no failure of the venue
     */
    public HttpExchange send(String method, URI uri, @Nullable String json, int largestMb) throws InterruptedException {
        long begun = System.nanoTime();
        long end = begun + deadline.toNanos();
        String host = Objects.requireNonNullElse(uri.getHost(), "");
        HttpExchange exchange;
        int before;
        int tries = 0;
        do {
            before = addresses.failures(host);
            exchange = once(method, uri, host, json, largestMb, begun);
            tries++;
        } while (addresses.failures(host) > before && tries < addresses.count(host) && System.nanoTime() < end);
        if (closed && exchange.failure() != null) {
            throw new InterruptedException("the client is closed");
        }
        events.exchanged(host, exchange.status(), exchange.body().length, exchange.took());
        return exchange;
    }

    private HttpExchange once(String method, URI uri, String host, @Nullable String json, int largestMb, long begun)
            throws InterruptedException {
        long end = begun + deadline.toNanos();
        var body = new BodyCollector(largestMb * MEGABYTE);
        CloseableByteBody sent =
                json == null || method.equals("GET") ? null : BODIES.copyOf(json, StandardCharsets.UTF_8);
        CompletableFuture<HttpResponse<?>> head = Mono.<HttpResponse<?>>from(
                        client.exchange(request(method, uri), sent, null))
                .toFuture();
        try {
            HttpResponse<?> response = head.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (!(response instanceof ByteBodyHttpResponse<?> arriving)) {
                throw new IllegalStateException("a raw response has bytes");
            }
            arriving.byteBody().toByteArrayPublisher().subscribe(body);
            byte[] whole = body.whole().get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            return new HttpExchange(response.code(), headers(response.getHeaders()), whole, since(begun), null);
        } catch (TimeoutException e) {
            return HttpExchange.failed(new FetchResult.NoResponse(notWhole()), since(begun));
        } catch (ExecutionException e) {
            return HttpExchange.failed(failure(e, host, largestMb), since(begun));
        } finally {
            if (body.whole().cancel(true) || body.whole().isCompletedExceptionally()) {
                CompletableFuture.delayedExecutor(deadline.plus(CLOSED).toMillis(), TimeUnit.MILLISECONDS)
                        .execute(body::discardRest);
            }
            head.cancel(true);
        }
    }

    private static Duration since(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    /** For a response that did not end in time, whether the client or the waiting thread noticed. */
    private String notWhole() {
        return "no whole response within " + deadline.toSeconds() + " s";
    }

    /** What broke, by the outermost cause that is known. Without a connection, the next one goes to the next address. */
    private FetchResult failure(Throwable thrown, String host, int largestMb) {
        Throwable inner = thrown;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            inner = cause;
            boolean unconnected = isUnconnected(cause);
            if (unconnected) {
                addresses.failed(host);
            }
            String reason = switch (cause) {
                case BodyCollector.TooLarge e -> "response larger than " + largestMb + " MB";
                case UnknownHostException e -> "unknown host " + host;
                case TimeoutException e ->
                    "no address for " + host + " within " + HostAddresses.LOOKUP.toSeconds() + " s";
                case RejectedExecutionException e -> "no address for " + host + ": its name servers do not respond";
                case SSLException e -> "no trusted connection to " + host;
                // the client's own for a head that does not come, Netty's for a body that stops
                case ReadTimeoutException e -> notWhole();
                case io.micronaut.http.client.exceptions.ReadTimeoutException e -> notWhole();
                default -> unconnected ? "no connection to " + host : null;
            };
            if (reason != null) {
                return cause instanceof BodyCollector.TooLarge
                        ? new FetchResult.Unreadable(reason)
                        : new FetchResult.NoResponse(reason);
            }
        }
        String message =
                Objects.requireNonNullElse(inner.getMessage(), inner.getClass().getSimpleName());
        return new FetchResult.NoResponse(
                "no response from " + host + ": " + ReasonText.oneLine(message.strip(), LONGEST_REASON));
    }

    /** Whether no connection could be made, so that nothing was sent: also where there is no IPv6. */
    private static boolean isUnconnected(Throwable cause) {
        String message = cause.getMessage();
        return cause instanceof ConnectException
                || cause instanceof NoRouteToHostException
                || (cause instanceof SocketException && message != null && message.contains("unreachable"));
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

    @Override
    public void close() {
        closed = true;
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
