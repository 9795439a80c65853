package io.fundingobservatory.topics.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.PollCounts.LastDay;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Polls and missing time of a venue; a rate is fresh for 180 s. */
class PollCountsTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private static long at(String utc) {
        return Instant.parse(utc).toEpochMilli();
    }

    private static PollCounts ok(PollCounts counts, long atMs) {
        return counts.with(atMs, atMs);
    }

    @Test
    void countsPollsOfTheLastDay() {
        long begun = at("2026-11-01T00:00:30Z");
        PollCounts counts = PollCounts.since(begun);
        for (long now = begun; now <= begun + 25 * HOUR; now += MINUTE) {
            counts = ok(counts, now);
        }
        // 01:00:30 on the second day: from 01:00:30 on the first, both included
        assertEquals(new LastDay(1_441, 0, 0), counts.lastDay(begun + 25 * HOUR));
    }

    @Test
    void missesTimeAfterARateIsStale() {
        long last = at("2026-11-01T12:55:00Z");
        PollCounts counts = ok(ok(PollCounts.since(last), last), last + 10 * MINUTE);
        assertEquals(
                Map.of("2026-11-01T12:00:00Z", 120_000L, "2026-11-01T13:00:00Z", 300_000L),
                counts.missingMs(),
                "stale from 12:58:00 to 13:05:00");
        assertEquals(Map.of("2026-11-01T00:00:00Z", 420_000L), counts.missingMsByDay());
        assertEquals(new LastDay(2, 0, 420_000), counts.lastDay(last + 10 * MINUTE));
    }

    @Test
    void failedPollWithFreshRatesMissesNothing() {
        long begun = at("2026-11-01T12:00:00Z");
        PollCounts counts = ok(PollCounts.since(begun), begun);
        for (int minute = 1; minute <= 4; minute++) {
            counts = counts.with(begun + minute * MINUTE, null);
        }
        assertEquals(new LastDay(5, 4, 60_000), counts.lastDay(begun + 4 * MINUTE), "fresh for three of four minutes");
        counts = ok(counts, begun + 5 * MINUTE);
        assertEquals(new LastDay(6, 4, 120_000), counts.lastDay(begun + 5 * MINUTE));
    }

    @Test
    void timeWithoutAnyPollIsMissing() {
        long begun = at("2026-11-01T12:00:00Z");
        PollCounts counts = ok(PollCounts.since(begun), begun);
        assertEquals(new LastDay(1, 0, 57 * MINUTE), counts.lastDay(begun + HOUR));
        assertEquals(new LastDay(0, 0, DAY), counts.lastDay(begun + 3 * DAY), "a day is not more than a day");
        long monthsLater = begun + 100 * DAY;
        PollCounts again = ok(counts, monthsLater);
        assertEquals(DAY, again.lastDay(monthsLater).missingMs());
        assertEquals(new BigDecimal("0.000000"), again.presence(monthsLater));
    }

    @Test
    void theAgeOfTheNewestRateCounts() {
        long begun = at("2026-11-01T12:00:00Z");
        PollCounts counts = PollCounts.since(begun).with(begun, begun - 2 * MINUTE);
        assertEquals(2 * MINUTE, counts.lastDay(begun + 3 * MINUTE).missingMs(), "fresh for one minute");
    }

    @Test
    void presenceIsUnknownUntilThirtyDaysAreCounted() {
        long begun = at("2026-10-01T00:00:00Z");
        PollCounts counts = PollCounts.since(begun);
        for (long now = begun; now <= begun + 30 * DAY; now += HOUR) {
            counts = ok(counts, now);
        }
        assertNull(PollCounts.since(begun + 1).presence(begun + 30 * DAY));
        // 180 s of each hour
        assertEquals(new BigDecimal("0.050000"), counts.presence(begun + 30 * DAY));
    }

    @Test
    void presenceIsOneOnlyWhenNothingIsMissing() {
        long begun = at("2026-10-01T00:00:00Z");
        PollCounts counts = PollCounts.since(begun);
        for (long now = begun; now <= begun + 30 * DAY; now += MINUTE) {
            counts = ok(counts, now);
        }
        assertEquals(new BigDecimal("1.000000"), counts.presence(begun + 30 * DAY));
        assertEquals(new BigDecimal("1.000000"), counts.presence(begun + 30 * DAY + 3 * MINUTE));
        assertEquals(new BigDecimal("0.999999"), counts.presence(begun + 30 * DAY + 3 * MINUTE + 1));
    }

    @Test
    void staysSmall() {
        long begun = at("2026-10-01T00:00:00Z");
        PollCounts counts = PollCounts.since(begun);
        for (long now = begun; now <= begun + 40 * DAY; now += HOUR / 2) {
            counts = counts.with(now, null);
        }
        assertEquals(25, counts.polls().size());
        assertEquals(25, counts.failed().size());
        assertTrue(counts.missingMs().size() <= 25 && counts.missingMsByDay().size() <= 31, counts::toString);
        assertEquals(new BigDecimal("0.000000"), counts.presence(begun + 40 * DAY));
        assertEquals(25 * 2 - 1, counts.lastDay(begun + 40 * DAY).polls(), "24 hours, and the first poll of this one");
    }

    @Test
    void aClockThatWasAheadHidesNoTime() {
        long begun = at("2026-11-01T12:00:00Z");
        PollCounts ahead = ok(PollCounts.since(begun + 300 * DAY), begun + 300 * DAY);
        PollCounts counts = ok(ahead, begun);
        assertEquals(7 * MINUTE, counts.lastDay(begun + 10 * MINUTE).missingMs());
    }

    /** Counts of a process whose clock was 30 days ahead do not wait for those days. */
    @Test
    void forgetsCountsOfTheFuture() {
        long begun = at("2026-10-01T00:00:00Z");
        PollCounts counts = PollCounts.since(begun);
        for (long now = begun; now <= begun + 40 * DAY; now += MINUTE) {
            counts = ok(counts, now);
        }
        long now = begun + 40 * DAY;
        PollCounts ahead = ok(counts, now + 30 * DAY);
        assertEquals(0, ahead.lastDay(now).missingMs(), "also as they are stored");
        PollCounts right = ok(ahead, now + MINUTE);
        assertEquals(new LastDay(1, 0, 0), right.lastDay(now + MINUTE));
        assertEquals(Map.of("2026-11-10T00:00:00Z", DAY - 3 * MINUTE), right.missingMsByDay());
    }

    @Test
    void rejectsCountsOfNoHour() throws MalformedRecord {
        PollCounts counts = ok(PollCounts.since(at("2026-11-01T12:00:00Z")), at("2026-11-01T12:10:00Z"));
        String json = new String(PollCounts.CODEC.encode(counts), UTF_8);
        assertEquals(counts, PollCounts.CODEC.decode(json.getBytes(UTF_8)));
        for (String wrong : new String[] {"2026-11-01T12:00:01Z", "2026-11-01T12:00Z", "noon"}) {
            String broken = json.replace("2026-11-01T12:00:00Z", wrong);
            assertThrows(MalformedRecord.class, () -> PollCounts.CODEC.decode(broken.getBytes(UTF_8)), wrong);
        }
        String negative = json.replace("\"2026-11-01T12:00:00Z\":1", "\"2026-11-01T12:00:00Z\":-1");
        assertThrows(MalformedRecord.class, () -> PollCounts.CODEC.decode(negative.getBytes(UTF_8)));
    }
}
