package io.fundingobservatory.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.faults.scenarios.Catalogue;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Suite;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A part of the catalogue that stands for the whole, on one installation: a kill in the midst of a transaction, a gateway killed
 * while it is asked, a commit whose answer is lost, poison. All faults with all seeds: {@link FaultSuite}.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class FaultsIT {
    private static final List<String> PART = List.of("F1");

    /** A gate runs beside other work: a bound counts as broken at four times its time. */
    private static final double SLACK = 4;

    @Test
    void nothingIsLostDoubledOrWrong() throws Exception {
        List<Fault> faults = PART.stream().map(Catalogue::of).toList();
        var suite = new Suite(Path.of("target", "faults").toAbsolutePath(), SLACK).repeating(1);
        boolean held = suite.play(faults, System.currentTimeMillis() % 1_000, 1);
        assertTrue(held, () -> suite.tables().values().stream()
                .map(table -> table.wrong().toString())
                .toList()
                .toString());
    }
}
