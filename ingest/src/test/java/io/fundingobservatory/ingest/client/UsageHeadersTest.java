package io.fundingobservatory.ingest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The spellings of the exchanges that say how much of their limits is used. */
class UsageHeadersTest {
    private static int used(String... headers) {
        var all = new java.util.HashMap<String, String>();
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i], headers[i + 1]);
        }
        return UsageHeaders.usedPercent(all, 2_400);
    }

    @Test
    void usedWeightIsRoundedUpPartOfLimit() {
        assertEquals(0, used("x-mbx-used-weight-1m", "0"));
        assertEquals(1, used("x-mbx-used-weight-1m", "1"));
        assertEquals(50, used("x-mbx-used-weight-1m", "1200"));
        assertEquals(101, used("x-mbx-used-weight-1m", "2401"));
        assertEquals(
                0,
                UsageHeaders.usedPercent(Map.of("x-mbx-used-weight-1m", "1200"), 0),
                "a part of an unknown limit is not counted");
    }

    @Test
    void readsRemainingLimitInEachSpelling() {
        assertEquals(75, used("x-gate-ratelimit-requests-remain", "50", "x-gate-ratelimit-limit", "200"));
        assertEquals(10, used("gw-ratelimit-remaining", "1800", "gw-ratelimit-limit", "2000"));
        assertEquals(100, used("x-ratelimit-remaining", "0", "x-ratelimit-limit", "30"));
        assertEquals(34, used("ratelimit-remaining", "2", "ratelimit-limit", "3"));
    }

    @Test
    void ignoresHeadersWithoutUsableValue() {
        assertEquals(0, used());
        assertEquals(0, used("x-ratelimit-remaining", "10"), "of what?");
        assertEquals(0, used("x-ratelimit-remaining", "40", "x-ratelimit-limit", "30"));
        assertEquals(0, used("x-ratelimit-remaining", "0", "x-ratelimit-limit", "0"));
        assertEquals(0, used("x-ratelimit-remaining", "-1", "x-ratelimit-limit", "30"));
        assertEquals(0, used("x-mbx-used-weight-1m", "1e9"));
        assertEquals(0, used("x-mbx-used-weight-1m", "12, 13"));
        assertEquals(1_000, used("x-mbx-used-weight-1m", "999999999999"), "and no overflow");
    }
}
