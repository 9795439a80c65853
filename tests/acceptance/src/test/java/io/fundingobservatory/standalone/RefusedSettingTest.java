package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A setting that a service refuses ends a command that makes its beans with one line. */
@Isolated("its setting is one of all services of this process")
class RefusedSettingTest {
    private static final String SETTING = "observatory.ingest.venues";

    @TempDir
    private Path folder;

    @BeforeEach
    void set() {
        System.setProperty(SETTING, "binanse");
    }

    @AfterEach
    void clear() {
        System.clearProperty(SETTING);
    }

    @Test
    void runPrintsOneLine() {
        assertOneLine(Ran.observatory(Ran.wordsOfRun(folder, "--exchanges", "simulated")));
    }

    @Test
    void probePrintsOneLine() {
        assertOneLine(Ran.observatory("probe", "--exchanges", "simulated", "okx"));
    }

    private static void assertOneLine(Ran ran) {
        assertEquals(1, ran.exit(), ran.err());
        assertEquals(
                List.of("observatory: observatory.ingest.venues names a venue that is not listed: binanse"),
                ran.err()
                        .lines()
                        .filter(line -> line.startsWith("observatory: ") || line.startsWith("\tat "))
                        .toList(),
                ran.err());
    }
}
