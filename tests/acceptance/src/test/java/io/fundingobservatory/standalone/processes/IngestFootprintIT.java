package io.fundingobservatory.standalone.processes;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.testbed.FreePort;
import io.fundingobservatory.testbed.broker.EmbeddedKafka;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
    private static final Path INGEST = Checkout.ROOT.resolve("ingest");

    @TempDir
    private Path folder;

    @Test
    void staysWithinItsMemory() throws Exception {
        assumeTrue(Resident.isKnown(), "needs /proc");
        int seconds = Integer.getInteger("observatory.footprint.seconds", 10);
        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder.resolve("kafka"), 0);
                SimulatedExchanges exchanges = SimulatedExchanges.start(0, 1, InstantSource.system())) {
            Process ingest = ingest(kafka.bootstrapServers(), exchanges.baseUrl());
            try {
                awaitAllRequested(ingest, exchanges);
                for (int second = 5; second <= seconds; second += 5) {
                    long before = cpuMs(ingest);
                    assertTrue(!ingest.waitFor(5, TimeUnit.SECONDS), "still running");
                    System.out.printf(
                            "second %d: resident %d MB, cpu %d ms in five%n",
                            second, Resident.mb(ingest), cpuMs(ingest) - before);
                    assertTrue(Resident.mb(ingest) <= MOST_MB, Resident.mb(ingest) + " MB");
                }
            } finally {
                ingest.destroyForcibly();
                ingest.waitFor(1, TimeUnit.MINUTES);
            }
        }
    }

    private static void awaitAllRequested(Process ingest, SimulatedExchanges exchanges) throws InterruptedException {
        List<String> unasked = Registry.all().stream().map(v -> v.spec().id()).toList();
        for (int tries = 0; !unasked.isEmpty(); tries++) {
            assertTrue(tries < 3_000, "not requested within 10 minutes: " + unasked);
            assertTrue(!ingest.waitFor(200, TimeUnit.MILLISECONDS), "still running");
            unasked = unasked.stream()
                    .filter(venue -> exchanges.requests(venue) == 0)
                    .toList();
        }
    }

    private static Process ingest(String brokers, String exchanges) throws IOException {
        Path jar = INGEST.resolve("target").resolve("ingest.jar");
        assertTrue(Files.isRegularFile(jar), "mvn package makes " + jar);
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + INGEST.resolve("jvm.options"),
                        "-jar",
                        jar.toString())
                .redirectErrorStream(true)
                .redirectOutput(new File("target/ingest-footprint.log"));
        builder.environment().put("MALLOC_ARENA_MAX", "2");
        builder.environment().put("OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS", brokers);
        builder.environment().put("OBSERVATORY_INGEST_EXCHANGES", "simulated:" + exchanges);
        builder.environment().put("OBSERVATORY_MANAGEMENT_PORT", Integer.toString(FreePort.next()));
        return builder.start();
    }

    private static long cpuMs(Process process) {
        return process.info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
    }
}
