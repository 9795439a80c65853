package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IngestHealthTest {
    @ParameterizedTest
    @CsvSource({"0, 0, true", "48, 0, true", "48, 47, true", "48, 48, false", "1, 1, false"})
    void isDownWhereEveryVenueFails(int polled, int failing, boolean up) {
        assertEquals(up, new IngestService.Health(true, true, null, polled, failing, Set.of()).isUp());
    }

    @Test
    void isDownWhileClockIsWrong() {
        assertFalse(new IngestService.Health(true, true, "the clock is 3600 s ahead", 48, 0, Set.of()).isUp());
    }
}
