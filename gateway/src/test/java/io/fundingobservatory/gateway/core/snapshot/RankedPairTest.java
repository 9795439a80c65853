package io.fundingobservatory.gateway.core.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.topics.carry.CarryPair;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is held of a pair is all of it, to the last digit. */
class RankedPairTest {
    private static final long END = 1_789_999_200_000L;
    private static final String RECEIPT = "00ff".repeat(8) + "8000000000000001".repeat(2);

    private static RankedPair held(long days, BigDecimal difference, Long positiveDays, String receipt) {
        var pair = new CarryPair(
                Samples.leg("gate", "BTC", "0.001", 0, END),
                Samples.leg("okx", "BTC", "0.0035", 0, END),
                days,
                true,
                null,
                difference,
                positiveDays,
                receipt);
        return PairRanking.Table.of(Samples.table("BTC", END, List.of(pair), List.of()))
                .pairs()
                .getFirst();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "0.00",
                "-0.00000001",
                "0.123456789012345678",
                "999999999999999999",
                "-999999999999999999E-40",
                "9223372036854775807",
                "-9223372036854775808",
                "0.1234567890123456789012345678901234567890",
                "-12345678901234567890.000000000001",
                "1E+5",
                "3E-64"
            })
    void servesDifferenceToTheLastDigit(String difference) {
        assertEquals(
                new BigDecimal(difference),
                held(30, new BigDecimal(difference), 17L, RECEIPT).difference());
    }

    @Test
    void whatIsNotKnownStaysUnknown() {
        RankedPair pair = held(0, null, null, null);
        assertNull(pair.difference());
        assertNull(pair.positiveDays());
        assertNull(pair.receipt());
        assertEquals(0, pair.days());
        assertEquals(false, pair.complete(), "no pair without a difference is ranked");
    }

    @Test
    void receiptDaysAndLegsMatchTable() {
        RankedPair pair = held(30, BigDecimal.ONE, 0L, RECEIPT);
        assertEquals(RECEIPT, pair.receipt());
        assertEquals(0L, pair.positiveDays());
        assertEquals(30, pair.days());
        assertEquals("BTC", pair.asset());
        assertEquals("gate", pair.longLeg().venue());
        assertEquals("okx", pair.shortLeg().venue());
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> held(128, BigDecimal.ONE, 1L, RECEIPT));
        assertThrows(IllegalArgumentException.class, () -> held(30, BigDecimal.ONE, -2L, RECEIPT));
        assertThrows(IllegalArgumentException.class, () -> held(30, BigDecimal.ONE, 1L, "ab"));
        assertThrows(IllegalArgumentException.class, () -> held(30, BigDecimal.ONE, 1L, "zz".repeat(32)));
    }
}
