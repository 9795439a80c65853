package io.fundingobservatory.gateway.core.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletenessTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final long MINUTE = 60_000;

    private static final Rate A = Samples.rate("okx", "A", "A", NOW);
    private static final Rate B = Samples.rate("okx", "B", "B", NOW);

    /** Every exchange that is not named here has said that it has no reader. */
    private static boolean ready(List<Rate> okx, boolean deadline, PublishedStatus... published) {
        Map<String, PublishedStatus> statuses = new HashMap<>();
        if (published.length > 0) {
            // That is said once, at the start of a poller, however long ago.
            ListedVenue.ALL.forEach(venue -> statuses.put(
                    venue.id(), new PublishedStatus(Samples.withoutReader(venue.id()), NOW - 90 * MINUTE)));
        }
        for (PublishedStatus one : published) {
            statuses.put(one.status().venue(), one);
        }
        return of(okx, statuses).firstListReady(Set.of(), deadline);
    }

    private static Completeness of(List<Rate> okx, Map<String, PublishedStatus> statuses) {
        return Completeness.of(Map.of("okx", Samples.rows("okx", okx, NOW)), statuses, NOW);
    }

    private static PublishedStatus now(VenueStatus status) {
        return new PublishedStatus(status, NOW);
    }

    @Test
    void waitsForEveryRowOfEachPolledVenue() {
        PublishedStatus two = now(Samples.read("okx", NOW, 2, Map.of()));
        assertFalse(ready(List.of(A), false, two));
        assertTrue(ready(List.of(A, B), false, two));
    }

    @Test
    void waitsForFirstPollsButNotFailingVenues() {
        PublishedStatus one = now(Samples.read("okx", NOW, 1, Map.of()));
        assertFalse(ready(List.of(A), false, one, now(Samples.untouched("gate"))));
        assertTrue(ready(List.of(A), false, one, now(Samples.failed("gate", NOW, null, "HTTP 451"))));
        assertTrue(ready(List.of(A), false, one, now(Samples.withoutReader("gate"))));
        assertTrue(ready(
                List.of(A), false, one, now(Samples.failed("gate", NOW - 50 * MINUTE, NOW - 60 * MINUTE, "HTTP 418"))));
    }

    /** The status of a former poller does not count, whatever it contains: the exchange may respond again. */
    @ParameterizedTest
    @ValueSource(longs = {3, 11, 40, 3 * 24 * 60})
    void ignoresStatusOfFormerRun(long minutes) {
        long then = NOW - minutes * MINUTE;
        PublishedStatus okx = now(Samples.read("okx", NOW, 1, Map.of()));
        assertFalse(
                ready(List.of(A), false, okx, new PublishedStatus(Samples.read("gate", then, 300, Map.of()), then)));
        assertFalse(ready(
                List.of(A),
                false,
                okx,
                new PublishedStatus(Samples.failed("gate", then, then - MINUTE, "HTTP 403"), then)));
        assertTrue(ready(List.of(A), false, okx, now(Samples.failed("gate", NOW, then, "HTTP 403"))), "polled again");
    }

    /** 300 rows that the former run left are in the table, and none of them would be shown. */
    @Test
    void rowsTooOldToServeAreIncomplete() {
        Rate old = Samples.rate("okx", "B", "B", NOW - 11 * MINUTE);
        assertFalse(ready(List.of(A, old), false, now(Samples.read("okx", NOW, 2, Map.of()))));
        Rate stale = Samples.rate("okx", "B", "B", NOW - 9 * MINUTE);
        assertFalse(
                ready(List.of(A, stale), false, now(Samples.read("okx", NOW, 2, Map.of()))),
                "shown for another minute, and then gone");
    }

    @Test
    void waitsForSilentVenue() {
        PublishedStatus one = now(Samples.read("okx", NOW, 1, Map.of()));
        Completeness alone = of(List.of(A), Map.of("okx", one));
        assertEquals(ListedVenue.ALL.size() - 1, alone.silent().size());
        assertFalse(alone.firstListReady(Set.of(), false));
    }

    /** What streams refuses has no row: a poll that it has worked off is not waited for. */
    @Test
    void pollIsCompleteWithFewerRowsOnceProcessed() {
        Map<String, PublishedStatus> statuses = new HashMap<>();
        ListedVenue.ALL.forEach(venue -> statuses.put(venue.id(), now(Samples.withoutReader(venue.id()))));
        statuses.put("okx", now(Samples.read("okx", NOW, 3, Map.of())));
        Completeness arrived = of(List.of(A, B), statuses);
        assertEquals(Set.of("okx"), arrived.rowsMissing());
        assertFalse(arrived.firstListReady(Set.of(), false));
        assertFalse(arrived.firstListReady(Set.of("gate"), false));
        assertTrue(arrived.firstListReady(Set.of("okx"), false));
        statuses.put("gate", now(Samples.untouched("gate")));
        assertFalse(of(List.of(A, B), statuses).firstListReady(Set.of("okx"), false), "gate may be about to be read");
    }

    @Test
    void namesUnreachableVenuesWithReasons() {
        Map<String, PublishedStatus> statuses = Map.of(
                "okx", now(Samples.read("okx", NOW, 1, Map.of())),
                "gate", now(Samples.failed("gate", NOW, null, "HTTP 451")),
                "bybit", now(Samples.failed("bybit", NOW, NOW - 60 * MINUTE, "connect timed out")));
        assertEquals(
                Map.of("gate", "HTTP 451", "bybit", "connect timed out"),
                of(List.of(A), statuses).unreachable());
    }

    @Test
    void withoutStatusNothingIsComplete() {
        assertFalse(ready(List.of(A), false));
    }

    @Test
    void deadlineCoversUnpolledVenuesAndNoEmptySnapshot() {
        PublishedStatus two = now(Samples.read("okx", NOW, 2, Map.of()));
        assertFalse(ready(List.of(A), true, two), "a row is missing that streams may still process");
        assertFalse(ready(List.of(), true, two));
        PublishedStatus one = now(Samples.read("okx", NOW, 1, Map.of()));
        assertTrue(ready(List.of(A), true, one, now(Samples.untouched("gate"))));
        assertFalse(ready(List.of(Samples.rate("okx", "A", "A", NOW - 600_001)), true, two));
    }
}
