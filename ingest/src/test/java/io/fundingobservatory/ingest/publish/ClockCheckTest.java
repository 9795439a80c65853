package io.fundingobservatory.ingest.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Sent at a time of ours, acknowledged half a second later, and stamped by a broker at another time. */
class ClockCheckTest {
    private static final long SENT = 1_790_000_000_000L;
    private static final long HOUR = 3_600_000;

    private final ClockCheck clocks = new ClockCheck();

    private void stamped(int leader, long aheadMs) {
        clocks.acknowledged(leader, SENT, SENT + 100 - aheadMs, SENT + 500);
    }

    @Test
    void acceptsMinuteOnEitherSide() {
        stamped(1, 60_000);
        stamped(1, -60_000);
        assertNull(clocks.problem());
    }

    @Test
    void acceptsLateAcknowledgement() {
        clocks.acknowledged(1, SENT, SENT + 90_000, SENT + 100_000);
        assertNull(clocks.problem());
    }

    @Test
    void namesDifferenceInSeconds() {
        stamped(1, HOUR);
        assertEquals("the clock is 3599 s ahead of the brokers': set it", clocks.problem());
        stamped(1, -HOUR);
        assertEquals("the clock is 3599 s behind the brokers': set it", clocks.problem());
    }

    @Test
    void oneWrongBrokerOfThreeChangesNothing() {
        stamped(1, 0);
        stamped(2, 0);
        stamped(3, HOUR);
        assertNull(clocks.problem());
        stamped(2, HOUR);
        assertNotNull(clocks.problem(), "two of three contradict it");
    }

    @Test
    void leaderThatAgreesAgainEndsIt() {
        stamped(1, HOUR);
        stamped(2, HOUR);
        stamped(1, 0);
        assertNull(clocks.problem(), "the other has had no record since");
    }
}
