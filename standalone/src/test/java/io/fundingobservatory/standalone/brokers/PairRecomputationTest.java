package io.fundingobservatory.standalone.brokers;

import static io.fundingobservatory.testbed.SampleRecords.fields;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.carry.DailySums;
import io.fundingobservatory.topics.carry.RatePercentiles;
import io.fundingobservatory.topics.records.Basis;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A pair of one day whose values were computed by hand, its receipt with {@code sha256sum}. */
class PairRecomputationTest {
    private static final long T = 1_790_002_800_000L;
    private static final long MINUTE_MS = 60_000;
    private static final long HOUR_MS = 60 * MINUTE_MS;
    private static final CarryPair PAIR = new CarryPair(
            leg("bybit", 1, "0.00002"),
            leg("okx", 0, "0.00025"),
            1,
            false,
            "listed recently",
            new BigDecimal("0.00023"),
            1L,
            "9cc7755ad9685c1326694073872768269bffcbd49df12c64311daa86073f5f42");
    private static final CarryTable TABLE = new CarryTable("A", T - 720 * HOUR_MS, T, List.of(PAIR), List.of());

    private final PairRecomputation settlements = new PairRecomputation();

    PairRecomputationTest() {
        settle("bybit", 1, "0.00001", "0", "0.00001");
        settle("okx", 0, "0.0001", "0.0002", "-0.00005");
    }

    private static CarryLeg leg(String venue, long epoch, String sum) {
        var hours = BigDecimal.valueOf(8);
        var day = DailySums.of(List.of(new BigDecimal(sum)));
        return new CarryLeg(
                venue,
                "A-P",
                epoch,
                "USDT",
                new BigDecimal(sum),
                3,
                3,
                0,
                T - 16 * HOUR_MS,
                T,
                hours,
                Basis.SETTLED,
                day,
                null);
    }

    private void settle(String venue, long epoch, String... rates) {
        long settledMs = T - 16 * HOUR_MS;
        for (String rate : rates) {
            add(venue, epoch, settledMs, rate, Basis.SETTLED, BigDecimal.valueOf(8));
            settledMs += 8 * HOUR_MS;
        }
    }

    private void add(
            String venue, long epoch, long settledMs, String rate, Basis basis, @Nullable BigDecimal intervalH) {
        settlements.add(SampleRecords.settlement(
                fields("venue", venue, "symbol", "A-P", "listing_epoch", epoch, "asset", "A", "settled_ms", settledMs),
                fields("settled_raw_ms", settledMs, "funding_rate", new BigDecimal(rate), "basis", basis),
                fields("funding_interval_h", intervalH, "observed_at_ms", settledMs + MINUTE_MS)));
    }

    @Test
    void agreesWithHandComputedPair() {
        assertNull(settlements.difference(TABLE, PAIR));
        add("okx", 0, T, "-0.00004", Basis.SETTLED, BigDecimal.valueOf(8));
        assertEquals("okx: other daily sums", settlements.difference(TABLE, PAIR));
    }

    /** The venue stamps a settlement a minute after the instant of our own estimate, and without its interval. */
    @Test
    void countsCloseStampsOnce() {
        add("okx", 0, T - 8 * HOUR_MS - MINUTE_MS, "7", Basis.ESTIMATE, BigDecimal.valueOf(8));
        add("bybit", 1, T + MINUTE_MS, "7", Basis.ESTIMATE, null);
        assertNull(settlements.difference(TABLE, PAIR));
    }

    /**
     * Thirty days: 20 of hourly settlements of 0.0001, of which the interval is not stated, and 10 of 8-hour ones of -0.0004. The
     * latter fill a third of the time, though they are 30 of 510 settlements.
     */
    @Test
    void recomputesPercentilesWeightedByHours() {
        long begin = T - 720 * HOUR_MS;
        for (String venue : List.of("gate", "htx")) {
            for (int hour = 0; hour <= 480; hour++) {
                add(venue, 0, begin + hour * HOUR_MS, hour == 0 ? "9" : "0.0001", Basis.SETTLED, null);
            }
            for (int hour = 488; hour <= 720; hour += 8) {
                add(venue, 0, begin + hour * HOUR_MS, "-0.0004", Basis.SETTLED, BigDecimal.valueOf(8));
            }
        }
        var low = new BigDecimal("-0.0004");
        var high = new BigDecimal("0.0008");
        assertNull(settlements.difference(TABLE, ofMonth(new RatePercentiles(low, high, high))));
        assertEquals(
                "gate: other percentiles",
                settlements.difference(TABLE, ofMonth(new RatePercentiles(high, high, high))),
                "by the number of settlements the 10th would be that of the hourly ones");
        assertEquals("gate: no percentiles", settlements.difference(TABLE, ofMonth(null)));
    }

    /** Two equal legs of 30 days; the receipt of their lines was computed with {@code sha256sum}. */
    private static CarryPair ofMonth(@Nullable RatePercentiles percentiles) {
        return new CarryPair(
                month("gate", percentiles),
                month("htx", percentiles),
                30,
                true,
                null,
                BigDecimal.ZERO,
                0L,
                "a8e235a022e83df5e9a644e4b3435d51732a3fbd0219f238aeae2c2f6cbce223");
    }

    private static CarryLeg month(String venue, @Nullable RatePercentiles percentiles) {
        return new CarryLeg(
                venue,
                "A-P",
                0,
                "USDT",
                new BigDecimal("0.036"),
                510,
                510,
                0,
                T - 719 * HOUR_MS,
                T,
                BigDecimal.valueOf(8),
                Basis.SETTLED,
                DailySums.NONE,
                percentiles);
    }

    @Test
    void countsSettlementsOfAnHourEach() {
        add("okx", 0, T - 30 * MINUTE_MS, "7", Basis.SETTLED, BigDecimal.ONE);
        assertEquals("okx: 4 settlements, not 3", settlements.difference(TABLE, PAIR));
    }
}
