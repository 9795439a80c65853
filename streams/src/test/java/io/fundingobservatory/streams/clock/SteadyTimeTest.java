package io.fundingobservatory.streams.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class SteadyTimeTest {
    @Test
    void aWallClockThatJumpsMovesNothing() {
        var wall = new AtomicReference<>(Instant.ofEpochMilli(1_790_000_000_000L));
        var time = new SteadyTime(wall::get);
        long before = time.milliseconds();
        for (Duration jump : new Duration[] {Duration.ofHours(1), Duration.ofHours(-3), Duration.ofDays(30)}) {
            wall.updateAndGet(at -> at.plus(jump));
            long after = time.milliseconds();
            assertTrue(after >= before && after - before < 60_000, "by " + jump);
            before = after;
        }
    }

    @Test
    void itGoesOnAndDeadlinesAreItsOwn() throws Exception {
        var time = new SteadyTime(() -> Instant.ofEpochMilli(5));
        long began = time.milliseconds();
        assertThrows(TimeoutException.class, () -> time.waitObject(new Object(), () -> false, began + 20));
        assertTrue(time.milliseconds() >= began + 20);
        time.waitObject(new Object(), () -> true, began);
        assertEquals(0, Math.floorDiv(time.milliseconds(), 3_600_000), "it began at the wall clock's time");
    }
}
