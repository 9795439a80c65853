package io.fundingobservatory.gateway;

import io.fundingobservatory.testbed.FreePort;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.carry.DailySums;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A load run: a separate gateway process on topics that already hold 25,000 rows and some 220,000 pairs.
 * Prints the time to the first complete snapshot, the memory that the gateway keeps, and the time of
 * responses about pairs.
 *
 * <p>Arguments: JVM options. With {@code aot} before them, a first process makes the archive of classes that
 * the second one starts with. With {@code nginx}, the comparison with nginx follows. Without arguments it is
 * started as in the image: {@code aot @jvm.options}.
 */
final class GatewayLoad {
    private static final int CONTRACTS = 25_000;
    private static final int PAIRS = 220_000;
    private static final double START_S = 2.5;
    private static final long MEMORY_MB = 256;
    private static final int OTHERS = 1_500;
    private static final long NOW = System.currentTimeMillis();
    private static final Path AOT_CACHE = Path.of("target", "gateway.aot");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Random random = new Random(1);
    private final List<List<String>> venuesOfAsset = new ArrayList<>();

    private GatewayLoad() {}

    public static void main(String[] args) throws Exception {
        try (KafkaFixture kafka = KafkaFixture.start()) {
            new GatewayLoad().run(kafka, args.length == 0 ? new String[] {"aot", "@jvm.options"} : args);
        }
        System.exit(0);
    }

    private void run(KafkaFixture kafka, String[] options) throws Exception {
        listings();
        long pairs = fill(kafka);
        var jvm = new ArrayList<>(List.of(options));
        boolean nginx = jvm.remove("nginx");
        if (jvm.remove("aot")) {
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
            System.out.printf(
                    Locale.ROOT,
                    "from the start to the first list of %,d rows %.2f s, %.2f of the limit of %.1f s; %,d pairs ranked after %.2f s%n",
                    CONTRACTS,
                    latest,
                    latest / START_S,
                    START_S,
                    pairs,
                    seconds(begun));
            for (String path : List.of(
                    "/api/v1/carry",
                    "/api/v1/carry?limit=1000",
                    "/api/v1/carry?assets=A1,A2,A3",
                    "/api/v1/carry?venues=binance,okx")) {
                System.out.printf(Locale.ROOT, "%s: median %.2f ms%n", path, medianMs(port, path));
            }
            memory("with the pairs", gateway);
            questions(port);
            memory("after distinct questions", gateway);
            if (nginx) {
                new ProcessBuilder("src/test/load/against-nginx.sh", Integer.toString(port), "9", "3", "16")
                        .inheritIO()
                        .start()
                        .waitFor();
                memory("after the comparison", gateway);
            }
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
        command.add("target/gateway.jar");
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(new File("target/gateway-load.log"));
        builder.environment().put("MALLOC_ARENA_MAX", "2");
        builder.environment().put("MICRONAUT_SERVER_PORT", Integer.toString(port));
        builder.environment().put("OBSERVATORY_MANAGEMENT_PORT", Integer.toString(FreePort.next()));
        builder.environment().put("OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
        builder.environment().put("OBSERVATORY_GATEWAY_TRAFFIC_EXEMPT", "127.0.0.1");
        return builder;
    }

    /** A start, a few answers and a stop; the process writes its cache when it ends. */
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

    /** Pairs asked for differently each time, one question after another, and what that does to the answers to others. */
    private static void questions(int port) throws InterruptedException, IOException {
        double[] alone = tookMs(port, "/api/v1/venues", OTHERS);
        var running = new AtomicBoolean(true);
        var limit = new AtomicInteger();
        var asking = Thread.ofPlatform().start(() -> {
            while (running.get()) {
                try {
                    get(port, "/api/v1/carry?limit=" + (1 + limit.incrementAndGet() % 1_000) + "&venues=all");
                } catch (IOException | InterruptedException e) {
                    return;
                }
            }
        });
        double[] beside = tookMs(port, "/api/v1/venues", OTHERS);
        running.set(false);
        asking.join();
        double grown = beside[beside.length * 99 / 100] / alone[alone.length * 99 / 100];
        System.out.printf(
                Locale.ROOT,
                "/api/v1/venues p99: alone %.2f ms; beside %d distinct questions about pairs %.2f ms: %.2f times%n",
                alone[alone.length * 99 / 100],
                limit.get(),
                beside[beside.length * 99 / 100],
                grown);
    }

    /** Few assets are listed nearly everywhere, most on a few exchanges. */
    private void listings() {
        int contracts = 0;
        for (int asset = 0; contracts < CONTRACTS; asset++) {
            int listed = Math.min(CONTRACTS - contracts, Math.max(1, ListedVenue.ALL.size() - asset / 14));
            var venues = new ArrayList<String>();
            for (int i = 0; i < listed; i++) {
                venues.add(ListedVenue.ALL
                        .get((asset + i) % ListedVenue.ALL.size())
                        .id());
            }
            venuesOfAsset.add(venues);
            contracts += listed;
        }
    }

    private long fill(KafkaFixture kafka) {
        long pairs = 0;
        try (var producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "acks",
                        "all",
                        "compression.type",
                        "lz4",
                        "linger.ms",
                        20,
                        "max.request.size",
                        Topics.LARGEST_RECORD),
                new StringSerializer(),
                new ByteArraySerializer())) {
            for (ListedVenue venue : ListedVenue.ALL) {
                var status = new VenueStatus(
                        venue.id(),
                        Source.SIMULATED,
                        RateKind.ESTIMATE,
                        true,
                        null,
                        NOW,
                        NOW,
                        null,
                        null,
                        1L,
                        Map.of());
                send(producer, Topics.VENUES_STATUS, venue.id(), VenueStatus.CODEC.encode(status));
            }
            for (int asset = 0; asset < venuesOfAsset.size(); asset++) {
                for (String venue : venuesOfAsset.get(asset)) {
                    Rate rate = rate(venue, asset);
                    send(producer, Topics.RATES_LATEST, rate.key().toString(), Rate.CODEC.encode(rate));
                }
                CarryTable table = table(asset, PAIRS - pairs);
                pairs += table.pairs().size();
                send(producer, Topics.CARRY_PAIRS, table.asset(), CarryTable.CODEC.encode(table));
            }
        }
        return pairs;
    }

    private Rate rate(String venue, int asset) {
        return new Rate(
                venue,
                "A" + asset + "-USDT",
                "A" + asset,
                "USDT",
                ContractType.LINEAR,
                null,
                null,
                fraction(),
                BigDecimal.valueOf(8),
                IntervalSource.ROW,
                fraction(),
                RateKind.ESTIMATE,
                fraction(),
                NOW + 3_600_000,
                BigDecimal.valueOf(1_000 + random.nextInt(9_000), 2),
                BigDecimal.valueOf(1_000 + random.nextInt(9_000), 2),
                BigDecimal.ONE,
                NOW,
                NOW,
                false);
    }

    private CarryTable table(int asset, long most) {
        var pairs = new ArrayList<CarryPair>();
        List<String> venues = venuesOfAsset.get(asset);
        for (int a = 0; a < venues.size(); a++) {
            for (int b = a + 1; b < venues.size() && pairs.size() < most; b++) {
                byte[] receipt = new byte[32];
                random.nextBytes(receipt);
                pairs.add(new CarryPair(
                        leg(venues.get(a), asset),
                        leg(venues.get(b), asset),
                        30,
                        true,
                        null,
                        fraction().abs(),
                        17L,
                        HexFormat.of().formatHex(receipt)));
            }
        }
        long end = (NOW - 600_000) / 3_600_000 * 3_600_000;
        return new CarryTable("A" + asset, end - 2_592_000_000L, end, pairs, List.of());
    }

    private static CarryLeg leg(String venue, int asset) {
        long end = NOW / 28_800_000 * 28_800_000;
        BigDecimal sum = BigDecimal.valueOf((venue.hashCode() * 31L + asset) % 1_000_000, 8);
        return new CarryLeg(
                venue,
                "A" + asset + "-USDT",
                0,
                "USDT",
                sum,
                90,
                90,
                0,
                end - 2_563_200_000L,
                end,
                BigDecimal.valueOf(8),
                Basis.SETTLED,
                DailySums.of(Collections.nCopies(30, sum)));
    }

    private BigDecimal fraction() {
        return BigDecimal.valueOf(random.nextInt(40_001) - 20_000, 8);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // closing waits for all
    private static void send(KafkaProducer<String, byte[]> producer, Topic<?> topic, String key, byte[] value) {
        producer.send(new ProducerRecord<>(topic.name(), key, value));
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

    private static double medianMs(int port, String path) throws IOException, InterruptedException {
        double[] took = tookMs(port, path, 41);
        return took[took.length / 2];
    }

    /** How long so many responses took, sorted. */
    private static double[] tookMs(int port, String path, int responses) throws IOException, InterruptedException {
        var took = new double[responses];
        for (int i = 0; i < took.length; i++) {
            long begun = System.nanoTime();
            get(port, path);
            took[i] = seconds(begun) * 1_000;
        }
        Arrays.sort(took);
        return took;
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
