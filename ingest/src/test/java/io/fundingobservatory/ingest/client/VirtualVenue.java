package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.server.SimulatedExchange;
import io.fundingobservatory.testbed.sim.server.SimulatedResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A simulated exchange with its limits and its delays, polled in virtual time; its responses are judged as over HTTP. */
public final class VirtualVenue implements VenueClient {
    private final SimulatedExchange exchange;
    private final Time time;

    public VirtualVenue(SimulatedExchange exchange, Time time) {
        this.exchange = exchange;
        this.time = time;
    }

    @Override
    public FetchResult fetch(Venue venue, io.fundingobservatory.ingest.spec.VenueRequest request)
            throws InterruptedException {
        SimulatedResponse response = exchange.respond(
                SimulatedRequest.of(request.method(), URI.create(request.url()), request.body()), time.nowMs());
        time.pause(Duration.ofMillis(response.afterMs()));
        int status = response.status();
        if (status == 429 || venue.spec().throttles().contains(status)) {
            return new FetchResult.Throttled("HTTP " + status, retryAfter(response));
        }
        if (status == 403 || status == 418 || status == 451) {
            return new FetchResult.Banned("HTTP " + status, retryAfter(response));
        }
        return status >= 500 ? new FetchResult.Failed("HTTP " + status, true) : read(venue, response);
    }

    private FetchResult read(Venue venue, SimulatedResponse response) {
        try {
            JsonValue node = JsonValue.parse(response.body().getBytes(StandardCharsets.UTF_8));
            VenueError error = venue.error(node);
            if (error != null && error.throttled()) {
                return new FetchResult.Throttled(error.reason(), null);
            }
            if (error != null || response.status() >= 400) {
                return new FetchResult.Failed(
                        "HTTP " + response.status() + (error == null ? "" : " " + error.reason()), false);
            }
            return new FetchResult.Received(node, time.nowMs(), lowerCase(response.headers()));
        } catch (IOException e) {
            return new FetchResult.Failed(JsonValue.problem(e), response.status() < 400);
        }
    }

    private static Map<String, String> lowerCase(Map<String, String> headers) {
        return headers.entrySet().stream()
                .collect(Collectors.toMap(header -> header.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue));
    }

    private @Nullable Duration retryAfter(SimulatedResponse response) {
        String header = response.headers().get("Retry-After");
        if (header == null) {
            return null;
        }
        long seconds = Long.parseLong(header);
        return Duration.ofSeconds(seconds > 1_000_000_000 ? seconds - time.nowMs() / 1_000 : seconds);
    }
}
