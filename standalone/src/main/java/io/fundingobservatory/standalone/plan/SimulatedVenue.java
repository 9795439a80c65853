package io.fundingobservatory.standalone.plan;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.VenueClient;
import io.fundingobservatory.ingest.client.VenueRequest;
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

/** The simulated exchange of a venue without a network; a request takes as long as the simulator delays it. */
final class SimulatedVenue implements VenueClient {
    private final SimulatedExchange exchange;
    private final Time time;

    SimulatedVenue(SimulatedExchange exchange, Time time) {
        this.exchange = exchange;
        this.time = time;
    }

    @Override
    public FetchResult fetch(Venue venue, VenueRequest call) throws InterruptedException {
        var request = SimulatedRequest.of(call.method(), URI.create(call.url()), call.body());
        SimulatedResponse response = exchange.respond(request, time.nowMs());
        time.pause(Duration.ofMillis(response.afterMs()));
        try {
            JsonValue body = JsonValue.parse(response.body().getBytes(StandardCharsets.UTF_8));
            VenueError error = venue.error(body);
            return error == null && response.status() < 400
                    ? new FetchResult.Received(body, time.nowMs())
                    : new FetchResult.Failed("HTTP " + response.status(), false);
        } catch (IOException e) {
            return new FetchResult.Failed(JsonValue.problem(e), false);
        }
    }
}
