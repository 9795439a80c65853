package io.fundingobservatory.standalone.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.standalone.Http;
import io.fundingobservatory.testbed.FreePort;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one runnable artefact, as a person starts it: first list, SIGKILL, the same list again, a polite stop. */
class RunnableJarIT {
    private static final Duration PATIENCE = Duration.ofMinutes(8);

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
                "-Xmx768m",
                "-XX:TieredStopAtLevel=1",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dobservatory.gateway.traffic.exempt=127.0.0.1"));
        command.addAll(List.of(more));
        command.addAll(List.of(
                "-jar",
                Path.of("target/observatory.jar").toAbsolutePath().toString(),
                "--exchanges",
                "simulated",
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
    void survivesAKillAndStopsPolitely() throws Exception {
        int http = FreePort.next();
        Process first = run(folder.resolve("first.log").toFile(), http);
        int rows = Http.await(http, "/api/v1/latest", PATIENCE, json -> true)
                .get("rows")
                .size();
        first.destroyForcibly().waitFor();

        // Only one small exchange is asked after the restart: what else is shown was in Kafka.
        File log = folder.resolve("second.log").toFile();
        Process second = run(log, http, "-Dobservatory.ingest.venues=dydx");
        JsonNode again = Http.await(http, "/api/v1/latest", PATIENCE, json -> true);
        assertTrue(again.get("rows").size() >= rows, again.get("rows").size() + " of " + rows + " rows");

        second.destroy();
        assertTrue(second.waitFor(5, TimeUnit.MINUTES), "stops");
        assertEquals(143, second.exitValue());
        String said = Files.readString(log.toPath());
        assertTrue(said.contains("serving ") && said.contains("http://localhost:" + http + "/api/v1/latest"), said);
        assertTrue(said.contains("SIMULATED"), said);
    }
}
