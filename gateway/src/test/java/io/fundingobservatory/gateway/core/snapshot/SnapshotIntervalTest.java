package io.fundingobservatory.gateway.core.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotIntervalTest {
    @ParameterizedTest
    @CsvSource({
        "5, 2026-09-21T13:33:20.000Z, 2026-09-21T13:33:20Z, 2026-09-21T13:33:25Z",
        "5, 2026-09-21T13:33:19.999Z, 2026-09-21T13:33:15Z, 2026-09-21T13:33:20Z",
        "5, 2026-09-21T13:33:20.001Z, 2026-09-21T13:33:20Z, 2026-09-21T13:33:25Z",
        "10, 2026-09-21T13:33:29Z, 2026-09-21T13:33:20Z, 2026-09-21T13:33:30Z",
        "1, 2026-09-21T13:33:20.500Z, 2026-09-21T13:33:20Z, 2026-09-21T13:33:21Z"
    })
    void snapshotTimesAreWallClockMultiples(int seconds, Instant now, Instant last, Instant next) {
        var interval = SnapshotInterval.of(Duration.ofSeconds(seconds));
        assertEquals(last.toEpochMilli(), interval.atOrBefore(now.toEpochMilli()));
        assertEquals(next.toEpochMilli(), interval.after(now.toEpochMilli()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.5S", "PT1.5S", "PT11S", "PT60S", "PT-5S"})
    void itIsOneToTenWholeSeconds(Duration interval) {
        assertThrows(IllegalArgumentException.class, () -> SnapshotInterval.of(interval));
    }

    @Test
    void bothEndsAreInRange() {
        assertEquals(1_000, SnapshotInterval.of(Duration.ofSeconds(1)).millis());
        assertEquals(10_000, SnapshotInterval.of(Duration.ofSeconds(10)).millis());
    }
}
