package io.fundingobservatory.standalone.top;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * HTTP client of one service. It requests an endpoint again when {@code max-age} has passed, with the tag of
 * the last response, and never more often than a minimum interval. It obeys {@code Retry-After} of 429 and
 * 503.
 */
public final class ServiceClient implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration WHOLE_RESPONSE = Duration.ofSeconds(10);
    private static final long MOST_BYTES = 16L * 1024 * 1024;

    private final URI base;
    private final long everyNanos;
    private final Duration patience;
    private final LongSupplier nanoTime;
    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    private final Map<String, CachedBody> bodies = new HashMap<>();
    private final Map<String, ServiceResponse> byPath = new HashMap<>();
    private long refusedUntilNanos;

    /** A response that holds until another takes its place. */
    private record CachedBody(JsonValue body, @Nullable String tag) {}

    /**
     * A client of the service at an address.
     *
     * @param every the shortest time between two requests for the same address
     * @param nanoTime a clock as {@link System#nanoTime}
     */
    public ServiceClient(URI base, Duration every, LongSupplier nanoTime) {
        this(base, every, WHOLE_RESPONSE, nanoTime);
    }

    ServiceClient(URI base, Duration every, Duration patience, LongSupplier nanoTime) {
        this.base = base;
        this.patience = patience;
        this.everyNanos = every.toNanos();
        this.nanoTime = nanoTime;
        this.refusedUntilNanos = nanoTime.getAsLong();
    }

    URI base() {
        return base;
    }

    /** What is known of a path with its query below the base address; requested when that is due. */
    public ServiceResponse read(String path) throws InterruptedException {
        long now = nanoTime.getAsLong();
        ServiceResponse known = byPath.get(path);
        if (known != null && now - known.dueNanos() < 0) {
            return known;
        }
        ServiceResponse fresh = now - refusedUntilNanos < 0
                ? new ServiceResponse(body(path), "waiting until Retry-After", refusedUntilNanos)
                : fetch(path);
        byPath.put(path, fresh);
        return fresh;
    }

    private @Nullable JsonValue body(String path) {
        CachedBody received = bodies.get(path);
        return received == null ? null : received.body();
    }

    private ServiceResponse fetch(String path) throws InterruptedException {
        CachedBody former = bodies.get(path);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(patience)
                .header("Accept", "application/json")
                .header("Accept-Encoding", "gzip")
                .header("User-Agent", "observatory");
        if (former != null && former.tag() != null) {
            request.header("If-None-Match", former.tag());
        }
        // The client's own timeout ends with the header fields of a response.
        CompletableFuture<HttpResponse<byte[]>> sent =
                http.sendAsync(request.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES));
        try {
            return received(path, sent.get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return failed(path, "no whole response within " + patience.toMillis() + " ms");
        } catch (ExecutionException e) {
            return failed(path, problem(e.getCause() == null ? e : e.getCause()));
        } catch (IOException | Skip e) {
            return failed(path, "the response is not of this service: " + line(e));
        } finally {
            sent.cancel(true);
        }
    }

    private ServiceResponse received(String path, HttpResponse<byte[]> response) throws IOException {
        int status = response.statusCode();
        if (status == 304 && bodies.containsKey(path)) {
            return new ServiceResponse(body(path), null, freshUntil(response));
        }
        if (status == 200) {
            JsonValue body = json(response);
            if (!body.at("meta").isObject() || !body.at("rows").isArray()) {
                throw new IOException("no meta and rows in it");
            }
            bodies.put(
                    path,
                    new CachedBody(body, response.headers().firstValue("ETag").orElse(null)));
            return new ServiceResponse(body, null, freshUntil(response));
        }
        long due = nanoTime.getAsLong() + Math.max(everyNanos, RetryAfter.nanos(response.headers()));
        if (status == 429) {
            refusedUntilNanos = due;
        }
        return new ServiceResponse(body(path), error(status, response), due);
    }

    /** Such as {@code 503 starting: the first complete snapshot is not there yet; next request in 5 s}. */
    private String error(int status, HttpResponse<byte[]> response) {
        String detail = "";
        try {
            JsonValue body = json(response);
            String word = body.textOrNull("status");
            String reason = body.textOrNull("reason");
            detail = (word == null ? "" : " " + word) + (reason == null ? "" : ": " + reason);
        } catch (IOException | Skip e) {
            // not the service itself: a cache or a proxy before it, with a body of its own
        }
        long wait = Math.max(everyNanos, RetryAfter.nanos(response.headers()));
        return status + detail + "; next request in " + TimeUnit.NANOSECONDS.toSeconds(wait) + " s";
    }

    private ServiceResponse failed(String path, String problem) {
        return new ServiceResponse(body(path), problem, nanoTime.getAsLong() + everyNanos);
    }

    private long freshUntil(HttpResponse<?> response) {
        return nanoTime.getAsLong() + Math.max(everyNanos, Freshness.nanos(response.headers()));
    }

    private static JsonValue json(HttpResponse<byte[]> response) throws IOException {
        InputStream bytes = new ByteArrayInputStream(response.body());
        boolean packed = response.headers()
                .firstValue("Content-Encoding")
                .filter("gzip"::equalsIgnoreCase)
                .isPresent();
        try (InputStream plain = packed ? new GZIPInputStream(bytes) : bytes) {
            return JsonValue.parse(plain);
        }
    }

    private static String problem(Throwable e) {
        if (e instanceof ConnectException) {
            return "nothing responds there" + (e.getMessage() == null ? "" : ": " + e.getMessage());
        }
        return e instanceof HttpTimeoutException ? "no response in time" : line(e);
    }

    private static String line(Throwable e) {
        String message = e instanceof IOException io ? JsonValue.problem(io) : e.getMessage();
        return message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
