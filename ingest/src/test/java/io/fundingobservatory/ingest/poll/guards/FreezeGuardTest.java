package io.fundingobservatory.ingest.poll.guards;

import static io.fundingobservatory.testbed.SampleRecords.fields;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.publish.GuardDecision;
import io.fundingobservatory.ingest.publish.GuardDecision.Action;
import io.fundingobservatory.ingest.publish.GuardDecision.Guard;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows of venues and contracts that have stopped without an error, and those that only seem to have. */
class FreezeGuardTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    /** A Saturday, 10:30 UTC. */
    private static final long NOW = 1_790_418_600_000L;

    private static final long NEXT = NOW + 90 * MINUTE;

    private final FreezeGuard guard = new FreezeGuard();

    private static Quote quote(
            int symbol,
            String rate,
            @Nullable String mark,
            @Nullable Long next,
            @Nullable Integer hours,
            @Nullable Long venueTime,
            long observed) {
        return SampleRecords.quote(
                fields("venue", "gate", "symbol", "S" + symbol, "base", "S" + symbol, "quote", "USDT"),
                fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null),
                fields("rate", new BigDecimal(rate), "rate_unit", RateUnit.FRACTION),
                fields("rate_hours", hours == null ? null : BigDecimal.valueOf(hours), "rate_kind", RateKind.ESTIMATE),
                fields("interval_h", hours == null ? null : BigDecimal.valueOf(hours)),
                fields("interval_source", hours == null ? null : IntervalSource.ROW, "next_funding_ms", next),
                fields("mark_price", mark == null ? null : new BigDecimal(mark), "index_price", null),
                fields("venue_time_ms", venueTime, "observed_at_ms", observed));
    }

    /** A minute's rows whose prices move. */
    private static List<Quote> moving(int rows, long minute, @Nullable Long venueTime) {
        return IntStream.range(0, rows)
                .mapToObj(i -> quote(i, "0.0001", "10" + minute + "." + i, NEXT, 8, venueTime, NOW + minute * MINUTE))
                .toList();
    }

    /** A minute's rows of which nothing moves. */
    private static List<Quote> still(int rows, long minute, @Nullable Long next, @Nullable Long venueTime) {
        return IntStream.range(0, rows)
                .mapToObj(i -> quote(i, "0.0001", "100." + i, next, 8, venueTime, NOW + minute * MINUTE))
                .toList();
    }

    @Test
    void singleContractWithFrozenTimeLeavesAlone() {
        FreezeGuard.Checked checked = new FreezeGuard.Checked(List.of(), Map.of());
        for (int minute = 0; minute <= 10; minute++) {
            long time = NOW + minute * MINUTE;
            Quote frozen = quote(9, "0.0001", "7", NEXT, 8, NOW, time);
            checked = guard.check(Stream.concat(moving(3, minute, time).stream(), Stream.of(frozen))
                    .toList());
        }
        assertEquals(
                List.of("S0", "S1", "S2"),
                checked.live().stream().map(Quote::symbol).toList());
        assertEquals(Map.of(FreezeGuard.FROZEN, 1L), checked.skipped());
    }

    @ParameterizedTest(name = "settlement {0} minutes ago at an interval of {1} h: {2}")
    @CsvSource({
        "-1, 8, live",
        "59, 1, live",
        "60, 1, live",
        "61, 1, settlement_passed",
        "61, , settlement_passed",
        "479, 8, live",
        "481, 8, settlement_passed",
        "20000, 8, settlement_passed"
    })
    void settlementMayHavePassedByOneInterval(long minutesAgo, @Nullable Integer hours, String outcome) {
        FreezeGuard.Checked checked =
                guard.check(List.of(quote(0, "0.0001", "7", NOW - minutesAgo * MINUTE, hours, null, NOW)));
        assertEquals(
                outcome,
                checked.skipped().keySet().stream()
                        .findFirst()
                        .map(Object::toString)
                        .orElse("live"));
    }

    /** What a venue returns in a minute. */
    private interface Minute {
        List<Quote> rows(int minute);
    }

    static Stream<Arguments> frozen() {
        return Stream.of(
                // a cache that alternates between two old copies names an older time, never a newer one
                Arguments.of("time that goes back", (Minute) m -> moving(1, m, NOW - m % 2 * MINUTE)),
                Arguments.of("time of all rows", (Minute) m -> still(3, m, NEXT, NOW)),
                Arguments.of("values of ten rows without any time", (Minute) m -> still(10, m, null, null)),
                Arguments.of("time without an announced settlement", (Minute) m -> still(2, m, null, NOW)),
                // HTTP that works before an engine that does not: the response's time moves, no value does
                Arguments.of("values behind a moving time", (Minute) m -> still(10, m, NEXT, NOW + m * MINUTE)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("frozen")
    void removesRowsFrozenForTenMinutes(String what, Minute minutes) {
        for (int minute = 0; minute < 10; minute++) {
            List<Quote> rows = minutes.rows(minute);
            assertEquals(rows, guard.check(rows).live(), minute + " minutes");
        }
        for (int minute = 10; minute < 60; minute++) {
            List<Quote> rows = minutes.rows(minute);
            FreezeGuard.Checked checked = guard.check(rows);
            assertEquals(List.of(), checked.live(), minute + " minutes");
            assertEquals(Map.of(FreezeGuard.FROZEN, (long) rows.size()), checked.skipped());
        }
        assertEquals(2, guard.check(moving(2, 60, NOW + HOUR)).live().size(), "what moves again is in again");
    }

    /** A poll without rows forgets nothing, and a few rows of a frozen venue are as frozen as all of them. */
    @Test
    void pollsWithFewRowsKeepVenueFrozen() {
        for (int minute = 0; minute <= 10; minute++) {
            guard.check(still(12, minute, NEXT, null));
        }
        assertEquals(List.of(), guard.check(List.of()).live());
        assertEquals(List.of(), guard.check(still(4, 12, NEXT, null)).live());
        assertEquals(List.of(), guard.check(still(12, 13, NEXT, null)).live());
        assertEquals(4, guard.check(moving(4, 14, null)).live().size());
    }

    @Test
    void smallQuietVenueIsNotFrozen() {
        for (int minute = 0; minute <= 60; minute++) {
            assertEquals(9, guard.check(still(9, minute, null, null)).live().size(), minute + " minutes");
        }
    }

    /** A fixed rate is the same for hours on every row, and these rows have no price that could move. */
    @Test
    void unchangedRatesWithoutPricesAreNotFrozen() {
        for (int minute = 0; minute <= 60; minute++) {
            long observed = NOW + minute * MINUTE;
            List<Quote> rates = IntStream.range(0, 30)
                    .mapToObj(i -> quote(i, "0.0001", null, null, 8, null, observed))
                    .toList();
            assertEquals(30, guard.check(rates).live().size(), minute + " minutes");
        }
    }

    /** Shares at the weekend: rate zero, prices as on Friday, the venue's times move. */
    @Test
    void weekendOfShareContractsIsNotFrozen() {
        for (int minute = 0; minute <= 24 * 60; minute += 5) {
            long observed = NOW + minute * MINUTE;
            long next = NOW + (minute / 240 + 1) * 4 * HOUR;
            List<Quote> shares = IntStream.range(100, 140)
                    .mapToObj(i -> quote(i, "0", "250.5", next, 4, observed - 1_000, observed))
                    .toList();
            List<Quote> all = Stream.concat(
                            shares.stream(),
                            Stream.of(quote(0, "0.0001", "64000." + minute, next, 4, observed - 1_000, observed)))
                    .toList();
            assertEquals(41, guard.check(all).live().size(), minute + " minutes");
        }
    }

    @Test
    void venueAfterOutageIsLiveUnlessUnchanged() {
        guard.check(moving(30, 0, NOW));
        assertEquals(30, guard.check(moving(30, 180, NOW + 180 * MINUTE)).live().size(), "it has gone on");

        var other = new FreezeGuard();
        other.check(still(30, 0, NEXT, NOW));
        assertEquals(0, other.check(still(30, 70, NEXT, NOW)).live().size(), "a copy of before the outage");
        assertEquals(30, other.check(moving(30, 71, NOW + 71 * MINUTE)).live().size());
    }

    /** A value that a poll passes on from the round before says nothing of the time since. */
    @Test
    void unreadRowIsNotFrozen() {
        List<Quote> once = still(30, 0, NEXT, NOW);
        for (int minute = 0; minute <= 30; minute++) {
            assertEquals(30, guard.check(once).live().size());
        }
    }

    @Test
    void clockOfOursAnHourAheadFreezesNothing() {
        for (int minute = 0; minute <= 20; minute++) {
            long venueTime = NOW + minute * MINUTE;
            long ours = venueTime + HOUR;
            List<Quote> rows = IntStream.range(0, 30)
                    .mapToObj(i -> quote(i, "0.0001", venueTime + "." + i, venueTime + MINUTE, 8, venueTime, ours))
                    .toList();
            assertEquals(30, guard.check(rows).live().size());
        }
    }

    @Test
    void publishesTrustedVenueAndRecordings() {
        List<Quote> passed = still(3, 0, NOW - 20 * HOUR, null);
        VenueGuards.Guarded usual = check(passed, false, true);
        assertEquals(List.of(), usual.passed());
        assertEquals(Map.of(Skip.SETTLEMENT_PASSED, 3L), usual.skipped());
        assertEquals(
                new GuardDecision(Guard.FROZEN, Action.HELD, "3 rows are not live: 3 settlement_passed"),
                usual.decisions().getFirst());

        VenueGuards.Guarded trusted = check(passed, true, true);
        assertEquals(passed, trusted.passed());
        assertEquals(Action.OVERRULED, trusted.decisions().getFirst().action());

        assertEquals(passed, check(passed, false, false).passed());
    }

    private static VenueGuards.Guarded check(List<Quote> rows, boolean trusted, boolean current) {
        return new VenueGuards("gate", new CommonFactorGuard(), trusted)
                .check(rows, NOW, current, new SettlementGaps());
    }
}
