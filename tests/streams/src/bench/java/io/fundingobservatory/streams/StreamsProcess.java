package io.fundingobservatory.streams;

import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.testbed.FreePort;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The streams service as a process of its own, from its jar and with an archive of classes, as in its image.
 * {@code -Darchive=false} leaves the archive out, to try a benchmark.
 */
final class StreamsProcess {
    private static final int TRAINED_CONTRACTS = 1_000;
    private static final int TRAINED_POLLS = 15;
    private static final boolean ARCHIVE = Boolean.parseBoolean(System.getProperty("archive", "true"));

    private final Path directory;
    private final String bootstrapServers;
    private final int managementPort = FreePort.next();

    /** A process that does not run yet; its stores, its log and its archive are in the directory. */
    StreamsProcess(Path directory, String bootstrapServers) {
        this.directory = directory;
        this.bootstrapServers = bootstrapServers;
    }

    /** Starts it. */
    Process launch() throws IOException {
        String option = ARCHIVE ? "-XX:AOTCache=" + archive() : "-XX:TieredStopAtLevel=1";
        return launch(bootstrapServers, directory.resolve("state"), option);
    }

    /** Starts the service as its image does ({@code Dockerfile}), from the jar in {@code target}. */
    private Process launch(String broker, Path state, String option) throws IOException {
        var command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Checkout.ROOT.resolve("streams/jvm.options"),
                option,
                "-jar",
                Checkout.ROOT.resolve("streams/target/streams.jar").toString());
        command.environment()
                .putAll(Map.of(
                        "MALLOC_ARENA_MAX",
                        "2",
                        "OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS",
                        broker,
                        "OBSERVATORY_MANAGEMENT_PORT",
                        Integer.toString(managementPort),
                        "OBSERVATORY_STREAMS_STATE_DIR",
                        state.toString()));
        File log = directory.resolve("streams.log").toFile();
        return command.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
    }

    /**
     * Makes the archive of classes and method profiles as the image's build does
     * ({@code deploy/image/train}). It is made from a run that does its real work, on brokers of its own,
     * which are gone when the measurement begins.
     */
    void train() throws Exception {
        if (!ARCHIVE) {
            return;
        }
        try (KafkaFixture own = KafkaFixture.start();
                var trained = new MarketLoad(own.bootstrapServers(), Map.of("linger.ms", 5))) {
            trained.settlements(TRAINED_CONTRACTS);
            Path state = directory.resolve("trained");
            Process start = launch(own.bootstrapServers(), state, "-XX:AOTCacheOutput=" + archive());
            for (int poll = 0; poll < TRAINED_POLLS; poll++) {
                trained.poll(TRAINED_CONTRACTS, System.currentTimeMillis());
                TimeUnit.SECONDS.sleep(1);
            }
            trained.awaitCaughtUp();
            start.destroy();
            start.waitFor();
        }
    }

    private Path archive() {
        return directory.resolve("streams.aot");
    }

    /** How many records of a store the process has read from its changelog since its start. */
    long restored(String store) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + managementPort + "/prometheus"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line ->
                            line.startsWith("observatory_streams_records_restored_total{store=\"" + store + "\"}"))
                    .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))))
                    .sum();
        }
    }

    static long residentMb(Process process) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElse(0)
                / 1024;
    }

    /** Processor time that a process has taken since its start, seconds. */
    static double cpuSeconds(Process process) {
        return process.info()
                        .totalCpuDuration()
                        .orElseThrow(() -> new IllegalStateException("the system reports no processor time"))
                        .toMillis()
                / 1e3;
    }
}
