package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.publishing.Tables.PublishedStatus;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which venues the first snapshot waits for, before its deadline; {@link SnapshotPublisherTest} has what happens over time. */
class FirstSnapshotWaitTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final long MINUTE = 60_000;

    private static final Rate A = Samples.rate("okx", "A", "A", NOW);
    private static final PublishedStatus ONE = now(Samples.read("okx", NOW, 1, Map.of()));
    private static final PublishedStatus TWO = now(Samples.read("okx", NOW, 2, Map.of()));

    private static PublishedStatus now(VenueStatus status) {
        return new PublishedStatus(status, NOW);
    }

    /** Every exchange that is not named here has published, however long ago, that it has no reader. */
    private static boolean isOver(List<Rate> okx, PublishedStatus... published) {
        Map<String, PublishedStatus> statuses = new HashMap<>();
        ListedVenue.ALL.forEach(venue ->
                statuses.put(venue.id(), new PublishedStatus(Samples.withoutReader(venue.id()), NOW - 90 * MINUTE)));
        for (PublishedStatus one : published) {
            statuses.put(one.status().venue(), one);
        }
        return new FirstSnapshotWait(Duration.ofMinutes(1), () -> StreamsProgress.Known.NOTHING)
                .isOver(Map.of("okx", Samples.rows("okx", okx, NOW)), statuses, NOW);
    }

    @Test
    void waitsForFirstPollsButNotFailingVenues() {
        assertFalse(isOver(List.of(A), ONE, now(Samples.untouched("gate"))));
        assertTrue(isOver(List.of(A), ONE, now(Samples.failed("gate", NOW, null, "HTTP 451"))));
        assertTrue(isOver(List.of(A), ONE, now(Samples.withoutReader("gate"))));
        assertTrue(
                isOver(List.of(A), ONE, now(Samples.failed("gate", NOW - 50 * MINUTE, NOW - 60 * MINUTE, "HTTP 418"))));
    }

    /** The status of a former poller does not count, whatever it contains: the exchange may respond again. */
    @ParameterizedTest
    @ValueSource(longs = {3, 11, 40, 3 * 24 * 60})
    void ignoresStatusOfFormerRun(long minutes) {
        long then = NOW - minutes * MINUTE;
        assertFalse(isOver(List.of(A), ONE, new PublishedStatus(Samples.read("gate", then, 300, Map.of()), then)));
        assertFalse(isOver(
                List.of(A), ONE, new PublishedStatus(Samples.failed("gate", then, then - MINUTE, "HTTP 403"), then)));
        assertTrue(isOver(List.of(A), ONE, now(Samples.failed("gate", NOW, then, "HTTP 403"))), "polled again");
    }

    /** Rows that the former run left are in the table, and none of them would be shown for long. */
    @Test
    void rowsTooOldToServeAreIncomplete() {
        assertTrue(isOver(List.of(A, Samples.rate("okx", "B", "B", NOW)), TWO));
        for (long minutes : List.of(9L, 11L)) {
            assertFalse(
                    isOver(List.of(A, Samples.rate("okx", "B", "B", NOW - minutes * MINUTE)), TWO), minutes + " min");
        }
    }
}
