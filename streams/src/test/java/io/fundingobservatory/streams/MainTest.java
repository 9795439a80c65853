package io.fundingobservatory.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.EndedProcess;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams as the process that a supervisor starts again when it ends. */
class MainTest {
    @TempDir
    private Path folder;

    @Test
    void unwritableStoresEndProcessWithOneLine() throws IOException, InterruptedException {
        Path file = Files.createFile(folder.resolve("file"));
        try (var kafka = KafkaFixture.start()) {
            var ended = EndedProcess.of(
                    Main.class,
                    folder.resolve("log"),
                    Duration.ofMinutes(5),
                    "-micronaut.server.port=-1",
                    "-observatory.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                    "-observatory.streams.state-dir=" + file.resolve("stores"));
            assertEquals(1, ended.exit(), ended.text());
            assertEquals(1, ended.errors().size(), ended.text());
            assertTrue(
                    ended.errors().getFirst().contains("streams failed reason=stores cannot be written"), ended.text());
            assertTrue(ended.errors().getFirst().contains(file.toString()), ended.text());
        }
    }
}
