package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.topics.Topics;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one runnable artefact, as a person starts it, with all exchanges: first list, SIGKILL, the same list again, a polite stop. */
class RunnableJarIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String ALL = "/api/v1/latest?venues=all";

    @TempDir
    private Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly();
            process.waitFor(10, TimeUnit.SECONDS);
        }
    }

    private Process run(File log, int httpPort, int kafkaPort, String... more) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
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
                Integer.toString(Http.freePort()),
                "--kafka-port",
                Integer.toString(kafkaPort)));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        processes.add(process);
        return process;
    }

    @Test
    void servesAllExchangesSurvivesAKillAndStopsPolitely() throws Exception {
        int http = Http.freePort();
        int kafka = Http.freePort();
        Process first = run(folder.resolve("first.log").toFile(), http, kafka);
        JsonNode whole = Http.await(
                http,
                ALL,
                PATIENCE,
                json -> json.at("/meta/coverage").asInt() == Registry.all().size());
        assertEquals("simulated", whole.at("/meta/source").asText());
        int rows = whole.get("rows").size();
        assertEquals(rows, whole.at("/meta/row_count").asInt());
        assertTrue(rows > 10_000, rows + " rows");
        if (Resident.isKnown()) {
            assertTrue(
                    Resident.commandLine(first).contains("-Dobservatory.relaunched=true"),
                    "it is the process that was started, with the options of its own");
            assertTrue(Resident.mostMb(first) <= 1024, Resident.mostMb(first) + " MB");
        }
        assertOnTheTopicByteForByte(rows(Http.get(http, ALL).body()), kafka);
        first.destroyForcibly().waitFor();

        // Only one small exchange is asked after the restart: what else is shown was in Kafka.
        File log = folder.resolve("second.log").toFile();
        Process second = run(log, http, kafka, "-Dobservatory.ingest.venues=dydx");
        JsonNode again = Http.await(http, ALL, PATIENCE, json -> true);
        assertTrue(again.get("rows").size() >= rows, again.get("rows").size() + " of " + rows + " rows");

        second.destroy();
        assertTrue(second.waitFor(30, TimeUnit.SECONDS), "stops within 30 s");
        assertEquals(143, second.exitValue());
        String said = Files.readString(log.toPath());
        assertTrue(said.contains("serving ") && said.contains("http://localhost:" + http + "/api/v1/latest"), said);
        assertTrue(said.contains("SIMULATED"), said);
        assertTrue(said.contains("takes a heap of up to "), said);
    }

    /** What is served was observed before the topic is read, so it is there. */
    private static void assertOnTheTopicByteForByte(List<String> rows, int kafka) {
        var onTopic = new HashSet<String>();
        Records.each(kafka, Topics.RATES_NORMALISED.name(), record -> onTopic.add(record.value()));
        for (String row : rows) {
            assertTrue(onTopic.contains(row), () -> "not on the topic, byte for byte: " + row);
        }
    }

    /** The rows of a list as they stand in it, character for character. */
    private static List<String> rows(String body) {
        int begin = body.indexOf("\"rows\":[") + "\"rows\":[".length();
        String list = body.substring(begin, body.indexOf("}]", begin) + 1);
        return List.of(list.split("(?<=}),(?=\\{)"));
    }
}
