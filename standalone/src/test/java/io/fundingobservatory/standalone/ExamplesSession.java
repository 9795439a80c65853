package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs the examples of the directory {@code examples} against a running service. */
final class ExamplesSession {
    private static final Path EXAMPLES = Path.of("..", "examples");
    private static final String ASSET = "BTC";

    private ExamplesSession() {}

    static void run(int httpPort, String bootstrapServers) throws IOException, InterruptedException {
        Set<String> served = contracts(httpPort);
        assertTrue(served.size() > 2, served.toString());
        String table = output(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                EXAMPLES.resolve("java/LatestTable.java").toString(),
                bootstrapServers,
                ASSET);
        assertEquals(served, contracts(table, " "));
        if (isInstalled("python3")) {
            String base = "http://localhost:" + httpPort;
            String rates = output("python3", EXAMPLES.resolve("python/rates.py").toString(), base, ASSET);
            assertEquals(served, contracts(rates, "\\s+"));
            String plot = output("python3", EXAMPLES.resolve("python/plot.py").toString(), base, ASSET);
            assertEquals(served.size(), plot.split("<rect", -1).length - 1, plot);
        } else {
            System.out.println("python3 is not installed: examples/python was not run");
        }
    }

    /** Contracts with a rate, as {@code venue symbol}. */
    private static Set<String> contracts(int httpPort) throws IOException, InterruptedException {
        var contracts = new TreeSet<String>();
        for (JsonNode row : Http.json(httpPort, "/api/v1/latest?assets=" + ASSET + "&venues=all")
                .get("rows")) {
            if (!row.get("funding_rate_8h").isNull()) {
                contracts.add(
                        row.get("venue").asText() + ' ' + row.get("symbol").asText());
            }
        }
        return contracts;
    }

    /** The first two words of each line that ends with a rate. */
    private static Set<String> contracts(String output, String separator) {
        return output.lines()
                .map(line -> line.split(separator))
                .filter(words -> words.length > 2 && words[2].matches("-?[0-9.]+"))
                .map(words -> words[0] + ' ' + words[1])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Path errors = Files.createTempFile("example", ".log");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(90, TimeUnit.SECONDS), () -> List.of(command).toString());
        assertEquals(0, process.exitValue(), Files.readString(errors));
        return output;
    }

    private static boolean isInstalled(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }
}
