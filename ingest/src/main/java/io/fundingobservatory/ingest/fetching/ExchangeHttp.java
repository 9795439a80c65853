package io.fundingobservatory.ingest.fetching;

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
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The one place that speaks HTTP to exchanges: connection within 3 s, everything within 10 s, at most 4 MB as sent or what the venue declares, no redirects,
 * certificates verified. Bodies are handed on packed, so that what they inflate to is bounded by us.
 */
final class ExchangeHttp implements AutoCloseable {
    static final Duration CONNECT = Duration.ofSeconds(3);
    static final Duration DEADLINE = Duration.ofSeconds(10);
    /** So long after its read timeout a connection has surely been closed. */
    private static final Duration CLOSED = Duration.ofSeconds(5);

    private static final int MEGABYTE = 1024 * 1024;
    static final String USER_AGENT = "funding-observatory/1.0 (public funding-rate observation, about once a minute)";

    private static final ByteBodyFactory BODIES = ByteBodyFactory.createDefault(NettyByteBufferFactory.DEFAULT);

    private final RawHttpClient client;
    // Netty would look names up on its event loop, where one slow name server holds up every exchange.
    private final ExecutorService lookups = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("exchange-lookup-", 0).factory());
    private final Duration deadline;

    ExchangeHttp() {
        this(DEADLINE);
    }

    ExchangeHttp(Duration deadline) {
        this.deadline = deadline;
        this.client = RawHttpClient.create(null, configuration(deadline));
    }

    private static HttpClientConfiguration configuration(Duration deadline) {
        var configuration = new DefaultHttpClientConfiguration();
        configuration.setConnectTimeout(CONNECT);
        configuration.setReadTimeout(deadline);
        configuration.setConnectionPoolIdleTimeout(Duration.ofSeconds(20));
        configuration.setMaxHeaderSize(32 * 1024);
        configuration.setFollowRedirects(false);
        configuration.setExceptionOnErrorStatus(false);
        configuration.setDecompressionEnabled(false);
        configuration.setAlpnModes(List.of("http/1.1"));
        configuration.setNumOfThreads(2);
        return configuration;
    }

    /**
     * Asks, and waits for the whole answer.
     *
     * @param largestMb the most megabytes of the answer as it is sent
     */
    Reply send(String method, URI uri, @Nullable String json, int largestMb) throws InterruptedException {
        long end = System.nanoTime() + deadline.toNanos();
        String host = Objects.requireNonNullElse(uri.getHost(), "");
        CompletableFuture<@Nullable Void> lookup = CompletableFuture.runAsync(() -> lookUp(host), lookups);
        var body = new Collecting(largestMb * MEGABYTE);
        CompletableFuture<HttpResponse<?>> head = null;
        try {
            lookup.get(CONNECT.toNanos(), TimeUnit.NANOSECONDS);
            head = Mono.<HttpResponse<?>>from(client.exchange(request(method, uri), body(method, json), null))
                    .toFuture();
            HttpResponse<?> response = head.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (!(response instanceof ByteBodyHttpResponse<?> arriving)) {
                throw new IllegalStateException("a raw response has bytes");
            }
            arriving.byteBody().toByteArrayPublisher().subscribe(body);
            byte[] whole = body.whole().get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            HttpHeaders headers = response.getHeaders();
            return new Reply.Response(
                    response.code(),
                    headers.get(HttpHeaders.CONTENT_TYPE),
                    headers.get(HttpHeaders.CONTENT_ENCODING),
                    headers.get(HttpHeaders.RETRY_AFTER),
                    whole);
        } catch (TimeoutException e) {
            return new Reply.Broken(
                    head == null
                            ? "no address for " + host + " within 3 s"
                            : "no whole answer within " + deadline.toSeconds() + " s");
        } catch (ExecutionException e) {
            return new Reply.Broken(reason(e, host, largestMb));
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

    private static MutableHttpRequest<?> request(String method, URI uri) {
        MutableHttpRequest<?> request = method.equals("GET")
                ? HttpRequest.GET(uri)
                : HttpRequest.POST(uri, "").header(HttpHeaders.CONTENT_TYPE, "application/json");
        return request.header(HttpHeaders.ACCEPT, "application/json")
                .header(HttpHeaders.ACCEPT_ENCODING, "gzip")
                .header(HttpHeaders.USER_AGENT, USER_AGENT);
    }

    private static @Nullable CloseableByteBody body(String method, @Nullable String json) {
        return json == null || method.equals("GET") ? null : BODIES.copyOf(json, StandardCharsets.UTF_8);
    }

    private static void lookUp(String host) {
        try {
            InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What broke, by the innermost cause that says something. */
    private static String reason(Throwable thrown, String host, int largestMb) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case UnknownHostException e -> {
                    return "unknown host " + host;
                }
                case Collecting.TooLarge e -> {
                    return "answer larger than " + largestMb + " MB";
                }
                case SSLException e -> {
                    return "no trusted connection to " + host;
                }
                case io.netty.channel.ConnectTimeoutException e -> {
                    return "no connection to " + host + " within " + CONNECT.toSeconds() + " s";
                }
                case ConnectException e -> {
                    return "no connection to " + host;
                }
                default -> {}
            }
        }
        Throwable inner = thrown;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        String message =
                Objects.requireNonNullElse(inner.getMessage(), inner.getClass().getSimpleName());
        String line = message.replaceAll("\\p{Cntrl}+", " ").strip();
        return "no answer from " + host + ": " + (line.length() > 120 ? line.substring(0, 120) : line);
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lookups.shutdownNow();
    }
}
