package io.fundingobservatory.ingest;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.fundingobservatory.topics.ListedVenue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * One venue returns bodies that are small to send and large to keep. The process has the options that ingest
 * is shipped with. The bodies cost that venue its poll, and the polls of the others go on. Endless responses
 * of all venues together exceed the heap; their partial bodies are not kept.
 */
@Execution(ExecutionMode.CONCURRENT)
class HostileResponsesTest {
    private static final Path OPTIONS = Checkout.ROOT.resolve("ingest/jvm.options");

    private static final String[] HOSTILE = {"binance", "bybit", "htx", "mexc"};

    @TempDir
    private Path folder;

    /**
     * One venue first returns each kind of body. Then four return bodies that are within every bound of a response, and together exceed
     * the heap.
     */
    @Test
    void hostileVenuesStopNoOther() throws Exception {
        var bodies = new ArrayList<byte[]>();
        bodies.add(bomb());
        for (String element : List.of("0", "[]", "{}", "\"xxxxxxxxxxxxxxxxxxxxxxxx\"", "{\"a\":1,\"b\":[2,3]}")) {
            bodies.add(padded((element + ',').repeat(24_000_000 / (element.length() + 1)) + '0'));
        }
        bodies.add(padded(
                IntStream.range(0, 300_000).mapToObj(i -> "\"n" + i + "\":0").collect(joining(",", "{", "}"))));
        bodies.add(padded("[".repeat(1_000_000) + "]".repeat(1_000_000)));
        byte[] bloated = bloated();
        var requests = new AtomicInteger();
        List<String> printed = run(
                () -> {
                    int request = requests.getAndIncrement();
                    return request < bodies.size() ? bodies.get(request) : bloated;
                },
                HOSTILE);
        String all = String.join("\n", printed);
        assertTrue(requests.get() > bodies.size(), "each body at least once: " + requests);
        List<String> hostile =
                printed.stream().filter(line -> line.startsWith("hostile ")).toList();
        assertTrue(hostile.getFirst().contains("more than"), all);
        assertTrue(all.contains("its responses are too large to keep"), all);
        assertTrue(printed.stream().anyMatch(line -> line.matches("kept [1-4] of .*")), "the first one grows: " + all);
    }

    /** A list behind texts that do not compress: it inflates to less than a hundred times its size. */
    private static byte[] padded(String elements) throws IOException {
        String padding = new Random(1)
                .ints(440_000, 'a', 'z')
                .mapToObj(Character::toString)
                .collect(joining());
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            // in texts of 4,000, as long as any that is kept whole
            gzip.write(("[[\"" + padding.replaceAll("(.{4000})", "$1\",\"") + "\"]," + elements + ']')
                    .getBytes(StandardCharsets.US_ASCII));
        }
        return packed.toByteArray();
    }

    /** As many rows of an ordinary list as fit into the packed size of one response. */
    private static byte[] bloated() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            for (int row = 0; row < 250_000; row++) {
                gzip.write("%s{\"symbol\":\"S%06d\",\"rate\":\"0.%06d\"}"
                        .formatted(row == 0 ? "[" : ",", row, row * 7919 % 1_000_000)
                        .getBytes(StandardCharsets.US_ASCII));
            }
            gzip.write(']');
        }
        return packed.toByteArray();
    }

    /** Runs the process, and what holds whatever hostile venues return. */
    private List<String> run(Supplier<byte[]> bodies, String... hostile) throws Exception {
        try (SimulatedExchanges simulated = SimulatedExchanges.start(3, InstantSource.system(), Realism.SMALL);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
            server.setExecutor(threads);
            for (String venue : hostile) {
                server.createContext("/" + venue + "/", http -> {
                    http.getResponseHeaders().add("Content-Encoding", "gzip");
                    send(http, 200, bodies.get());
                });
            }
            server.createContext("/endless/", HostileResponsesTest::sendWithoutEnd);
            server.start();
            try {
                List<String> printed = run(
                        simulated.baseUrl(),
                        "http://127.0.0.1:" + server.getAddress().getPort(),
                        hostile);
                String all = String.join("\n", printed);
                assertEquals("done", printed.getLast(), all);
                assertTrue(printed.contains("cut " + ListedVenue.ALL.size()), all);
                assertTrue(printed.contains("fresh " + (ListedVenue.ALL.size() - hostile.length)), all);
                assertTrue(printed.contains("other true"), all);
                return printed;
            } finally {
                server.stop(0);
            }
        }
    }

    /** Half a megabyte that inflates to more than the process has heap. */
    private static byte[] bomb() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            byte[] blanks = " ".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
            gzip.write('[');
            for (int megabytes = 0; megabytes < 512; megabytes++) {
                gzip.write(blanks);
            }
        }
        return packed.toByteArray();
    }

    private List<String> run(String simulated, String base, String... hostile)
            throws IOException, InterruptedException {
        assertTrue(Files.isRegularFile(OPTIONS), OPTIONS::toString);
        Path log = folder.resolve("log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + OPTIONS,
                "-cp",
                System.getProperty("java.class.path"),
                HostileProcess.class.getName(),
                simulated,
                base));
        command.addAll(List.of(hostile));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertTrue(process.waitFor(15, TimeUnit.MINUTES), "it ends");
        List<String> lines = Files.readAllLines(log);
        assertEquals(0, process.exitValue(), String.join("\n", lines));
        return lines;
    }

    private static void sendWithoutEnd(HttpExchange http) throws IOException {
        byte[] blanks = " ".repeat(64 * 1024).getBytes(StandardCharsets.US_ASCII);
        try (http) {
            http.getResponseHeaders().add("Content-Type", "application/json");
            http.sendResponseHeaders(200, 0);
            while (true) {
                http.getResponseBody().write(blanks);
            }
        }
    }

    private static void send(HttpExchange http, int status, byte[] body) throws IOException {
        try (http) {
            http.getResponseHeaders().add("Content-Type", "application/json");
            http.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            http.getResponseBody().write(body);
        }
    }
}
