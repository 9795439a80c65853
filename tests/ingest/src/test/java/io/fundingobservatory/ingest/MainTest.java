package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.testbed.EndedProcess;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Ingest as the process that a supervisor starts again when it ends. */
@Execution(ExecutionMode.CONCURRENT)
class MainTest {
    @TempDir
    private Path folder;

    @Test
    void failedServiceEndsProcessWithOneLine() throws IOException, InterruptedException {
        try (var kafka = KafkaFixture.start()) {
            try (var publisher = new Publisher(
                    Publisher.producer(KafkaAccess.at(kafka.bootstrapServers())),
                    InstantSource.system(),
                    IngestEvents.NONE,
                    reason -> {})) {
                publisher.publish(
                        List.of(),
                        new VenueStatus(
                                "gate", Source.SIMULATED, null, false, null, null, null, null, null, null, Map.of()));
            }
            var ended = EndedProcess.of(
                    Main.class,
                    folder.resolve("log"),
                    Duration.ofMinutes(5),
                    "-micronaut.server.port=-1",
                    "-observatory.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                    "-observatory.ingest.exchanges=replay:" + folder);
            assertEquals(1, ended.exit(), ended.text());
            assertEquals(1, ended.errors().size(), ended.text());
            assertTrue(ended.errors().getFirst().contains("hold SIMULATED data"), ended.text());
        }
    }
}
