package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The runnable jar as a person starts it, with all simulated exchanges: its resident memory while 30 days of settled rates are read, and
 * for two minutes afterwards. Prints a line a minute.
 */
@Tag("nightly")
class OneProcessFootprintIT {
    private static final long MOST_MB = 1024;
    private static final int LONGEST_MINUTES = 20;

    @TempDir
    private Path folder;

    @Test
    void staysWithinItsMemory() throws Exception {
        assumeTrue(Resident.isKnown(), "needs /proc");
        Path log = folder.resolve("run.log");
        Process process = start(log.toFile());
        try {
            int over = 0;
            for (int minute = 1; over < 2; minute++) {
                assertTrue(minute <= LONGEST_MINUTES, "30 days are not read after " + LONGEST_MINUTES + " minutes");
                assertTrue(!process.waitFor(1, TimeUnit.MINUTES), "still running");
                over += Files.readString(log).contains("30 days of settled rates are read after") ? 1 : 0;
                System.out.printf(
                        "minute %d: resident %d MB, at most %d MB%s%n",
                        minute, Resident.mb(process), Resident.mostMb(process), over > 0 ? ", history read" : "");
                assertTrue(Resident.mostMb(process) <= MOST_MB, Resident.mostMb(process) + " MB");
            }
        } finally {
            process.destroyForcibly();
            process.waitFor(10, TimeUnit.SECONDS);
        }
    }

    private Process start(File log) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        Path.of("target/observatory.jar").toAbsolutePath().toString(),
                        "--exchanges",
                        "simulated",
                        "--data",
                        folder.resolve("data").toString(),
                        "--http-port",
                        Integer.toString(Http.freePort()),
                        "--management-port",
                        Integer.toString(Http.freePort()),
                        "--kafka-port",
                        Integer.toString(Http.freePort()))
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
    }
}
