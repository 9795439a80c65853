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
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A simulated exchange with its limits and its delays, polled in virtual time; its responses are judged as over HTTP. */
final class VirtualVenue implements VenueClient {
    private final SimulatedExchange exchange;
    private final Time time;

    VirtualVenue(SimulatedExchange exchange, Time time) {
        this.exchange = exchange;
        this.time = time;
    }

    @Override
    public FetchResult fetch(Venue venue, io.fundingobservatory.ingest.client.VenueRequest call)
            throws InterruptedException {
        SimulatedResponse reply =
                exchange.respond(SimulatedRequest.of(call.method(), URI.create(call.url()), call.body()), time.nowMs());
        time.pause(Duration.ofMillis(reply.afterMs()));
        int status = reply.status();
        if (status == 429 || venue.spec().throttles().contains(status)) {
            return new FetchResult.Throttled("HTTP " + status, retryAfter(reply));
        }
        if (status == 403 || status == 418 || status == 451) {
            return new FetchResult.Banned("HTTP " + status, retryAfter(reply));
        }
        return status >= 500 ? new FetchResult.Failed("HTTP " + status, true) : read(venue, reply);
    }

    private FetchResult read(Venue venue, SimulatedResponse reply) {
        try {
            JsonValue node = JsonValue.parse(reply.body().getBytes(StandardCharsets.UTF_8));
            VenueError refusal = venue.error(node);
            if (refusal != null && refusal.throttled()) {
                return new FetchResult.Throttled(refusal.reason(), null);
            }
            if (refusal != null || reply.status() >= 400) {
                return new FetchResult.Failed(
                        "HTTP " + reply.status() + (refusal == null ? "" : " " + refusal.reason()), false);
            }
            return new FetchResult.Received(node, time.nowMs(), lowerCase(reply.headers()));
        } catch (IOException e) {
            return new FetchResult.Failed(JsonValue.problem(e), reply.status() < 400);
        }
    }

    private static Map<String, String> lowerCase(Map<String, String> headers) {
        var told = new HashMap<String, String>();
        headers.forEach((name, value) -> told.put(name.toLowerCase(Locale.ROOT), value));
        return told;
    }

    private @Nullable Duration retryAfter(SimulatedResponse reply) {
        String told = reply.headers().get("Retry-After");
        if (told == null) {
            return null;
        }
        long seconds = Long.parseLong(told);
        return Duration.ofSeconds(seconds > 1_000_000_000 ? seconds - time.nowMs() / 1_000 : seconds);
    }
}
