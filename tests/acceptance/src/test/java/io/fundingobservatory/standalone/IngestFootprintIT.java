package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.process.JavaProcess;
import io.fundingobservatory.process.Services;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.EmbeddedKafka;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Resident memory of ingest alone as a process, started with its image's options, while it polls all venues
 * and reads their history. It counts once each venue has been polled. {@code
 * -Dobservatory.footprint.seconds=600} measures longer, with a line every five seconds.
 */
@Tag("nightly")
@Isolated("measures: nothing runs beside it")
class IngestFootprintIT {
    private static final long MOST_MB = 256;

    @TempDir
    private Path folder;

    @Test
    void staysWithinItsMemory() throws Exception {
        int seconds = Integer.getInteger("observatory.footprint.seconds", 10);
        try (var kafka = EmbeddedKafka.start(folder.resolve("kafka"), 0);
                var exchanges = SimulatedExchanges.start(0, 1, InstantSource.system());
                var ingest = JavaProcess.start(
                        Services.service(
                                        "ingest",
                                        "ingest-footprint",
                                        Map.of(
                                                "OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS",
                                                kafka.bootstrapServers(),
                                                "OBSERVATORY_INGEST_EXCHANGES",
                                                "simulated:" + exchanges.baseUrl()))
                                .with("-XX:TieredStopAtLevel=4"),
                        Path.of("target"))) {
            Await.until("requests to all venues", () -> {
                assertTrue(ingest.isAlive(), "still running");
                return Registry.all().stream()
                        .allMatch(venue -> exchanges.requests(venue.spec().id()) > 0);
            });
            for (int second = 5; second <= seconds; second += 5) {
                assertTrue(!Await.within(Duration.ofSeconds(5), () -> !ingest.isAlive()), "still running");
                long mb = ingest.residentKb() / 1024;
                System.out.printf("second %d: resident %d MB%n", second, mb);
                assertTrue(mb > 0 && mb <= MOST_MB, mb + " MB");
            }
        }
    }
}
