package io.fundingobservatory.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.faults.scenarios.Fault;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A part of the catalogue, on an installation of one broker: a kill of streams in the midst of a transaction, and one of the gateway. All
 * faults with all seeds: {@link FaultSuite}.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class FaultsIT {
    private static final List<String> PART = List.of("F1", "F5");

    /** A gate runs beside other work; four times as slow as bounds are meant was seen on two busy cores. */
    private static final double SLACK = 8;

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
