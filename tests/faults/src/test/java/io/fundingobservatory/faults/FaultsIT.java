package io.fundingobservatory.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A part of the catalogue on an installation of one broker, with a fixed seed. In the gate streams is killed amid a transaction, and the
 * gateway under load; the nightly run also stops and freezes streams. {@link FaultSuite} plays all faults with all seeds.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class FaultsIT {
    private static final long SEED = 7;

    /** A busy machine with one core takes ten times as long as the bounds of {@link FaultSuite}; a recovery that hangs takes more. */
    private static final double SLACK = 30;

    @Test
    void killsLoseAndDoubleNothing() throws Exception {
        play("F1", "F5");
    }

    @Test
    @Tag("nightly")
    void stopsAndFreezesLoseAndDoubleNothing() throws Exception {
        play("F0", "F3C");
    }

    private static void play(String... ids) throws Exception {
        System.out.println("faults " + String.join(", ", ids) + " with seed " + SEED);
        var suite = new Suite(Path.of("target", "faults").toAbsolutePath(), SLACK).repeating(1);
        boolean held = suite.play(Stream.of(ids).map(Catalogue::of).toList(), SEED, 1);
        assertTrue(
                held,
                () -> suite.tables().values().stream()
                        .map(table -> table.problems().toString())
                        .toList()
                        .toString());
    }
}
