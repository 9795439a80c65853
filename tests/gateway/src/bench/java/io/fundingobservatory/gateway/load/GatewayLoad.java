package io.fundingobservatory.gateway.load;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * A load run: a separate gateway process on topics with 25,000 rows and some 220,000 pairs. Its venues are
 * observed once a minute. Prints the time to the first complete snapshot, the memory that the gateway keeps, and
 * the time of responses about pairs. Prints what clients cost each other, and the comparison with nginx.
 *
 * <p>Arguments: JVM options. With {@code aot} before them, a first process makes the archive of classes that
 * the second one starts with. Without arguments it is started as in the image: {@code aot @jvm.options}.
 * {@code -Dcontracts}, {@code -Dpairs}, {@code -Drounds} and {@code -Dreaders.seconds} make it shorter.
 */
final class GatewayLoad {
    private static final double START_S = 2.5;
    private static final double START_WITHOUT_ARCHIVE_S = 5;
    private static final long MEMORY_MB = 256;
    private static final Path AOT_CACHE = Path.of("target", "gateway.aot");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private GatewayLoad() {}

    public static void main(String[] args) throws Exception {
        try (KafkaFixture kafka = KafkaFixture.start();
                var topics = new LoadTopics(kafka)) {
            run(
                    kafka,
                    topics,
                    args.length == 0 ? new String[] {"aot", "@" + Checkout.ROOT.resolve("gateway/jvm.options")} : args);
        }
        System.exit(0);
    }

    private static void run(KafkaFixture kafka, LoadTopics topics, String[] options) throws Exception {
        var jvm = new ArrayList<>(List.of(options));
        boolean archive = jvm.remove("aot");
        if (archive) {
            train(kafka, jvm);
            jvm.add("-XX:AOTCache=" + AOT_CACHE);
        }
        int port = FreePort.next();
        ProcessBuilder builder = gateway(kafka, port, jvm);
        long begun = System.nanoTime();
        Process gateway = builder.start();
        try {
            await(gateway, port, "/api/v1/latest");
            double latest = seconds(begun);
            memory("with the first list", gateway);
            await(gateway, port, "/api/v1/carry");
            double limit = archive ? START_S : START_WITHOUT_ARCHIVE_S;
            System.out.printf(
                    Locale.ROOT,
                    "from the start to the first list of %,d rows %.2f s, %.2f of the limit of %.1f s; %,d pairs ranked after %.2f s%n",
                    LoadTopics.CONTRACTS,
                    latest,
                    latest / limit,
                    limit,
                    topics.pairs(),
                    seconds(begun));
            topics.observeEveryMinute();
            for (String path : List.of(
                    "/api/v1/carry",
                    "/api/v1/carry?limit=1000",
                    "/api/v1/carry?assets=A1,A2,A3",
                    "/api/v1/carry?venues=binance,okx")) {
                System.out.printf(Locale.ROOT, "%s: median %.2f ms%n", path, medianMs(port, path));
            }
            memory("with the pairs", gateway);
            otherForms(port);
            memory("after ten whole lists in other forms as plain text", gateway);
            var fairness = new Fairness(port);
            fairness.underPairs();
            memory("after distinct requests for pairs", gateway);
            fairness.underFlood();
            fairness.underSlowReaders();
            memory("after slow readers", gateway);
            new ProcessBuilder(
                            "src/test/load/against-nginx.sh",
                            Integer.toString(port),
                            Integer.toString(Integer.getInteger("rounds", 9)),
                            "3",
                            "16")
                    .inheritIO()
                    .start()
                    .waitFor();
            memory("after the comparison", gateway);
        } finally {
            gateway.destroy();
            gateway.waitFor(10, TimeUnit.SECONDS);
        }
    }

    private static ProcessBuilder gateway(KafkaFixture kafka, int port, List<String> jvm) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.add("-jar");
        command.add(Checkout.ROOT.resolve("gateway/target/gateway.jar").toString());
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(new File("target/gateway-load.log"));
        builder.environment().put("MALLOC_ARENA_MAX", "2");
        builder.environment().put("MICRONAUT_SERVER_PORT", Integer.toString(port));
        builder.environment().put("OBSERVATORY_MANAGEMENT_PORT", Integer.toString(FreePort.next()));
        builder.environment().put("OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
        builder.environment().put("OBSERVATORY_GATEWAY_TRAFFIC_EXEMPT", "127.0.0.1");
        // A proxy's connection is not slowed down where a client behind it is refused.
        builder.environment().put("OBSERVATORY_GATEWAY_TRAFFIC_TRUSTED_PROXIES", "127.0.0.1");
        return builder;
    }

    /** A start, a few responses and a stop; the process writes its cache when it ends. */
    private static void train(KafkaFixture kafka, List<String> jvm) throws IOException, InterruptedException {
        var training = new ArrayList<>(jvm);
        training.add("-XX:AOTCacheOutput=" + AOT_CACHE);
        int port = FreePort.next();
        Process gateway = gateway(kafka, port, training).start();
        await(gateway, port, "/api/v1/latest");
        await(gateway, port, "/api/v1/carry");
        for (String path : List.of("/", "/api/v1", "/api/v1/venues", "/openapi.yaml")) {
            get(port, path);
        }
        gateway.destroy();
        gateway.waitFor();
    }

    private static void await(Process gateway, int port, String path) throws InterruptedException {
        while (gateway.isAlive()) {
            try {
                if (get(port, path) == 200) {
                    return;
                }
            } catch (IOException e) {
                // not listening yet
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        throw new IllegalStateException("the gateway has ended; target/gateway-load.log says why");
    }

    private static int get(int port, String path) throws IOException, InterruptedException {
        return HTTP.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .header("Accept-Encoding", "gzip")
                                .timeout(Duration.ofSeconds(10))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray())
                .statusCode();
    }

    /** As many as one client may request at once: none is kept, and all of them have to leave the heap. */
    private static void otherForms(int port) throws IOException, InterruptedException {
        for (String field : List.of("funding_rate_8h", "funding_rate", "mark_price", "index_price", "observed_at_ms")) {
            for (String order : List.of(field, "-" + field)) {
                var request = HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + port + "/api/v1/latest?venues=all&numbers=text&order=" + order))
                        .timeout(Duration.ofSeconds(30))
                        .build();
                int status = HTTP.send(request, HttpResponse.BodyHandlers.discarding())
                        .statusCode();
                if (status != 200) {
                    System.out.println("order=" + order + ": status " + status);
                }
            }
        }
    }

    private static double medianMs(int port, String path) throws IOException, InterruptedException {
        var took = new double[41];
        for (int i = 0; i < took.length; i++) {
            long begun = System.nanoTime();
            get(port, path);
            took[i] = seconds(begun) * 1_000;
        }
        Arrays.sort(took);
        return took[took.length / 2];
    }

    private static void memory(String when, Process process) throws IOException {
        Map<String, Long> mb = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.endsWith(" kB"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(':')),
                        line -> Long.parseLong(line.replaceAll("\\D+", "")) / 1024));
        System.out.printf(
                Locale.ROOT,
                "%s: resident %d MB, %.2f of the limit of %d MB (%d MB of it files); most so far %d MB%n",
                when,
                mb.get("VmRSS"),
                (double) mb.getOrDefault("VmRSS", 0L) / MEMORY_MB,
                MEMORY_MB,
                mb.get("RssFile"),
                mb.get("VmHWM"));
    }

    private static double seconds(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }
}
