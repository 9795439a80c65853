package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.standalone.exchanges.SourceOption;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which exchanges {@code run} observes where none are named. */
class RunSourceTest {
    /** Another process has the directory, so that this one ends before it observes anything. */
    @Test
    void staysLiveWithoutProbingWhereItWasLive(@TempDir Path data) throws IOException {
        try (var live = DataDirectory.take(data, new SourceOption.Live())) {
            Ran ran = Ran.observatory(Ran.wordsOfRun(data));
            assertEquals(1, ran.exit(), ran.out() + ran.err());
            assertTrue(ran.err().contains(live + " is in use"), ran.err());
            assertTrue(ran.out().contains("observing the live exchanges, as before"), ran.out());
            assertFalse(ran.out().contains("probing"), ran.out());
        }
    }
}
