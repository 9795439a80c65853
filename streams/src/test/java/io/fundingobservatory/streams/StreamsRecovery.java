package io.fundingobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.testbed.KafkaFixture;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Measures, and asserts nothing: the streams service as a process of its own is killed with SIGKILL again and
 * again. It runs under a steady flow of quotes, with a full ledger of 31 days and 20 polls of every contract
 * in its changelogs.
 *
 * <p>It prints the time until a quote that was read after the kill is on {@code rates.latest}. It prints the
 * time until a settlement that came after the kill is in the tables of 20 assets. Both are read committed. It
 * also prints the process's resident memory. The service starts from its jar and with an archive of classes,
 * as in its image.
 *
 * <p>20 polls are what a changelog holds at most of a week or a year. Its segments are closed after 10
 * minutes and cleaned within 30 (here none is), and a venue is read once a minute. {@code -Dkills},
 * {@code -Dcontracts}, {@code -Dpolls} change the size.
 */
final class StreamsRecovery {
    private static final long HOUR = 3_600_000;
    private static final int CONTRACTS = Integer.getInteger("contracts", 20_000);
    private static final int POLLS = Integer.getInteger("polls", 20);
    private static final int KILLS = Integer.getInteger("kills", 5);
    private static final int ASSETS = 20;
    private static final int TRAINED_CONTRACTS = 1_000;
    private static final int TRAINED_POLLS = 15;
    private static final double QUOTES_LIMIT_S = 5;
    private static final double PAIRS_LIMIT_S = 20;
    private static final double GIVEN_UP_S = 600;
    private static final long LIMIT_MB = 512;

    private final KafkaFixture kafka;
    private final MarketLoad load;
    private final Path directory;
    private final Random random = new Random(3);

    private StreamsRecovery(KafkaFixture kafka, MarketLoad load) throws Exception {
        this.kafka = kafka;
        this.load = load;
        this.directory = Files.createTempDirectory("streams-recovery");
    }

    public static void main(String[] args) throws Exception {
        try (KafkaFixture kafka = KafkaFixture.start();
                var load = new MarketLoad(kafka, Map.of("linger.ms", 5, "compression.type", "zstd"))) {
            new StreamsRecovery(kafka, load).run();
        }
        System.exit(0);
    }

    private void run() throws Exception {
        train();
        load.estimates(CONTRACTS);
        long settlements = load.settlements(CONTRACTS);
        for (int poll = 0; poll < POLLS; poll++) {
            load.poll(CONTRACTS, System.currentTimeMillis());
        }
        Process streams = launch();
        long began = System.nanoTime();
        load.awaitCaughtUp();
        System.out.printf(
                Locale.ROOT,
                "%,d settlements and %,d quotes from nothing: %.1f s; resident %,d MB of %d MB%n",
                settlements,
                (long) POLLS * CONTRACTS,
                seconds(began),
                residentMb(streams),
                LIMIT_MB);
        try (var tables = atTheEnd(Topics.CARRY_PAIRS)) {
            tables.seekToBeginning(tables.assignment());
            System.out.printf(Locale.ROOT, "every table made: %.1f s%n", awaitTables(tables, assets(), began));
        }
        double quotes = 0;
        double pairs = 0;
        long resident = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            load.poll(CONTRACTS / 4, System.currentTimeMillis());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500 + random.nextInt(1_500)));
            double quote;
            double pair;
            try (var tables = atTheEnd(Topics.CARRY_PAIRS)) {
                streams.destroyForcibly().waitFor();
                began = System.nanoTime();
                Set<String> corrected = corrections();
                streams = launch();
                quote = awaitRow(began);
                pair = awaitTables(tables, corrected, began);
            }
            long mb = residentMb(streams);
            System.out.printf(
                    Locale.ROOT,
                    "kill %d: a new quote is on rates.latest after %.1f s, new settlements of %d assets are in their tables after"
                            + " %.1f s; resident %,d MB%n",
                    kill + 1,
                    quote,
                    ASSETS,
                    pair,
                    mb);
            quotes = Math.max(quotes, quote);
            pairs = Math.max(pairs, pair);
            resident = Math.max(resident, mb);
        }
        System.out.printf(
                Locale.ROOT,
                "worst of %d: quotes %.1f s, limit %.0f s: %.2f of it; pairs %.1f s, limit %.0f s: %.2f of it; resident %,d MB,"
                        + " limit %d MB: %.2f of it%n",
                KILLS,
                quotes,
                QUOTES_LIMIT_S,
                quotes / QUOTES_LIMIT_S,
                pairs,
                PAIRS_LIMIT_S,
                pairs / PAIRS_LIMIT_S,
                resident,
                LIMIT_MB,
                (double) resident / LIMIT_MB);
        streams.destroyForcibly().waitFor();
    }

    private Process launch() throws IOException {
        return launch(kafka.bootstrapServers(), directory.resolve("state"), "-XX:AOTCache=" + archive());
    }

    /** Starts the service as its image does ({@code deploy/Dockerfile}), from the jar in {@code target}. */
    private Process launch(String broker, Path state, String option) throws IOException {
        var command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of("jvm.options").toAbsolutePath(),
                option,
                "-jar",
                Path.of("target/streams.jar").toAbsolutePath().toString());
        command.environment()
                .putAll(Map.of(
                        "MALLOC_ARENA_MAX",
                        "2",
                        "OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS",
                        broker,
                        "OBSERVATORY_MANAGEMENT_PORT",
                        "-1",
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
    private void train() throws Exception {
        try (KafkaFixture own = KafkaFixture.start();
                var trained = new MarketLoad(own, Map.of("linger.ms", 5))) {
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

    /** Quotes 200 contracts again and again until a row of what was read after the kill is there. */
    private double awaitRow(long began) {
        try (var rows = atTheEnd(Topics.RATES_LATEST)) {
            long after = System.currentTimeMillis();
            while (true) {
                load.poll(200, System.currentTimeMillis());
                for (var record : rows.poll(Duration.ofMillis(50))) {
                    if (record.value() != null && observedAt(record.value()) >= after) {
                        return seconds(began);
                    }
                }
            }
        }
    }

    /** Corrects one payment of yesterday of some contracts; the assets whose tables it changes. */
    private Set<String> corrections() {
        var assets = new HashSet<String>();
        long now = System.currentTimeMillis();
        for (int i = 0; i < ASSETS; i++) {
            int contract = random.nextInt(CONTRACTS);
            // Every interval divides 8 hours, so that every contract has one there.
            load.settle(contract, (now - 24 * HOUR) / (8 * HOUR) * (8 * HOUR), now);
            assets.add(MarketLoad.asset(contract));
        }
        return assets;
    }

    private static Set<String> assets() {
        return IntStream.range(0, CONTRACTS).mapToObj(MarketLoad::asset).collect(Collectors.toSet());
    }

    /** Until a table of each of these assets was published; ends the run when one is not within ten minutes. */
    private static double awaitTables(KafkaConsumer<byte[], byte[]> tables, Set<String> assets, long began) {
        var left = new HashSet<>(assets);
        while (!left.isEmpty()) {
            if (seconds(began) > GIVEN_UP_S) {
                throw new IllegalStateException("no new table of " + left);
            }
            tables.poll(Duration.ofMillis(50)).forEach(record -> left.remove(new String(record.key(), UTF_8)));
        }
        return seconds(began);
    }

    private KafkaConsumer<byte[], byte[]> atTheEnd(Topic<?> topic) {
        var consumer = new KafkaConsumer<>(
                Map.<String, Object>of(
                        "bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(MarketLoad.partitions(topic));
        consumer.seekToEnd(consumer.assignment());
        consumer.assignment().forEach(consumer::position);
        return consumer;
    }

    private static long observedAt(byte[] row) {
        return Topics.RATES_LATEST
                .deserializer()
                .deserialize(Topics.RATES_LATEST.name(), row)
                .observedAtMs();
    }

    private static long residentMb(Process process) throws Exception {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElse(0)
                / 1024;
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }
}
