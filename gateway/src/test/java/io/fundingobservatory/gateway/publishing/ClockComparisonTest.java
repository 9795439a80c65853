package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.fixture.LoggedLines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockComparisonTest {
    private static final long BROKER = 1_790_000_000_000L;

    @RegisterExtension
    private final LoggedLines lines = LoggedLines.of(ClockComparison.class);

    private final ClockComparison clocks = new ClockComparison();

    /** A status every two seconds, looked at when it comes. */
    private void follow(long fromS, long toS, long aheadS) {
        for (long s = fromS; s <= toS; s += 2) {
            clocks.check(BROKER + s * 1_000, BROKER + (s + aheadS) * 1_000);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-700, -61, 61, 700})
    void aClockThatDiffersIsLoggedOnce(long aheadS) throws Exception {
        follow(0, 600, aheadS);
        String line = lines.next(1);
        assertTrue(line.contains("seconds_ahead=" + aheadS), line);
        assertNull(lines.next(0), "once");
        assertEquals(aheadS, clocks.secondsAhead());
        follow(602, 610, 0);
        assertNull(clocks.secondsAhead(), "set right");
    }

    @ParameterizedTest
    @ValueSource(longs = {-59, 0, 3, 59})
    void aClockThatIsNearIsNotLogged(long aheadS) throws Exception {
        follow(0, 600, aheadS);
        assertNull(lines.next(0));
    }

    /** What is on the topic at the start is old, and nothing is added for an hour. */
    @Test
    void statusesThatStandStillAreNoDifference() throws Exception {
        for (long s = 0; s < 3_600; s++) {
            clocks.check(BROKER, BROKER + s * 1_000);
        }
        assertNull(lines.next(0));
    }

    /** After a gap, records of an hour ago are read within seconds. */
    @Test
    void aBacklogIsNoDifference() throws Exception {
        clocks.check(BROKER, BROKER);
        for (long s = 0; s < 20; s++) {
            clocks.check(BROKER + 1_000 + s * 180_000, BROKER + 3_600_000 + s * 1_000);
        }
        follow(3_620, 3_700, 0);
        assertNull(lines.next(0));
    }
}
