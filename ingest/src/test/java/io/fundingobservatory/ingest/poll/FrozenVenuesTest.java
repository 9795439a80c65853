package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.FetchResult.Received;
import io.fundingobservatory.ingest.client.VenueClient;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.client.VirtualVenue;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchange;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.ListedVenue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Simulated venues that respond to every request with the same body for an hour. By default those whose rows tell it
 * in different ways; {@code -Dobservatory.limits.venues=all} takes every listed one.
 */
class FrozenVenuesTest {
    private static final Instant START = Instant.parse("2026-11-20T15:42:00Z");
    private static final long FROZEN_MS = Duration.ofMinutes(35).toMillis();
    private static final long HEALED_MS = Duration.ofMinutes(95).toMillis();

    /** Ten minutes, the polls before and after them, and two minutes more where rows are requested one by one. */
    private static final long BOUND_MS = Duration.ofMinutes(14).toMillis();

    /** A time in each row, a time of the response, neither, and values requested one by one. */
    private static final Set<String> SOME = Set.of("binance", "bybit", "kraken", "lbank", "whitebit", "gemini");

    /** More than the ten rows of which the values are compared, also where some are halted. */
    private static final int CONTRACTS = 60;

    private record Reported(long atMs, PollReport report) {
        String reason() {
            return String.valueOf(report.status().reason());
        }

        boolean hasRows() {
            return !report.quotes().isEmpty();
        }
    }

    static Stream<String> venues() {
        boolean all = "all".equals(System.getProperty("observatory.limits.venues"));
        return ListedVenue.ALL.stream().map(ListedVenue::id).filter(id -> all || SOME.contains(id));
    }

    @ParameterizedTest
    @MethodSource("venues")
    void frozenVenueLeavesAndReturns(String id) {
        List<Reported> reported = polled(id);

        List<Reported> before = between(reported, 0, FROZEN_MS);
        assertTrue(before.stream().anyMatch(one -> one.atMs() < 600_000 && one.hasRows()), before::toString);
        before.forEach(one -> assertFalse(one.reason().contains("not live"), one::toString));
        List<Reported> late = between(reported, FROZEN_MS + BOUND_MS, HEALED_MS);
        assertTrue(late.size() > 40, () -> late.size() + " polls");
        late.forEach(one -> {
            assertEquals(List.of(), one.report().quotes());
            assertTrue(
                    one.reason()
                            .matches("\\d+ rows are not live: .*|no row could be used: .*\\bsettlement_passed\\b.*"),
                    one::toString);
        });
        assertTrue(between(reported, HEALED_MS, Long.MAX_VALUE).stream().anyMatch(Reported::hasRows), "it is back");
    }

    private static List<Reported> between(List<Reported> reported, long fromMs, long toMs) {
        return reported.stream()
                .filter(one -> one.atMs() > fromMs && one.atMs() <= toMs)
                .toList();
    }

    private static List<Reported> polled(String id) {
        Venue venue = Objects.requireNonNull(Registry.find(id));
        var time = new VirtualTime(Duration.ofMinutes(100), START.toEpochMilli());
        var market = new SimulatedMarket(11, List.of(Wires.of(id)), CONTRACTS);
        var simulated = new VirtualVenue(new SimulatedExchange(Wires.of(id), market, Realism.LENIENT), time);
        var frozen = new HashMap<String, Received>();
        VenueClient client = (of, request) -> {
            String asked = request.url() + request.body();
            boolean isFrozen = time.elapsedMs() > FROZEN_MS && time.elapsedMs() <= HEALED_MS;
            Received first = isFrozen ? frozen.get(asked) : null;
            FetchResult result =
                    first == null ? simulated.fetch(of, request) : new Received(first.body(), time.nowMs());
            if (isFrozen && result instanceof Received received) {
                frozen.put(asked, received);
            }
            return result;
        };
        var reported = new ArrayList<Reported>();
        var events = new IngestEvents() {
            @Override
            public void polled(PollReport report, boolean sent, boolean banned) {
                reported.add(new Reported(time.elapsedMs(), report));
            }
        };
        SimulatedPoller.run(venue, client, time, List.of(), new DiscardedRecords(), events);
        return reported;
    }
}
