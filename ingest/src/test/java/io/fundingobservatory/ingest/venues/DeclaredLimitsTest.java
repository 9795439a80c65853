package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.RateLimit;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.limits.LimitPool;
import io.fundingobservatory.testbed.sim.limits.PublishedLimits;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The header declares everything that a venue publishes of its limits. A client that keeps to a fifth of the
 * declared limits takes at most a fifth of the published ones, in any window. For a limit published without a
 * number, the cautious reading applies. The published limits come from the simulated venues, which do not
 * know the headers.
 */
class DeclaredLimitsTest {
    private static final int PART = 5;
    private static final long NOW = 1_790_000_000_000L;

    static Stream<Venue> venues() {
        return Registry.all().stream();
    }

    @ParameterizedTest
    @MethodSource("venues")
    void everyPublishedLimitIsDeclared(Venue venue) {
        var beyond = new ArrayList<String>();
        for (LimitPool published : PublishedLimits.of(venue.spec().id())) {
            // of what an exchange puts in no value the cautious reading is kept to as a whole
            int part = published.certainty() == LimitPool.Certainty.PUBLISHED ? PART : 1;
            for (VenueRequest sent : requests(venue)) {
                var wire = SimulatedRequest.of(sent.method(), URI.create(sent.url()), sent.body());
                if (published.counts().test(wire)) {
                    long cost = published.cost().applyAsLong(wire);
                    long most = part == 1 && isRequestedOnce(venue, sent)
                            ? 1
                            : mostInAWindow(venue, sent, published.window());
                    // a single request is always allowed
                    if (cost > 0 && most > 1 && most * cost * part > published.units()) {
                        beyond.add(sent.name() + ": " + most + " of " + cost + " in "
                                + published.window().toSeconds() + " s are more than " + published.units() + " / "
                                + part + " (" + published.name() + ")");
                    }
                }
            }
        }
        assertEquals(List.of(), beyond);
    }

    /** Whether a poll sends the request once at most, and not for each of many symbols. */
    private static boolean isRequestedOnce(Venue venue, VenueRequest sent) {
        return venue.spec().requests().stream()
                .anyMatch(request -> request.keys() == null && request.name().equals(sent.name()));
    }

    /** How often a request may go out in a window when each of the declared limits that it draws on gives a fifth. */
    private static long mostInAWindow(Venue venue, VenueRequest sent, Duration window) {
        Map<String, Integer> drawn = new HashMap<>(sent.pools());
        drawn.put(URI.create(sent.url()).getHost(), sent.weight());
        return venue.spec().limits().stream()
                .filter(limit -> drawn.containsKey(limit.pool()))
                .mapToLong(limit -> most(limit, drawn.get(limit.pool()), window))
                .min()
                .orElseThrow();
    }

    private static long most(RateLimit limit, int weight, Duration window) {
        // where a fifth is less than one request, its window is as much longer
        double windows = Math.max(1, (double) window.toMillis() / limit.per().toMillis());
        return (long) (windows * limit.units() / PART / weight);
    }

    private static List<VenueRequest> requests(Venue venue) {
        var requests = new ArrayList<VenueRequest>();
        for (Request request : venue.spec().requests()) {
            requests.add(VenueRequest.of(request, request.keys() == null ? "" : "1", ""));
        }
        if (venue.spec().history() != null) {
            for (History history : venue.spec().history()) {
                requests.add(
                        VenueRequest.of(history, "1", NOW - Duration.ofDays(31).toMillis(), NOW, 1, ""));
            }
        }
        return requests;
    }
}
