package io.fundingobservatory.standalone.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.standalone.Http;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.testbed.FreePort;
import io.fundingobservatory.testbed.sim.server.Realism;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runnable jar as an operator starts it: first snapshot, SIGKILL, the same list again, an orderly stop. */
class RunnableJarIT {
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    /** On a slow machine a client may outlive the broker at a stop; the line is then true. */
    private static final String AWAY = "could not be established";

    /** Warnings of libraries that would come at every start or stop. */
    private static final List<String> NOISE = List.of(
            "sun.misc.Unsafe",
            AWAY,
            "Performing controller activation",
            "TOPIC_ALREADY_EXISTS",
            "Not updating last stable offset",
            "has already been closed",
            "trying again",
            "The client is closed");

    @TempDir
    private Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly();
            process.waitFor(1, TimeUnit.MINUTES);
        }
    }

    private Process run(File log, int httpPort, String... more) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Checkout.ROOT.resolve("standalone/run.options"),
                "-Xmx768m",
                "-XX:TieredStopAtLevel=1",
                "-Dobservatory.gateway.traffic.exempt=127.0.0.1"));
        command.addAll(List.of(more));
        command.addAll(List.of(
                "-jar",
                Checkout.ROOT.resolve("standalone/target/observatory.jar").toString(),
                "--exchanges",
                "simulated",
                "--contracts",
                Integer.toString(Realism.SMALL.contracts()),
                "--data",
                folder.resolve("data").toString(),
                "--http-port",
                Integer.toString(httpPort),
                "--management-port",
                Integer.toString(FreePort.next()),
                "--kafka-port",
                Integer.toString(FreePort.next())));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        processes.add(process);
        return process;
    }

    @Test
    void survivesKillAndStopsInOrder() throws Exception {
        int http = FreePort.next();
        var firstLog = new File("target/runnable-jar-first.log");
        Process first = run(firstLog, http);
        int rows = list(first, firstLog, http).get("rows").size();
        first.destroyForcibly().waitFor();

        assertQuiet(firstLog, NOISE);

        // Only one small venue is polled after the restart. All other rows were in Kafka.
        var log = new File("target/runnable-jar-second.log");
        Process second = run(log, http, "-Dobservatory.ingest.venues=dydx");
        JsonNode again = list(second, log, http);
        assertTrue(again.get("rows").size() >= rows, again.get("rows").size() + " of " + rows + " rows");

        assertQuiet(log, NOISE);
        second.destroy();
        assertTrue(second.waitFor(5, TimeUnit.MINUTES), "stops");
        assertEquals(143, second.exitValue());
        String text = text(log);
        assertTrue(text.contains("serving ") && text.contains("http://localhost:" + http + "/api/v1/latest"), text);
        assertTrue(text.contains("SIMULATED"), text);
        assertQuiet(log, NOISE.stream().filter(line -> !line.equals(AWAY)).toList());
    }

    /** The first list. A process that has ended fails the test at once, with its log. */
    private static JsonNode list(Process process, File log, int port) throws InterruptedException {
        return Http.await(
                port,
                "/api/v1/latest",
                PATIENCE,
                json -> true,
                () -> assertTrue(process.isAlive(), () -> "it ended: " + text(log)));
    }

    private static String text(File log) {
        try {
            return Files.readString(log.toPath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertQuiet(File log, List<String> noise) throws IOException {
        assertEquals(
                List.of(),
                Files.readAllLines(log.toPath()).stream()
                        .filter(line -> noise.stream().anyMatch(line::contains))
                        .toList());
    }
}
