package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.VirtualIngest.Reported;
import io.fundingobservatory.testbed.sim.server.Fault;
import io.fundingobservatory.topics.ListedVenue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Simulated venues, polled as live ones, that respond to every request with the same body for an hour. By default those whose rows tell it
 * in different ways; {@code -Dobservatory.limits.venues=all} takes every listed one.
 */
class FrozenVenuesTest {
    private static final Instant START = Instant.parse("2026-11-20T15:42:00Z");
    private static final boolean ALL =
            System.getProperty("observatory.limits.venues", "").equals("all");

    /** A time in each row, a time of the response, neither, and values requested one by one. */
    private static final Set<String> SOME = Set.of("binance", "bybit", "kraken", "lbank", "whitebit", "gemini");

    /** More than the ten rows of which the values are compared, also where some are halted. */
    private static final int CONTRACTS = 22;

    /** Ten minutes, the polls before and after them, and two minutes more where rows are requested one by one. */
    private static final Duration BOUND = Duration.ofMinutes(14);

    private static final Duration FROZEN = Duration.ofMinutes(60);

    @Test
    void frozenVenuesLeaveAndReturn() throws InterruptedException {
        List<ListedVenue> venues = ListedVenue.ALL.stream()
                .filter(venue -> ALL || SOME.contains(venue.id()))
                .toList();
        try (var ingest = new VirtualIngest(venues, CONTRACTS, START)) {
            ingest.runUntil(
                    "all have rows",
                    Duration.ofMinutes(10),
                    () -> venues.stream().allMatch(v -> hasRows(ingest, v.id())));
            ingest.run(Duration.ofMinutes(25));
            assertAll(venues.stream().map(v -> () -> neverNotLive(ingest.reported(v.id(), 0))));

            venues.forEach(v -> ingest.exchanges.fault(v.id(), new Fault.Frozen()));
            long frozen = ingest.time.elapsedMs();
            ingest.run(FROZEN);
            var checks = new ArrayList<Executable>();
            for (ListedVenue venue : venues) {
                List<Reported> late = ingest.reported(venue.id(), frozen + BOUND.toMillis());
                checks.add(() -> assertFalse(late.isEmpty(), venue.id()));
                late.forEach(reported ->
                        checks.add(() -> assertEquals(0, reported.rows(), () -> venue.id() + reported)));
                checks.add(() -> assertTrue(
                        late.stream()
                                .allMatch(
                                        reported -> String.valueOf(
                                                        reported.status().reason())
                                                .matches(
                                                        "\\d+ rows are not live: .*|no row could be used: .*\\bsettlement_passed\\b.*")),
                        () -> venue.id() + late.getLast()));
            }
            assertAll(checks);

            venues.forEach(v -> ingest.exchanges.heal(v.id()));
            long healed = ingest.time.elapsedMs();
            ingest.runUntil(
                    "all are back",
                    Duration.ofMinutes(5),
                    () -> venues.stream()
                            .allMatch(v -> ingest.reported(v.id(), healed).stream()
                                    .anyMatch(reported -> reported.rows() > 0)));
        }
    }

    private static boolean hasRows(VirtualIngest ingest, String venue) {
        return !ingest.reported(venue, 0).isEmpty() && ingest.latest(venue).rows() > 0;
    }

    private static void neverNotLive(List<Reported> reported) {
        reported.forEach(
                t -> assertFalse(String.valueOf(t.status().reason()).contains("not live"), t.status()::toString));
    }
}
