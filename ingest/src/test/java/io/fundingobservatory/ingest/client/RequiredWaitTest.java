package io.fundingobservatory.ingest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RequiredWaitTest {
    private static final Instant NOW = Instant.parse("2026-09-21T13:33:20Z");

    @Test
    void secondsAndDates() {
        assertEquals(Duration.ofSeconds(0), RequiredWait.parse("0", NOW));
        assertEquals(Duration.ofSeconds(120), RequiredWait.parse(" 120 ", NOW));
        assertEquals(Duration.ofSeconds(2), RequiredWait.parse("1.5", NOW));
        assertEquals(Duration.ofSeconds(10), RequiredWait.parse("Mon, 21 Sep 2026 13:33:30 GMT", NOW));
        assertEquals(Duration.ZERO, RequiredWait.parse("Mon, 21 Sep 2026 13:33:10 GMT", NOW));
    }

    /** BTSE documents seconds in one place and a Unix time in another. */
    @Test
    void aUnixTimeIsNotTakenForSeconds() {
        long inFiveMinutes = NOW.plusSeconds(300).getEpochSecond();
        assertEquals(Duration.ofMinutes(5), RequiredWait.parse("" + inFiveMinutes, NOW));
        assertEquals(Duration.ofMinutes(5), RequiredWait.parse(inFiveMinutes + "000", NOW));
        assertEquals(Duration.ZERO, RequiredWait.parse("" + (inFiveMinutes - 600), NOW));
    }

    @Test
    void unreadableWaitIsUnknownAbsurdWaitIsDay() {
        assertNull(RequiredWait.parse(null, NOW));
        assertNull(RequiredWait.parse("", NOW));
        assertNull(RequiredWait.parse("-5", NOW));
        assertNull(RequiredWait.parse("soon", NOW));
        assertNull(RequiredWait.parse("99999999999999999999", NOW));
        assertEquals(Duration.ofHours(24), RequiredWait.parse("999999999", NOW));
    }
}
