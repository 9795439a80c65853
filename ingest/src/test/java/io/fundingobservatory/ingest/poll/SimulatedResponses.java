package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.VenueClient;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Wire;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One simulated exchange without a network, at a virtual time; what it lists can be changed. Outcomes are judged as the HTTP client
 * judges them.
 */
final class SimulatedResponses implements VenueClient {
    private final Wire wire;
    private final SimulatedMarket market;
    private final Time time;
    private UnaryOperator<MarketSnapshot> change = UnaryOperator.identity();
    private @Nullable MarketSnapshot latest;
    private long latestMs;

    SimulatedResponses(Wire wire, SimulatedMarket market, Time time) {
        this.wire = wire;
        this.market = market;
        this.time = time;
    }

    void change(UnaryOperator<MarketSnapshot> next) {
        change = next;
        latest = null;
    }

    /** What it lists now; computed once for all requests of a second. */
    MarketSnapshot moment() {
        long nowMs = Math.floorDiv(time.nowMs(), 1_000) * 1_000;
        MarketSnapshot moment = latest;
        if (moment == null || latestMs != nowMs) {
            moment = change.apply(market.at(wire.venue(), nowMs));
            latest = moment;
            latestMs = nowMs;
        }
        return moment;
    }

    @Override
    public FetchResult fetch(Venue venue, io.fundingobservatory.ingest.spec.VenueRequest request) {
        String response = wire.response(
                SimulatedRequest.of(request.method(), URI.create(request.url()), request.body()), moment());
        if (response == null) {
            return new FetchResult.Failed("HTTP 404", false);
        }
        try {
            JsonValue node = JsonValue.parse(response.getBytes(StandardCharsets.UTF_8));
            VenueError error = venue.error(node);
            if (error == null) {
                return new FetchResult.Received(node, time.nowMs());
            }
            return error.throttled()
                    ? new FetchResult.Throttled("refused: " + error.reason(), null)
                    : new FetchResult.Failed("refused: " + error.reason(), false);
        } catch (IOException e) {
            return new FetchResult.Failed(JsonValue.problem(e), true);
        }
    }
}
