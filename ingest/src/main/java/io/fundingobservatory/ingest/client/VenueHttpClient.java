package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.ReasonText;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.spec.VenueSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges over HTTP: themselves, or a stand-in under a base URL. Requests go only to hosts in the venue's own data sheet. Status and
 * first byte are checked before anything is parsed.
 */
public final class VenueHttpClient implements VenueClient, AutoCloseable {
    private static final int LONGEST_PROBLEM = 120;
    private static final String REFUSED = "refused: ";

    private final HttpTransport http;
    private final InstantSource clock;
    private final @Nullable String base;

    /** Bodies are unpacked and parsed one at a time: those of all venues at once would not fit into a small heap. */
    private final Semaphore parsing = new Semaphore(1, true);

    private VenueHttpClient(HttpTransport http, @Nullable String base, InstantSource clock) {
        this.http = http;
        this.base = base;
        this.clock = clock;
    }

    public static VenueHttpClient live(HttpTransport http, InstantSource clock) {
        return new VenueHttpClient(http, null, clock);
    }

    /** A client of a stand-in: {@code https://host/path?q} is requested from {@code base/venue/host/path?q}. */
    public static VenueHttpClient inPlaceOfThem(HttpTransport http, String base, InstantSource clock) {
        return new VenueHttpClient(http, base.replaceAll("/+$", ""), clock);
    }

    @Override
    public FetchResult fetch(Venue venue, VenueRequest request) throws InterruptedException {
        return fetch(venue, request, exchange -> {});
    }

    /** As {@link #fetch(Venue, VenueRequest)}; {@code sent} receives what went over the wire, if anything did. */
    public FetchResult fetch(Venue venue, VenueRequest request, Consumer<HttpExchange> sent)
            throws InterruptedException {
        URI uri;
        try {
            uri = new URI(request.url());
        } catch (URISyntaxException e) {
            return new FetchResult.Failed("the URL of " + request.name() + " cannot be read", false);
        }
        VenueSpec spec = venue.spec();
        if (!"https".equals(uri.getScheme()) || !spec.hosts().contains(uri.getHost())) {
            return new FetchResult.Failed("the host of " + request.name() + " is not one of the venue's own", false);
        }
        HttpExchange exchange = http.send(request.method(), target(spec, uri), request.body(), spec.largestMb());
        sent.accept(exchange);
        FetchResult failure = exchange.failure();
        return failure == null ? judge(venue, spec, exchange) : failure;
    }

    private URI target(VenueSpec spec, URI uri) {
        return base == null
                ? uri
                : URI.create(base + '/' + spec.id() + uri.toString().substring("https:/".length()));
    }

    private FetchResult judge(Venue venue, VenueSpec spec, HttpExchange response) throws InterruptedException {
        long readAtMs = clock.millis();
        Duration retryAfter = RequiredWait.of(spec, response, clock.instant());
        int code = response.status();
        String status = "HTTP " + code;
        if (code >= 200 && code < 300) {
            return read(venue, response, retryAfter, readAtMs);
        }
        if (code >= 300 && code < 400) {
            return new FetchResult.Failed(status + ", a redirect, which is not followed", false);
        }
        if (code == 429 || spec.throttles().contains(code)) {
            return new FetchResult.Throttled(status, retryAfter);
        }
        if (code == 403 || code == 418 || code == 451) {
            return new FetchResult.Banned(status, retryAfter);
        }
        if (retryAfter != null) {
            return new FetchResult.Throttled(status, retryAfter);
        }
        if (code >= 500) {
            return new FetchResult.Failed(status, true);
        }
        // many exchanges give their reason, and some their throttling, in the body of a 400
        return switch (read(venue, response, null, readAtMs)) {
            case FetchResult.Throttled(String why, Duration wait) ->
                new FetchResult.Throttled(status + ' ' + why, wait);
            case FetchResult.Failed(String why, boolean retryable)
            when why.startsWith(REFUSED) -> new FetchResult.Failed(status + ' ' + why, false);
            case FetchResult.Received received when code == 400 && venue.isEmpty(received.body()) -> received;
            default -> new FetchResult.Failed(status, false);
        };
    }

    private FetchResult read(Venue venue, HttpExchange response, @Nullable Duration retryAfter, long readAtMs)
            throws InterruptedException {
        if (!response.isReadable()) {
            return new FetchResult.Unreadable("response in an encoding that was not requested");
        }
        parsing.acquire();
        try (var body = new PushbackInputStream(response.unpacked())) {
            int first = firstByte(body);
            if (first != '{' && first != '[') {
                return new FetchResult.Unreadable(noJson(response, first));
            }
            body.unread(first);
            JsonValue node = JsonValue.parse(body);
            VenueError error = venue.error(node);
            if (error == null) {
                return new FetchResult.Received(node, readAtMs, response.headers());
            }
            return error.throttled()
                    ? new FetchResult.Throttled(REFUSED + error.reason(), retryAfter)
                    : new FetchResult.Failed(REFUSED + error.reason(), false);
        } catch (IOException e) {
            return new FetchResult.Unreadable(
                    "unreadable response: " + ReasonText.oneLine(JsonValue.problem(e), LONGEST_PROBLEM));
        } catch (Skip e) {
            // the reader could not decide whether this is a venue error
            return new FetchResult.Unreadable("unreadable response: " + e.reason());
        } finally {
            parsing.release();
        }
    }

    /** Several venues and their caches send JSON as text/html or without a type, so its first byte decides. */
    private static String noJson(HttpExchange response, int first) {
        String type =
                Objects.requireNonNullElse(response.header("content-type"), "").toLowerCase(Locale.ROOT);
        return first < 0 ? "empty response" : type.contains("html") ? "HTML instead of JSON" : "response is not JSON";
    }

    private static int firstByte(InputStream body) throws IOException {
        int first = body.read();
        while (first == ' ' || first == '\n' || first == '\r' || first == '\t') {
            first = body.read();
        }
        return first;
    }

    @Override
    public void close() {
        http.close();
    }
}
