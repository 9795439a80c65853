package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.standalone.roles.KafkaPage;
import io.fundingobservatory.testbed.Checkout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/**
 * Runs the examples of the directory {@code examples} against a running service. Where a program is missing, its
 * examples are named as not run.
 */
final class ExamplesSession {
    private static final Path EXAMPLES = Checkout.ROOT.resolve("examples");
    private static final String ASSET = "BTC";

    /** Their contracts are compared: while examples run one after the other, some of 48 venues may lose or gain a rate. */
    private static final Set<String> COMPARED = Set.of("binance", "bybit", "bluefin", "gemini", "paradex");

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
            assertTrue(plot.split("<rect", -1).length > served.size(), plot);
        } else {
            System.out.println("python3 is not installed: examples/python was not run");
        }
        Path packages = EXAMPLES.resolve("typescript/node_modules");
        if (isInstalled("node") && Files.exists(packages)) {
            String typescript = EXAMPLES.resolve("typescript").toString();
            String rates = output("node", typescript + "/rates.ts", "http://localhost:" + httpPort, ASSET);
            assertEquals(served, contracts(rates, "\\s+"));
            assertEquals(served, contracts(output("node", typescript + "/latest.ts", bootstrapServers, ASSET), " "));
        } else {
            System.out.println("node or the packages are not installed: examples/typescript was not run");
        }
        if (isInstalled("kcat")) {
            sinks(bootstrapServers, served);
        } else {
            System.out.println("kcat is not installed: examples/sinks was not run");
        }
    }

    /** Each sink has the contracts that are served; where DuckDB and PostgreSQL are missing, the file alone. */
    private static void sinks(String bootstrapServers, Set<String> served) throws IOException, InterruptedException {
        String sinks = EXAMPLES.resolve("sinks").toString();
        Path file = Files.createTempDirectory("sinks").resolve("rates.ndjson.gz");
        String today = LocalDate.now(ZoneOffset.UTC).toString();
        output(sinks + "/files.sh", bootstrapServers, today, file.toString());
        var contracts = new TreeSet<String>();
        var json = new ObjectMapper();
        long rates = 0;
        try (var lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode rate = json.readTree(line);
                rates++;
                if (rate.get("asset").asText().equals(ASSET)
                        && !rate.get("funding_rate_8h").isNull()) {
                    contracts.add(rate.get("venue").asText()
                            + ' '
                            + rate.get("symbol").asText());
                }
            }
        }
        assertTrue(contracts.containsAll(served), () -> served + " in " + contracts);
        if (KafkaPage.has("python3", "-c", "import duckdb")) {
            String database = file.resolveSibling("rates.duckdb").toString();
            String stored = output("python3", sinks + "/rates_to_duckdb.py", file.toString(), database);
            assertEquals(rates + " rates", stored.strip());
        } else {
            System.out.println("duckdb is not installed: its sink was not run");
        }
        String database = System.getenv("OBSERVATORY_TEST_POSTGRESQL");
        if (database == null) {
            System.out.println("OBSERVATORY_TEST_POSTGRESQL names no database: its sink was not run");
        } else {
            output(sinks + "/postgresql.sh", bootstrapServers, database);
            String count = "SELECT count(*) FROM funding WHERE asset = '" + ASSET + "' AND funding_rate_8h IS NOT NULL";
            assertTrue(Long.parseLong(
                            output("psql", "-tA", "-d", database, "-c", count).strip())
                    >= served.size());
        }
    }

    /** Contracts with a rate, as {@code venue symbol}. */
    private static Set<String> contracts(int httpPort) throws IOException, InterruptedException {
        var contracts = new TreeSet<String>();
        for (JsonNode row : Http.json(
                        httpPort, "/api/v1/latest?assets=" + ASSET + "&venues=" + String.join(",", COMPARED))
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
                .filter(words -> words.length > 2 && COMPARED.contains(words[0]) && words[2].matches("-?[0-9.]+"))
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

    private static boolean isInstalled(String program) throws InterruptedException {
        return KafkaPage.has("sh", "-c", "command -v " + program);
    }
}
