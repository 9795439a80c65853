package io.fundingobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.testbed.broker.EmbeddedKafka;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;

/**
 * Measures, and asserts nothing: 280 quotes a second of 20,000 contracts with a full ledger, for 70 minutes. They
 * come as from 48 venues that are read once a minute each: 350 at once, every 1.25 s. A
 * whole hour passes at which every contract settles. Within the next quarter of an hour all settlements
 * are published, one by one. The broker and the streams service are processes of their own.
 *
 * <p>It prints the processor time of both in percent of a core. It prints the time from a quote's
 * acknowledgement until its row is committed on {@code rates.latest}, in all and of hh:00 to hh:20.
 *
 * <p>{@code -Dminutes} and {@code -Dcontracts} change the size. With the argument {@code broker} and a directory
 * this is the broker.
 */
final class SteadyLoad {
    private static final long HOUR_MS = 3_600_000;
    private static final long MINUTE_MS = 60_000;
    private static final int CONTRACTS = Integer.getInteger("contracts", 20_000);
    private static final int MINUTES = Integer.getInteger("minutes", 70);
    private static final int QUOTES_A_SECOND = 280;
    private static final int TICKS_A_SECOND = 40;

    /** Ticks from the quotes of one venue to those of the next: 48 venues a minute. */
    private static final int TICKS_A_VENUE = 50;

    private static final long SETTLED_FROM_MS = MINUTE_MS;
    private static final long SETTLED_UNTIL_MS = 16 * MINUTE_MS;
    private static final long SETTLEMENT_HOUR_MS = 20 * MINUTE_MS;
    private static final double CPU_LIMIT = 5;
    private static final double P50_LIMIT_MS = StreamsConfiguration.COMMIT_EVERY.toMillis();
    private static final double P99_LIMIT_MS = P50_LIMIT_MS + 200;

    private final String brokers;
    private final MarketLoad load;
    private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
    private final List<Double> all = new ArrayList<>();
    private final List<Double> atSettlement = new ArrayList<>();
    private int nextQuoted;
    private int nextSettled;
    private volatile boolean closed;

    private SteadyLoad(String brokers, MarketLoad load) {
        this.brokers = brokers;
        this.load = load;
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 2 && args[0].equals("broker")) {
            broker(Path.of(args[1]));
            return;
        }
        Path directory = Files.createTempDirectory("steady-load");
        Process broker = launchBroker(directory.resolve("broker"));
        try (var output = broker.inputReader();
                var load = new MarketLoad(
                        // The first line that is an address.
                        output.lines()
                                .filter(line -> line.startsWith("brokers="))
                                .findFirst()
                                .orElseThrow()
                                .substring("brokers=".length()),
                        Map.of("linger.ms", 5, "compression.type", "zstd", "acks", "all"))) {
            new SteadyLoad(load.bootstrapServers(), load).run(broker, directory);
        }
        broker.destroy();
        System.exit(0);
    }

    private static Process launchBroker(Path directory) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SteadyLoad.class.getName(),
                        "broker",
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void broker(Path directory) throws Exception {
        try (var kafka = EmbeddedKafka.start(directory, 0);
                var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            TopicCreation.ensure(admin, (short) 1);
            System.out.println("brokers=" + kafka.bootstrapServers());
            Thread.currentThread().join();
        }
    }

    private void run(Process broker, Path directory) throws Exception {
        var service = new StreamsProcess(directory, brokers);
        service.train();
        load.settlements(CONTRACTS);
        load.poll(CONTRACTS, System.currentTimeMillis());
        Process streams = service.launch();
        load.awaitCaughtUp();
        Thread rows = Thread.ofPlatform().start(this::readRows);
        double brokerBefore = StreamsProcess.cpuSeconds(broker);
        double streamsBefore = StreamsProcess.cpuSeconds(streams);
        long began = System.nanoTime();
        send(Duration.ofMinutes(MINUTES));
        double seconds = (System.nanoTime() - began) / 1e9;
        print("streams", StreamsProcess.cpuSeconds(streams) - streamsBefore, seconds);
        print("broker", StreamsProcess.cpuSeconds(broker) - brokerBefore, seconds);
        closed = true;
        rows.join();
        print("all quotes", all);
        print("quotes of hh:00 to hh:20", atSettlement);
        System.out.printf(
                Locale.ROOT,
                "%,d quotes without a row, %,d settlements published, resident %,d MB%n",
                acknowledged.size(),
                nextSettled,
                StreamsProcess.residentMb(streams));
        streams.destroyForcibly().waitFor();
    }

    /** 280 quotes a second, venue by venue; after a whole hour every contract's settlement. */
    private void send(Duration time) {
        long tickNs = TimeUnit.SECONDS.toNanos(1) / TICKS_A_SECOND;
        long due = System.nanoTime();
        long until = due + time.toNanos();
        long hourMs = (System.currentTimeMillis() / HOUR_MS + 1) * HOUR_MS;
        for (int tick = 0; due < until; tick++) {
            if (tick % TICKS_A_VENUE == 0) {
                for (int i = 0; i < QUOTES_A_SECOND * TICKS_A_VENUE / TICKS_A_SECOND; i++) {
                    quote();
                }
            }
            long sinceMs = System.currentTimeMillis() - hourMs - SETTLED_FROM_MS;
            while (nextSettled < CONTRACTS
                    && nextSettled < sinceMs * CONTRACTS / (SETTLED_UNTIL_MS - SETTLED_FROM_MS)) {
                load.settleLast(nextSettled++, System.currentTimeMillis());
            }
            due += tickNs;
            LockSupport.parkNanos(due - System.nanoTime());
        }
        load.flush();
    }

    private void quote() {
        int contract = nextQuoted++ % CONTRACTS;
        long observedAtMs = System.currentTimeMillis();
        String key = MarketLoad.key(contract) + '|' + observedAtMs;
        load.quote(contract, observedAtMs, () -> acknowledged.put(key, System.nanoTime()));
    }

    private void readRows() {
        try (var rows = MarketLoad.atTheEnd(brokers, Topics.RATES_LATEST)) {
            // A second more, for the last ones.
            for (long until = Long.MAX_VALUE; System.nanoTime() - until < 0; ) {
                rows.poll(Duration.ofMillis(20)).forEach(record -> {
                    if (record.value() != null) {
                        row(new String(record.key(), UTF_8), record.value(), System.nanoTime());
                    }
                });
                if (closed && until == Long.MAX_VALUE) {
                    until = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
                }
            }
        }
    }

    private void row(String key, byte[] row, long nowNs) {
        long observedAtMs = Topics.RATES_LATEST
                .deserializer()
                .deserialize(Topics.RATES_LATEST.name(), row)
                .observedAtMs();
        Long since = acknowledged.remove(key + '|' + observedAtMs);
        if (since != null) {
            double ms = (nowNs - since) / 1e6;
            all.add(ms);
            if (observedAtMs % HOUR_MS < SETTLEMENT_HOUR_MS) {
                atSettlement.add(ms);
            }
        }
    }

    private static void print(String what, double cpuSeconds, double seconds) {
        double percent = 100 * cpuSeconds / seconds;
        System.out.printf(
                Locale.ROOT,
                "%s: %.1f %% of a core over %.0f min, limit %.0f %%: %.2f of it%n",
                what,
                percent,
                seconds / 60,
                CPU_LIMIT,
                percent / CPU_LIMIT);
    }

    private static void print(String what, List<Double> latencies) {
        if (latencies.isEmpty()) {
            System.out.println(what + ": none");
            return;
        }
        double[] sorted =
                latencies.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double p50 = sorted[sorted.length / 2];
        double p99 = sorted[(int) (sorted.length * 0.99)];
        System.out.printf(
                Locale.ROOT,
                "%s, acknowledged until committed on rates.latest, %,d rows: p50 %.0f ms, limit %.0f ms: %.2f of it; p99 %.0f ms,"
                        + " limit %.0f ms: %.2f of it; longest %.0f ms%n",
                what,
                sorted.length,
                p50,
                P50_LIMIT_MS,
                p50 / P50_LIMIT_MS,
                p99,
                P99_LIMIT_MS,
                p99 / P99_LIMIT_MS,
                sorted[sorted.length - 1]);
    }
}
