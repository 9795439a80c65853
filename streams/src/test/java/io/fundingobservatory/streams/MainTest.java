package io.fundingobservatory.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.KafkaFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams as the process that a supervisor starts again when it ends. */
class MainTest {
    @TempDir
    private Path folder;

    @Test
    void aServiceThatCannotWriteItsStoresEndsItsProcessWithOneLine() throws IOException, InterruptedException {
        Path file = Files.createFile(folder.resolve("file"));
        try (var kafka = KafkaFixture.start()) {
            Path log = folder.resolve("log");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "-micronaut.server.port=-1",
                            "-observatory.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                            "-observatory.streams.state-dir=" + file.resolve("stores"))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                assertTrue(process.waitFor(90, TimeUnit.SECONDS), "it ends by itself");
            } finally {
                process.destroyForcibly();
            }
            String text = Files.readString(log);
            assertEquals(1, process.exitValue(), text);
            List<String> errors =
                    text.lines().filter(line -> line.contains("ERROR")).toList();
            assertEquals(1, errors.size(), text);
            assertTrue(errors.getFirst().contains("streams failed reason=stores cannot be written"), text);
            assertTrue(errors.getFirst().contains(file.toString()), text);
        }
    }
}
