package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Wire;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What a wire returns to every request that a venue declares. */
public final class WireResponses {
    private static final int MOST_PAGES = 40;

    private WireResponses() {}

    public static VenueResponses of(Venue venue, Wire wire, MarketSnapshot market) throws IOException {
        var responses = new VenueResponses();
        for (Request request : venue.spec().requests()) {
            List<String> keys =
                    request.keys() == null ? List.of("") : request.keys().apply(responses);
            for (String key : keys) {
                String url = request.declared().url().replace("{}", key);
                String posted = Objects.requireNonNullElse(request.declared().body(), "")
                        .replace("{}", key);
                Optional<String> page = Optional.of("");
                for (int pages = 0; page.isPresent(); pages++) {
                    assertTrue(pages < MOST_PAGES, () -> "no end of pages: " + url);
                    String requested = url + page.get();
                    String response = wire.response(
                            SimulatedRequest.of(request.declared().method(), URI.create(requested), posted), market);
                    assertNotNull(response, () -> "the wire does not know " + requested);
                    JsonValue body = parse(response);
                    assertNull(venue.error(body), requested);
                    responses.add(request.name(), new VenueResponses.Response(key, body, market.nowMs()));
                    page = request.nextPage() == null
                            ? Optional.empty()
                            : request.nextPage().apply(body);
                }
            }
        }
        return responses;
    }

    static JsonValue parse(String body) throws IOException {
        return JsonValue.parse(body.getBytes(StandardCharsets.UTF_8));
    }
}
