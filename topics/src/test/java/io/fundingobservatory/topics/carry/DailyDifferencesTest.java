package io.fundingobservatory.topics.carry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DailyDifferencesTest {
    private static final long DAY_MS = 86_400_000;
    private static final long END_MS = 20_000 * DAY_MS;

    private static CarryLeg leg(String... days) {
        DailySums sums = DailySums.of(Stream.of(days).map(BigDecimal::new).toList());
        return new CarryLeg("okx", "A", 0, "USDT", null, 0, 0, 0, null, null, null, null, sums, null);
    }

    @Test
    void differencesAreExactAndWithoutTrailingZeros() {
        var days = DailyDifferences.of(leg("0.0011", "-0.02", "0.0009"), leg("0.0001", "0.03", "-0.0001"), END_MS);
        assertEquals(List.of(new BigDecimal("0.001"), new BigDecimal("-0.05"), new BigDecimal("0.001")), days.days());
        assertEquals(new BigDecimal("0.001"), days.over(1));
        assertEquals(new BigDecimal("-0.049"), days.over(2));
        assertEquals(new BigDecimal("-0.048"), days.over(3));
        assertNull(days.over(4));
        assertEquals(new DailyDifferences.Day(END_MS - DAY_MS, new BigDecimal("0.001")), days.best());
        assertEquals(new DailyDifferences.Day(END_MS - 2 * DAY_MS, new BigDecimal("-0.05")), days.worst());
    }

    /** A pair without a common day. */
    @Test
    void withoutDaysNothingIsKnown() {
        for (DailyDifferences none : List.of(
                DailyDifferences.of(leg(), leg(), END_MS), DailyDifferences.of(leg("0.1", "0.2"), leg(), END_MS))) {
            assertEquals(List.of(), none.days());
            assertNull(none.over(1));
            assertNull(none.best());
            assertNull(none.worst());
        }
    }
}
