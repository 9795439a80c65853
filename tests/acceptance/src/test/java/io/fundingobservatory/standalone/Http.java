package io.fundingobservatory.standalone;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.testbed.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** Sends a request to a server on this machine, and waits for the wanted response. */
public final class Http {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    private Http() {}

    public static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(Duration.ofMinutes(1))
                        .build(),
                BodyHandlers.ofString());
    }

    static JsonNode json(int port, String path) throws IOException, InterruptedException {
        return JSON.readTree(get(port, path).body());
    }

    /** Requests until the response is 200 and is as wanted; fails with the last response when the deadline passes. */
    public static JsonNode await(int port, String path, Duration deadline, Predicate<JsonNode> wanted)
            throws InterruptedException {
        return await(port, path, deadline, wanted, () -> {});
    }

    /** The same, unless a check before each request fails: a server that has ended will not respond. */
    public static JsonNode await(int port, String path, Duration deadline, Predicate<JsonNode> wanted, Runnable check)
            throws InterruptedException {
        var last = new AtomicReference<>("no response");
        var found = new AtomicReference<JsonNode>();
        if (!Await.within(deadline, () -> {
            check.run();
            try {
                HttpResponse<String> response = get(port, path);
                last.set(response.statusCode() + " " + response.body());
                found.set(response.statusCode() == 200 ? JSON.readTree(response.body()) : null);
            } catch (IOException e) {
                last.set(e.toString());
                return false;
            }
            return found.get() != null && wanted.test(found.get());
        })) {
            throw new AssertionError(path + " was not as wanted within " + deadline + ": "
                    + last.get().substring(0, Math.min(1_000, last.get().length())));
        }
        return found.get();
    }
}
