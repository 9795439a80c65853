package io.fundingobservatory.gateway.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.settings.StandardPort;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadingProgressTest {
    private static final long S = 1_000_000_000;
    private static final long LIST = 6_500_000;

    private final ReadingProgress progress = new ReadingProgress(StandardPort.SETTINGS);

    /**
     * Reads a response of so many bytes at a rate, in steps of what the socket requests at once. Returns the
     * second in which it is ended, -1 for never.
     */
    private long readAt(long rate, long step, long bytes) {
        progress.written(bytes);
        for (long second = 0; second * rate < bytes; second++) {
            long taken = second * rate / step * step;
            RefusalReason reason = progress.check(bytes - taken, false, 1, second * S);
            if (reason != null) {
                assertEquals(RefusalReason.SLOW_READER, reason);
                return second;
            }
        }
        assertNull(progress.check(0, false, 1, bytes / rate * S + S));
        assertFalse(progress.waiting());
        return -1;
    }

    @ParameterizedTest
    @CsvSource({"40000,1", "40000,170000", "100000,170000", "1000000,170000"})
    void servesFastReaderHoweverSocketCounts(long rate, long step) {
        assertEquals(-1, readAt(rate, step, LIST));
    }

    @ParameterizedTest
    @CsvSource({"20000,1,23", "20000,170000,30", "12000,170000,20"})
    void closesTricklingConnection(long rate, long step, long latest) {
        long ended = readAt(rate, step, LIST);
        assertTrue(ended >= 10 && ended <= latest, "after " + ended + " s");
    }

    @Test
    void earlyFastReadingDoesNotExcuseSlowReading() {
        progress.written(100_000_000);
        @Nullable RefusalReason reason = null;
        long second = 0;
        for (; second < 20; second++) {
            assertNull(progress.check(100_000_000 - second * 1_000_000, false, 1, second * S));
        }
        long left = 80_000_000;
        for (; reason == null && second < 100; second++) {
            left -= 10_000;
            reason = progress.check(left, false, 1, second * S);
        }
        assertEquals(RefusalReason.SLOW_READER, reason);
        assertTrue(second < 60, second + " s");
    }

    @Test
    void closesStalledReaderOnSocketOrStream() {
        progress.written(1_000);
        assertNull(progress.check(1_000, false, 1, 0));
        assertNull(progress.check(1_000, false, 1, 9 * S));
        RefusalReason reason = progress.check(1_000, false, 1, 20 * S);
        assertEquals(RefusalReason.STALLED, reason);
        var streams = new ReadingProgress(StandardPort.SETTINGS);
        assertNull(streams.check(0, true, 1, 0));
        assertEquals(RefusalReason.STALLED, streams.check(0, true, 1, 20 * S));
    }
}
