package io.fundingobservatory.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.faults.scenarios.Fault;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A part of the catalogue on an installation of one broker. Streams is stopped in order, killed amid a
 * transaction and frozen amid a commit, and the gateway is killed. {@link FaultSuite} plays all faults with all seeds.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class FaultsIT {
    private static final List<String> PART = List.of("F0", "F1", "F3C", "F5");

    /** Bounds of recovery are {@link FaultSuite}'s: in the gate they are printed, and the patience of each wait is the only limit. */
    private static final double SLACK = 1_000;

    @Test
    void nothingIsLostDoubledOrWrong() throws Exception {
        List<Fault> faults = PART.stream().map(Catalogue::of).toList();
        var suite = new Suite(Path.of("target", "faults").toAbsolutePath(), SLACK).repeating(1);
        boolean held = suite.play(faults, System.currentTimeMillis() % 1_000, 1);
        assertTrue(
                held,
                () -> suite.tables().values().stream()
                        .map(table -> table.wrong().toString())
                        .toList()
                        .toString());
    }
}
