package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortOptionsTest {
    @TempDir
    private Path folder;

    @Test
    void equalPortsAreOneReadableLine() {
        assertRefused(
                "--http-port and --management-port are both 8081; choose three different ports", "--http-port", "8081");
        assertRefused(
                "--management-port and --kafka-port are both 9094; choose three different ports",
                "--management-port",
                "9094",
                "--kafka-port",
                "9094");
    }

    @Test
    void impossiblePortsAreOneReadableLine() {
        assertRefused("--http-port is from 1 to 65535, not 70000", "--http-port", "70000");
        assertRefused("--kafka-port is from 1 to 65535, not 0", "--kafka-port", "0");
        assertRefused("--management-port is from 1 to 65535, not -1", "--management-port=-1");
    }

    private void assertRefused(String line, String... ports) {
        Path data = folder.resolve("data");
        String[] command = {"run", "--exchanges", "replay:" + folder, "--data", data.toString()};
        Ran ran = Ran.observatory(
                Stream.of(command, ports).flatMap(Arrays::stream).toArray(String[]::new));
        assertEquals("observatory: " + line, ran.err().strip());
        assertEquals(1, ran.exit());
        assertTrue(Files.notExists(data));
    }
}
