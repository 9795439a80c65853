package io.fundingobservatory.ingest.poll.guards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An interval that changes before the list does is unknown, never the old one. */
class IntervalGuardTest {
    private static final long HOUR = 3_600_000;
    private static final long MINUTE = 60_000;
    private static final long MIDNIGHT = 1_790_208_000_000L / (24 * HOUR) * (24 * HOUR);

    private final IntervalGuard guard = new IntervalGuard();
    private final SettlementGaps gaps = new SettlementGaps();

    private static Quote quote(int listedHours, @Nullable Long next, IntervalSource source) {
        return quote(BigDecimal.valueOf(listedHours), next, source, RateKind.ESTIMATE);
    }

    private static Quote quote(BigDecimal hours, @Nullable Long next, IntervalSource source, RateKind kind) {
        return SampleRecords.quote(
                "venue",
                "gate",
                "symbol",
                "A",
                "base",
                "A",
                "quote",
                "USDT",
                "contract_type",
                ContractType.LINEAR,
                "asset_class",
                null,
                "dex",
                null,
                "rate",
                new BigDecimal("0.0001"),
                "rate_unit",
                RateUnit.FRACTION,
                "rate_hours",
                hours,
                "rate_kind",
                kind,
                "interval_h",
                hours,
                "interval_source",
                source,
                "next_funding_ms",
                next,
                "mark_price",
                null,
                "index_price",
                null,
                "venue_time_ms",
                null,
                "observed_at_ms",
                MIDNIGHT);
    }

    private IntervalGuard.Checked poll(int listedHours, long next, long now) {
        return guard.check(List.of(quote(listedHours, next, IntervalSource.INSTRUMENT_LIST)), now, gaps);
    }

    private static void assertUnknown(IntervalGuard.Checked checked) {
        assertEquals(1, checked.contradicted());
        assertNull(checked.quotes().getFirst().intervalH());
        assertNull(checked.quotes().getFirst().intervalSource());
        assertNull(checked.quotes().getFirst().rateHours());
    }

    @Test
    void whatAgreesStays() {
        for (int hours : new int[] {1, 4, 8}) {
            long interval = hours * HOUR;
            for (long now = MIDNIGHT; now < MIDNIGHT + 50 * HOUR; now += 7 * MINUTE) {
                // an exchange that turns to the next settlement some minutes late, with seconds of jitter
                long next = (now - 3 * MINUTE) / interval * interval + interval + now % 9_000;
                assertEquals(0, poll(hours, next, now).contradicted(), hours + " h at " + (now - MIDNIGHT) / MINUTE);
            }
            guard.check(List.of(), 0, gaps);
        }
    }

    @Test
    void unseenSettlementsAreNotContradiction() {
        poll(4, MIDNIGHT + 4 * HOUR, MIDNIGHT + HOUR);
        assertEquals(0, poll(4, MIDNIGHT + 16 * HOUR, MIDNIGHT + 13 * HOUR).contradicted());
    }

    @Test
    void shorterIntervalIsUnknownUntilListed() {
        poll(8, MIDNIGHT + 8 * HOUR, MIDNIGHT + 7 * HOUR);
        IntervalGuard.Checked jumped = poll(8, MIDNIGHT + 12 * HOUR, MIDNIGHT + 8 * HOUR + MINUTE);
        assertUnknown(jumped);
        assertTrue(jumped.newly(), "the list is requested again");
        IntervalGuard.Checked still = poll(8, MIDNIGHT + 12 * HOUR, MIDNIGHT + 8 * HOUR + 2 * MINUTE);
        assertUnknown(still);
        assertFalse(still.newly(), "once");
        IntervalGuard.Checked listed = poll(4, MIDNIGHT + 12 * HOUR, MIDNIGHT + 8 * HOUR + 3 * MINUTE);
        assertEquals(0, listed.quotes().getFirst().intervalH().compareTo(BigDecimal.valueOf(4)));
        assertEquals(0, listed.contradicted());
    }

    @Test
    void detectsLongerIntervalByItsDistance() {
        poll(1, MIDNIGHT + HOUR, MIDNIGHT + 59 * MINUTE);
        assertUnknown(poll(1, MIDNIGHT + 8 * HOUR, MIDNIGHT + HOUR + MINUTE));
        assertUnknown(poll(1, MIDNIGHT + 8 * HOUR, MIDNIGHT + 7 * HOUR + 30 * MINUTE));
    }

    @Test
    void detectsSettlementBroughtForward() {
        poll(8, MIDNIGHT + 8 * HOUR, MIDNIGHT + HOUR);
        assertUnknown(poll(8, MIDNIGHT + 4 * HOUR, MIDNIGHT + HOUR + MINUTE));
    }

    @Test
    void trustsListAgainThatWasRight() {
        poll(8, MIDNIGHT + 8 * HOUR, MIDNIGHT + HOUR);
        assertUnknown(poll(8, MIDNIGHT + 4 * HOUR, MIDNIGHT + HOUR + MINUTE));
        assertEquals(
                0, poll(8, MIDNIGHT + 12 * HOUR, MIDNIGHT + 4 * HOUR + MINUTE).contradicted());
    }

    @Test
    void keepsIntervalOfRowItself() {
        Quote own = quote(8, MIDNIGHT + 30 * HOUR, IntervalSource.ROW);
        assertEquals(List.of(own), guard.check(List.of(own), MIDNIGHT, gaps).quotes());
    }

    /** Hibachi's documentation says 8 hours, its settlements came every hour in 2026, and no row announces one. */
    @Test
    void twoNewestSettlementsDecideWithoutAnnouncement() {
        List<Quote> hourly = List.of(quote(1, null, IntervalSource.DOCUMENTED));
        assertEquals(hourly, guard.check(hourly, MIDNIGHT, gaps).quotes(), "none is known");
        gaps.settled("A", MIDNIGHT - 16 * HOUR);
        assertEquals(hourly, guard.check(hourly, MIDNIGHT, gaps).quotes(), "one says nothing");
        gaps.settled("A", MIDNIGHT + 4_000);
        gaps.settled("A", MIDNIGHT - 8 * HOUR);
        assertUnknown(guard.check(hourly, MIDNIGHT, gaps));
        assertEquals(
                0,
                guard.check(List.of(quote(8, null, IntervalSource.DOCUMENTED)), MIDNIGHT, gaps)
                        .contradicted());
        // read once more, and an older page of the past
        gaps.settled("A", MIDNIGHT + 5_000);
        gaps.settled("A", MIDNIGHT - 24 * HOUR);
        assertUnknown(guard.check(hourly, MIDNIGHT, gaps));
        // 559 seconds late has been seen
        gaps.settled("A", MIDNIGHT + HOUR + 559_000);
        assertEquals(hourly, guard.check(hourly, MIDNIGHT + HOUR, gaps).quotes(), "hours again");
    }

    /** Deribit's rate is for 8 hours and accrues continuously; its history has one row for each hour. */
    @Test
    void ignoresHistoryHoursOfContinuousRates() {
        gaps.settled("A", MIDNIGHT);
        gaps.settled("A", MIDNIGHT + HOUR);
        List<Quote> continuous =
                List.of(quote(BigDecimal.valueOf(8), null, IntervalSource.DOCUMENTED, RateKind.CONTINUOUS));
        assertEquals(continuous, guard.check(continuous, MIDNIGHT, gaps).quotes());
    }

    /** A list that says an interval of 0.36 ms, and one whose venue's clock is two minutes ahead of ours right after a settlement. */
    @Test
    void invalidIntervalIsUnknownLateClockDoubtsNothing() {
        Quote wrong =
                quote(new BigDecimal("0.0000001"), MIDNIGHT + HOUR, IntervalSource.INSTRUMENT_LIST, RateKind.ESTIMATE);
        guard.check(List.of(wrong), MIDNIGHT, gaps);
        assertEquals(1, guard.check(List.of(wrong), MIDNIGHT + MINUTE, gaps).contradicted());

        long next = MIDNIGHT + 8 * HOUR;
        assertEquals(
                0,
                new IntervalGuard()
                        .check(List.of(quote(8, next, IntervalSource.INSTRUMENT_LIST)), MIDNIGHT - 2 * MINUTE, gaps)
                        .contradicted());
    }
}
