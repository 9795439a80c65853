package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A setting that a service refuses ends a command that makes its beans with one line. */
class RefusedSettingTest {
    @TempDir
    private Path folder;

    @Test
    void runPrintsOneLine() throws Exception {
        assertOneLine(Ran.wordsOfRun(folder, "--exchanges", "simulated"));
    }

    @Test
    void probePrintsOneLine() throws Exception {
        assertOneLine("probe", "--exchanges", "simulated", "okx");
    }

    /** In a process of its own: its settings would be those of other tests as well. */
    private static void assertOneLine(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Dobservatory.ingest.venues=binanse",
                Observatory.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor(5, TimeUnit.MINUTES);
            assertEquals(1, process.exitValue(), err);
            List<String> lines = err.lines()
                    .filter(line -> line.startsWith("observatory: ") || line.startsWith("\tat "))
                    .toList();
            assertEquals(
                    List.of("observatory: observatory.ingest.venues names a venue that is not listed: binanse"),
                    lines,
                    err);
        } finally {
            process.destroyForcibly();
        }
    }
}
