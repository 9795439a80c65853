package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.rows.ServedLists;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshots;
import io.fundingobservatory.gateway.publishing.TableFollower.State;
import io.fundingobservatory.topics.ListedVenue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotPublisherTest {
    private static final long START = 1_790_000_000_000L;
    private static final long HOUR = 3_600_000;

    private final FilledTables tables = new FilledTables();
    private final SnapshotPublisher publisher = publisher(tables);
    private long now = START;

    /** The progress of streams as Kafka reports it; the number of requests for it. */
    private StreamsProgress.Known progress = StreamsProgress.Known.NOTHING;

    private int requests;

    private SnapshotPublisher publisher(FilledTables read) {
        return publisher(read, Duration.ofSeconds(5));
    }

    private SnapshotPublisher publisher(FilledTables read, Duration interval) {
        return new SnapshotPublisher(
                read.tables, () -> Instant.ofEpochMilli(this.now), interval, Duration.ofSeconds(60), () -> {
                    this.requests++;
                    return this.progress;
                });
    }

    /** Streams has processed all quotes of up to an instant. */
    private static StreamsProgress.Known processedUntil(long ms) {
        return new StreamsProgress.Known(ms, 0, false);
    }

    /** Two exchanges are read, the others have no reader. */
    private void polled(long at) {
        ListedVenue.ALL.forEach(venue -> tables.put(Samples.withoutReader(venue.id()), at));
        for (String venue : List.of("okx", "gate")) {
            tables.put(Samples.rate(venue, "BTC", "BTC", at));
            tables.put(Samples.rate(venue, "ETH", "ETH", at));
            tables.put(Samples.read(venue, at, 2, Map.of()), at);
        }
    }

    private Snapshot next(Snapshot last) {
        return publisher.next(true, last);
    }

    private Snapshot first() {
        polled(now);
        Snapshot first = next(null);
        assertNotNull(first);
        return first;
    }

    @ParameterizedTest
    @CsvSource({
        "PT5S, 2026-09-21T13:33:20.000Z, 2026-09-21T13:33:25Z",
        "PT5S, 2026-09-21T13:33:19.999Z, 2026-09-21T13:33:20Z",
        "PT5S, 2026-09-21T13:33:20.001Z, 2026-09-21T13:33:25Z",
        "PT10S, 2026-09-21T13:33:29Z, 2026-09-21T13:33:30Z",
        "PT1S, 2026-09-21T13:33:20.500Z, 2026-09-21T13:33:21Z"
    })
    void snapshotTimesAreWallClockMultiples(Duration interval, Instant at, Instant next) {
        assertEquals(next.toEpochMilli(), publisher(tables, interval).after(at.toEpochMilli()));
    }

    /** A gateway that has just been started has the time of those that run. */
    @Test
    void everySnapshotIsOfTheInterval() {
        now = START + 1_234;
        Snapshot first = first();
        assertEquals(START, first.generatedAtMs());
        assertTrue(first.cacheControl(now).startsWith("public, max-age=3,"), "until 5 s");
        now = START + 5_003;
        Snapshot second = next(first);
        assertEquals(START + 5_000, second.generatedAtMs());
        assertTrue(second.cacheControl(now).startsWith("public, max-age=4,"), "until 10 s");
        now = START + 12_999;
        assertEquals(
                START + 10_000,
                next(second).generatedAtMs(),
                "late, and of the same time as that of every other gateway");
    }

    /** Before the tables are open there is nothing to keep. */
    @Test
    void removedRowIsGoneRightAfterStart() {
        assertNull(publisher.next(false, null), "no tables");
        Snapshot first = first();
        now = START + 5_003;
        tables.remove("okx", "ETH");
        assertEquals(first.rows() - 1, next(first).rows());
    }

    /** A client with the first list gets one row of the venue that changed, and none of the other. */
    @Test
    void changesAreThoseBetweenTwoSnapshots() {
        Snapshot first = first();
        var served = new ServedLists();
        served.served(false, "tag", "all", first.generatedAtMs(), Snapshots.venues(first), null);
        now = START + 5_003;
        tables.put(Samples.rate("okx", "ETH", "ETH", now));
        Snapshot second = next(first);
        ServedLists.Former former = served.since("tag", "all", second.generatedAtMs());
        assertNotNull(former);
        List<VenueRows> venues = Snapshots.venues(second);
        ServedLists.Delta delta = former.to(
                venues, venues.stream().flatMap(venue -> venue.rows().stream()).toList());
        assertEquals(
                List.of("ETH"),
                delta.changed().stream().map(row -> row.rate().asset()).toList());
        assertEquals(List.of(), delta.gone());
    }

    /** Stops of every length, each with what the former run left in the topics. */
    @ParameterizedTest
    @ValueSource(longs = {4, 9, 11, 60, 5 * 24 * 60})
    void firstSnapshotAfterRestartHasEveryRespondingVenue(long minutes) {
        polled(START - minutes * 60_000);
        assertNull(next(null), "nothing of this run is there");
        // Ingest is back: one exchange after another, its rows before or after its status.
        now += 2_000;
        tables.put(Samples.rate("okx", "BTC", "BTC", now));
        assertNull(next(null));
        tables.put(Samples.read("okx", now, 2, Map.of()), now);
        assertNull(next(null), "a row of okx is still in the stream, gate is not polled yet");
        tables.put(Samples.rate("okx", "ETH", "ETH", now));
        assertNull(next(null));
        now += 3_000;
        tables.put(Samples.rate("gate", "BTC", "BTC", now));
        tables.put(Samples.rate("gate", "ETH", "ETH", now));
        assertNull(next(null), "gate has not said how many there are");
        tables.put(Samples.read("gate", now, 2, Map.of()), now);
        Snapshot first = next(null);
        assertEquals(4, first.rows());
        assertEquals(2, first.coverage());
    }

    /**
     * Streams has rejected a row. The other rows of the poll are shown as soon as streams has processed the
     * poll, 57 s before the deadline.
     */
    @Test
    void doesNotWaitForRejectedRow() {
        polled(now);
        tables.put(Samples.read("okx", now, 3, Map.of()), now);
        assertNull(next(null), "one row of okx is not there");
        assertEquals(0, requests, "it may just be arriving");
        now += 1_000;
        progress = processedUntil(START + 999);
        assertNull(next(null), "the quotes of the status may have come later");
        assertEquals(1, requests);
        progress = processedUntil(START + 1_000);
        now += 1_000;
        assertEquals(4, next(null).rows());
    }

    /** Only rows that were taken after streams had come so far are known to be all of them. */
    @Test
    void takesRowsAfterPollWasProcessed() {
        polled(now);
        tables.put(Samples.read("okx", now, 4, Map.of()), now);
        now += 2_000;
        assertNull(next(null));
        tables.put(Samples.rate("okx", "SOL", "SOL", now));
        progress = processedUntil(now);
        assertEquals(5, next(null).rows(), "three of okx, whose fourth was rejected");
    }

    @Test
    void unknownStreamsPositionDelaysUntilDeadline() {
        polled(now);
        tables.put(Samples.read("okx", now, 3, Map.of()), now);
        progress = new StreamsProgress.Known(Long.MIN_VALUE, -1, true);
        for (int s = 0; s < 60; s++) {
            now = START + s * 1_000;
            assertNull(next(null), s + " s");
        }
        now = START + 60_000;
        assertEquals(4, next(null).rows());
    }

    /** Streams may lag for longer than the deadline: nothing is called complete before it has processed what was polled. */
    @Test
    void waitsForStreamsLagWithoutLimit() {
        polled(now);
        tables.put(Samples.read("okx", now, 300, Map.of()), now);
        progress = new StreamsProgress.Known(START - 1, 298, false);
        for (int s = 1; s < 1_800; s += 10) {
            now = START + s * 1_000L;
            polled(now);
            tables.put(Samples.read("okx", now - 1_000, 300, Map.of()), now - 1_000);
            assertNull(next(null), s + " s");
        }
        assertEquals("streams is behind by 298 quotes; rows are missing of okx", publisher.waitingFor());
        progress = processedUntil(now);
        assertEquals(4, next(null).rows());
    }

    /** Streams lags, and one venue is never polled: both are waited for, and the venue for no longer than the deadline. */
    @Test
    void waitsForVenueUntilDeadlineForStreamsLonger() {
        polled(now);
        tables.put(Samples.read("okx", now, 3, Map.of()), now);
        tables.put(Samples.untouched("gate"), now);
        assertNull(next(null));
        now += 59_000;
        assertNull(next(null));
        assertEquals("streams is behind; rows are missing of okx; not polled yet: gate", publisher.waitingFor());
        assertEquals(0, requests);
        now += 1_000;
        assertNull(next(null), "the deadline is over for gate, and okx may still be behind");
        progress = processedUntil(now);
        assertEquals(4, next(null).rows());
    }

    @Test
    void venuesThatCannotBeReachedAreNamed() {
        ListedVenue.ALL.forEach(venue -> tables.put(Samples.withoutReader(venue.id()), now));
        assertEquals("no venue has been polled yet", publisher.waitingFor());
        tables.put(Samples.failed("okx", now, null, "HTTP 451"), now);
        tables.put(Samples.failed("gate", now, null, "connect timed out"), now);
        for (int minute = 0; minute < 2; minute++) {
            assertNull(next(null));
            assertEquals("cannot be reached: gate (connect timed out), okx (HTTP 451)", publisher.waitingFor());
            now += 60_000;
        }
    }

    @Test
    void failureWhileBuildingLosesNoChange() {
        Snapshot first = first();
        tables.put(Samples.rate("gate", "SOL", "SOL", now));
        tables.putBroken(Samples.rate("okx", "SOL", "SOL", now));
        now = START + 5_000;
        assertThrows(RuntimeException.class, () -> next(first));
        tables.put(Samples.rate("okx", "SOL", "SOL", now));
        now = START + 10_000;
        assertEquals(6, next(first).rows());
    }

    @Test
    void rankingReportsAbsentOrUnreadablePairs() {
        Snapshot first = first();
        publisher.rank(State.OPENING);
        now = START + 5_000;
        assertNull(next(first).ranking(), "they may be on their way");
        publisher.rank(State.FAILED);
        assertEquals(
                "the tables of 30-day pairs cannot be read now; the service keeps trying",
                next(first).ranking().whyNone());
        publisher.rank(State.OPEN);
        assertEquals(
                "no table of 30-day pairs has been published yet",
                next(first).ranking().whyNone());
        tables.put(Samples.table(
                "BTC",
                START,
                List.of(Samples.pair(
                        Samples.leg("gate", "BTC", "0.001", 0, START),
                        Samples.leg("okx", "BTC", "0.0035", 0, START),
                        30,
                        null)),
                List.of()));
        publisher.rank(State.OPEN);
        assertNull(next(first).ranking().whyNone());
        assertEquals(1, next(first).ranking().complete().size());
    }

    @Test
    void deadlineStartsWithFirstRowOfRun() {
        polled(START - 20 * 60_000);
        // The gateway waits for the others for longer than the deadline.
        for (int s = 0; s < 300; s += 10) {
            now = START + s * 1_000;
            assertNull(next(null));
        }
        now += 1_000;
        long begun = now;
        tables.put(Samples.rate("okx", "BTC", "BTC", now));
        assertNull(next(null), "one row of four, and its exchange has only begun");
        now = begun + 59_999;
        assertNull(next(null));
        now = begun + 60_000;
        Snapshot late = next(null);
        assertEquals(1, late.rows(), "as complete as it got");
        assertTrue(late.coverage() == 1);
    }

    @Test
    void briefClockJumpNeitherFreezesNorReversesTime() {
        Snapshot first = first();
        now = START + HOUR;
        assertSame(first, next(first), "every row is too old: the last list is served on");
        now = START + 5_000;
        tables.put(Samples.rate("okx", "SOL", "SOL", now));
        Snapshot after = next(first);
        assertEquals(5, after.rows(), "the rows are there again, and a new one");
        assertEquals(START + 5_000, after.generatedAtMs());
        assertTrue(after.cacheControl(now).startsWith("public, max-age=5,"));
    }

    @Test
    void clockSetBackStopsSnapshotTimeOnly() {
        Snapshot first = first();
        now = START + 200_000;
        polled(now);
        Snapshot ahead = next(first);
        assertEquals(START + 200_000, ahead.generatedAtMs());
        now = START + 100_000;
        tables.put(Samples.rate("okx", "SOL", "SOL", now));
        Snapshot back = next(ahead);
        assertNotSame(ahead, back);
        assertEquals(5, back.rows());
        assertEquals(START + 200_000, back.generatedAtMs(), "it never goes back");
        assertTrue(back.cacheControl(now).startsWith("public, max-age=1,"));
    }

    /** A wait that ends early, or a clock that is set back by less than an interval: the date of a list names one list. */
    @Test
    void publishesOneSnapshotOfEachInterval() {
        Snapshot first = first();
        now = START + 10_000;
        Snapshot second = next(first);
        tables.put(Samples.rate("okx", "SOL", "SOL", now));
        for (long early : List.of(14_999L, 13_000L, 10_000L)) {
            now = START + early;
            assertSame(second, next(second), early + " ms");
        }
        now = START + 15_000;
        Snapshot third = next(second);
        assertEquals(5, third.rows(), "nothing is lost");
        assertEquals(START + 15_000, third.modifiedMs());
    }

    @Test
    void servesAgeingSnapshotWithoutTables() {
        Snapshot first = first();
        now = START + 190_000;
        Snapshot stale = publisher.next(false, first);
        assertEquals(4, stale.rows());
        assertEquals(START + 190_000, stale.generatedAtMs());
        now = START + 700_000;
        assertSame(stale, publisher.next(false, stale));
        polled(now);
        assertEquals(4, next(stale).rows());
        assertEquals(START + 700_000, next(stale).generatedAtMs());
    }

    /** Another client reads the topics again, older records first. */
    @Test
    void tablesBeingReadAgainAreNotShown() {
        Snapshot first = first();
        tables.put(Samples.rate("okx", "BTC", "BTC", START - 60_000));
        tables.put(Samples.rate("okx", "ETH", "ETH", START - 60_000));
        now = START + 5_000;
        Snapshot second = publisher.next(false, first);
        assertEquals(START, second.newestObservations().get("okx"));
        tables.put(Samples.rate("okx", "BTC", "BTC", now));
        now = START + 10_000;
        assertEquals(START + 5_000, next(second).newestObservations().get("okx"));
    }

    @Test
    void ranksPairsBetweenSnapshotsForNextOne() {
        Snapshot first = first();
        tables.put(Samples.table(
                "BTC",
                START,
                List.of(Samples.pair(
                        Samples.leg("gate", "BTC", "0.001", 0, START),
                        Samples.leg("okx", "BTC", "0.0035", 0, START),
                        30,
                        null)),
                List.of()));
        now = START + 5_000;
        Snapshot second = next(first);
        assertNull(second.ranking(), "not ranked yet");
        publisher.rank(State.OPENING);
        assertNull(next(second).ranking(), "other assets are still to come");
        publisher.rank(State.OPEN);
        now = START + 10_000;
        Snapshot third = next(second);
        assertEquals(1, third.ranking().complete().size());

        tables.remove("BTC");
        publisher.rank(State.OPEN);
        now = START + 15_000;
        assertEquals(
                1, next(third).ranking().complete().size(), "the last ranking stands until there is another table");
    }

    /** A venue is silent for an hour: a gateway that has seen its rows and one that has not publish the same list. */
    @Test
    void restartedGatewayCountsSilentVenueAlike() {
        Snapshot first = first();
        now = START + HOUR;
        var later = new FilledTables();
        ListedVenue.ALL.forEach(venue -> later.put(Samples.withoutReader(venue.id()), START));
        later.put(Samples.read("gate", START, 2, Map.of()), START);
        tables.remove("gate", "BTC");
        tables.remove("gate", "ETH");
        for (FilledTables both : List.of(tables, later)) {
            both.put(Samples.rate("okx", "BTC", "BTC", now));
            both.put(Samples.rate("okx", "ETH", "ETH", now));
            both.put(Samples.read("okx", now, 2, Map.of()), now);
        }
        Snapshot old = next(first);
        SnapshotPublisher restarted = publisher(later);
        assertNull(restarted.next(true, null), "gate may respond again");
        now += 60_000;
        for (FilledTables both : List.of(tables, later)) {
            both.put(Samples.rate("okx", "BTC", "BTC", now));
        }
        Snapshot same = next(old);
        Snapshot other = restarted.next(true, null);
        assertEquals(2, other.rows());
        assertEquals(same.generatedAtMs(), other.generatedAtMs());
        assertEquals(
                same.latest(Scope.ALL, RowForm.WHOLE).tag(),
                other.latest(Scope.ALL, RowForm.WHOLE).tag());
    }
}
