package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.publishing.Publisher;
import io.fundingobservatory.testbed.KafkaFixture;
import io.fundingobservatory.topics.KafkaAccess;
import io.fundingobservatory.topics.Source;
import io.fundingobservatory.topics.VenueStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ingest as the process that a supervisor starts again when it ends. */
class MainTest {
    @TempDir
    private Path folder;

    @Test
    void aServiceThatGivesUpEndsItsProcessWithOneLine() throws IOException, InterruptedException {
        try (var kafka = KafkaFixture.start()) {
            try (var publisher = new Publisher(KafkaAccess.at(kafka.bootstrapServers()), reason -> {})) {
                publisher.publish(
                        List.of(),
                        new VenueStatus(
                                "gate", Source.SIMULATED, null, false, null, null, null, null, null, null, Map.of()));
            }
            Path log = folder.resolve("log");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "-micronaut.server.port=-1",
                            "-observatory.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                            "-observatory.ingest.exchanges=replay:" + folder)
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
            assertTrue(errors.getFirst().contains("hold SIMULATED figures"), text);
        }
    }
}
