package io.fundingobservatory.ingest.poll.guards;

import static io.fundingobservatory.testbed.SampleRecords.fields;
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

    private static Quote quote(
            @Nullable BigDecimal hours, @Nullable Long next, @Nullable IntervalSource source, RateKind kind) {
        return SampleRecords.quote(
                fields("venue", "gate", "symbol", "A", "base", "A", "quote", "USDT"),
                fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null),
                fields("rate", new BigDecimal("0.0001"), "rate_unit", RateUnit.FRACTION, "rate_hours", hours),
                fields("rate_kind", kind, "interval_h", hours, "interval_source", source, "next_funding_ms", next),
                fields("mark_price", null, "index_price", null, "venue_time_ms", null, "observed_at_ms", MIDNIGHT));
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
    void forgetsContractThatWasDelistedForDay() {
        poll(8, MIDNIGHT + 8 * HOUR, MIDNIGHT);
        long later = MIDNIGHT + 49 * HOUR;
        guard.check(List.of(), later - HOUR, gaps);
        assertEquals(0, poll(8, later + 7 * HOUR + 30 * MINUTE, later).contradicted(), "a listing with other hours");
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
        assertUnknown(guard.check(hourly, MIDNIGHT, gaps));
        gaps.settled("A", MIDNIGHT - 8 * HOUR);
        assertEquals(
                BigDecimal.valueOf(8),
                guard.check(hourly, MIDNIGHT, gaps).quotes().getFirst().intervalH());
        assertEquals(
                0,
                guard.check(List.of(quote(8, null, IntervalSource.DOCUMENTED)), MIDNIGHT, gaps)
                        .contradicted());
        // read once more, and an older page of the past
        gaps.settled("A", MIDNIGHT + 5_000);
        gaps.settled("A", MIDNIGHT - 24 * HOUR);
        assertEquals(1, guard.check(hourly, MIDNIGHT, gaps).contradicted());
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

    private static Quote withoutInterval(@Nullable Long next) {
        return quote(null, next, null, RateKind.ESTIMATE);
    }

    private void settled(int... hoursAfterMidnight) {
        for (int hour : hoursAfterMidnight) {
            gaps.settled("A", MIDNIGHT + hour * HOUR + 7_000);
        }
    }

    private @Nullable BigDecimal shown(@Nullable Integer nextHour, long now) {
        Long next = nextHour == null ? null : MIDNIGHT + nextHour * HOUR;
        Quote quote =
                guard.check(List.of(withoutInterval(next)), now, gaps).quotes().getFirst();
        assertEquals(quote.intervalH() == null, quote.intervalSource() == null);
        return quote.intervalH();
    }

    @Test
    void twoGapsThatAgreeSupplyInterval() {
        settled(-8);
        assertNull(shown(null, MIDNIGHT), "one settlement");
        settled(-4);
        assertNull(shown(null, MIDNIGHT - HOUR), "one gap");
        settled(0);
        assertEquals(BigDecimal.valueOf(4), shown(null, MIDNIGHT));
        assertEquals(BigDecimal.valueOf(4), shown(4, MIDNIGHT + HOUR));
        assertEquals(BigDecimal.valueOf(4), shown(8, MIDNIGHT + 4 * HOUR + MINUTE), "the last one is not read yet");
        assertNull(shown(null, MIDNIGHT + 6 * HOUR), "a settlement is missing");
    }

    @Test
    void gapAndAnnouncedSettlementSupplyInterval() {
        settled(-8, 0);
        assertNull(shown(null, MIDNIGHT));
        assertNull(shown(4, MIDNIGHT));
        assertEquals(BigDecimal.valueOf(8), shown(8, MIDNIGHT + HOUR));
    }

    @Test
    void longerIntervalIsNeverShownAsShorterOne() {
        settled(-12, -8, -4);
        assertEquals(BigDecimal.valueOf(4), shown(0, MIDNIGHT - MINUTE));
        settled(0);
        for (long now = MIDNIGHT + MINUTE; now < MIDNIGHT + 8 * HOUR; now += 10 * MINUTE) {
            assertNull(shown(8, now), "at minute " + (now - MIDNIGHT) / MINUTE);
        }
        settled(8);
        assertEquals(BigDecimal.valueOf(8), shown(16, MIDNIGHT + 8 * HOUR + 5 * MINUTE));
    }

    @Test
    void shorterIntervalIsUnknownUntilSettled() {
        settled(-24, -16, -8);
        assertEquals(BigDecimal.valueOf(8), shown(0, MIDNIGHT - MINUTE));
        settled(0);
        assertNull(shown(4, MIDNIGHT + MINUTE));
        settled(4);
        assertEquals(BigDecimal.valueOf(4), shown(8, MIDNIGHT + 4 * HOUR + 5 * MINUTE));
    }

    /** Deepcoin declares one hour for contracts that settle every four. */
    @Test
    void gapsReplaceListedIntervalThatTheyContradict() {
        settled(-8, -4, 0);
        IntervalGuard.Checked wrong = poll(1, MIDNIGHT + HOUR, MIDNIGHT + MINUTE);
        assertEquals(1, wrong.contradicted());
        assertEquals(BigDecimal.valueOf(4), wrong.quotes().getFirst().intervalH());
        assertNull(wrong.quotes().getFirst().nextFundingMs(), "that is of the wrong interval");
        Quote last = poll(1, MIDNIGHT + 4 * HOUR, MIDNIGHT + 3 * HOUR + MINUTE)
                .quotes()
                .getFirst();
        assertEquals(MIDNIGHT + 4 * HOUR, last.nextFundingMs());
        assertEquals(
                0,
                poll(4, MIDNIGHT + 4 * HOUR, MIDNIGHT + 3 * HOUR + 2 * MINUTE).contradicted());
    }

    @Test
    void gapsBeforeListChangedContradictNothing() {
        settled(-16, -8, 0);
        assertEquals(0, poll(8, MIDNIGHT + 8 * HOUR, MIDNIGHT + MINUTE).contradicted());
        assertEquals(0, poll(4, MIDNIGHT + 4 * HOUR, MIDNIGHT + 2 * MINUTE).contradicted(), "listed after the gaps");
        settled(8);
        assertEquals(
                1,
                poll(4, MIDNIGHT + 12 * HOUR, MIDNIGHT + 8 * HOUR + 5 * MINUTE).contradicted());
    }
}
