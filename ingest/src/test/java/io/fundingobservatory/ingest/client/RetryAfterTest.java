package io.fundingobservatory.ingest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RetryAfterTest {
    private static final Instant NOW = Instant.parse("2026-09-21T13:33:20Z");

    @Test
    void secondsAndDates() {
        assertEquals(Duration.ofSeconds(0), RetryAfter.parse("0", NOW));
        assertEquals(Duration.ofSeconds(120), RetryAfter.parse(" 120 ", NOW));
        assertEquals(Duration.ofSeconds(2), RetryAfter.parse("1.5", NOW));
        assertEquals(Duration.ofSeconds(10), RetryAfter.parse("Mon, 21 Sep 2026 13:33:30 GMT", NOW));
        assertEquals(Duration.ZERO, RetryAfter.parse("Mon, 21 Sep 2026 13:33:10 GMT", NOW));
    }

    /** BTSE documents seconds in one place and a Unix time in another. */
    @Test
    void aUnixTimeIsNotTakenForSeconds() {
        long inFiveMinutes = NOW.plusSeconds(300).getEpochSecond();
        assertEquals(Duration.ofMinutes(5), RetryAfter.parse("" + inFiveMinutes, NOW));
        assertEquals(Duration.ofMinutes(5), RetryAfter.parse(inFiveMinutes + "000", NOW));
        assertEquals(Duration.ZERO, RetryAfter.parse("" + (inFiveMinutes - 600), NOW));
    }

    @Test
    void unreadableWaitIsUnknownAbsurdWaitIsDay() {
        assertNull(RetryAfter.parse(null, NOW));
        assertNull(RetryAfter.parse("", NOW));
        assertNull(RetryAfter.parse("-5", NOW));
        assertNull(RetryAfter.parse("soon", NOW));
        assertNull(RetryAfter.parse("99999999999999999999", NOW));
        assertEquals(Duration.ofHours(24), RetryAfter.parse("999999999", NOW));
    }
}
