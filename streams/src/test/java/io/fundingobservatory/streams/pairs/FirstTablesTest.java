package io.fundingobservatory.streams.pairs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From when on a task makes tables, by the ticks and events that it had. */
class FirstTablesTest {
    private static final long T0 = 1_790_000_000_000L;

    /** Seconds of ticks, each with what came since the one before: n for new events, o for an old one; when the wait is over. */
    @ParameterizedTest
    @CsvSource({
        "0 120 1200, 1200", // rates starts later
        "0 120 121n 180, ", // the minute begins with the first event
        "0 120 121n 180 181, 181",
        "0n 20n 40n 60n, 60", // histories of a first start
        "0n 30o 60 89 90, 90", // a pause, as while another instance takes over
        "0o 50o 100o 159, ",
        "0o 50o 100o 159 160, 160",
        "0o 59o 118o 1199o 1200o, 1200", // twenty minutes at most
        "0o 60 61o, 60", // old events after the first table
    })
    void waitWhileOldEventsCome(String ticks, @Nullable Long over) {
        assertEquals(over, over(new FirstTables(Duration.ofMinutes(1), false, false), ticks));
    }

    @ParameterizedTest
    @CsvSource({"true, true, 0", "true, false, 0", "false, true, 60"})
    void startedTaskWaitsWithoutPublishedTable(boolean published, boolean listed, long over) {
        assertEquals(over, over(new FirstTables(Duration.ofMinutes(1), published, listed), "0 59 60"));
    }

    private static @Nullable Long over(FirstTables tables, String ticks) {
        Long over = null;
        for (String tick : ticks.split(" ")) {
            long second = Long.parseLong(tick.replaceAll("[no]", ""));
            if (!tick.equals(Long.toString(second))) {
                tables.event(tick.endsWith("o"));
            }
            boolean waits = tables.waitAt(T0 + second * 1_000);
            assertFalse(waits && over != null, "once over, it is over");
            over = over == null && !waits ? Long.valueOf(second) : over;
        }
        return over;
    }
}
