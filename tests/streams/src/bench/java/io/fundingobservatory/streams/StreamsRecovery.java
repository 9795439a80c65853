package io.fundingobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.pairs.PairsStores;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.nio.file.Files;
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

/**
 * Measures, and asserts nothing: the streams service as a process of its own is killed with SIGKILL again and
 * again, and then stopped in order. It runs under a flow of quotes, with a full ledger of 31 days, and 20 polls of
 * every contract are in its changelogs.
 *
 * <p>It prints the time until a quote that was read after the end is on {@code rates.latest}. It prints the
 * time until a settlement that came after the end is in the tables of 20 assets. Both are read committed. It
 * also prints the process's resident memory.
 *
 * <p>20 polls are what a changelog holds at most of a week or a year. Its segments are closed after 10
 * minutes and cleaned within 30 (here none is), and a venue is read once a minute. {@code -Dkills},
 * {@code -Dstops}, {@code -Dcontracts}, {@code -Dpolls} change the size.
 */
final class StreamsRecovery {
    private static final int CONTRACTS = Integer.getInteger("contracts", 25_000);
    private static final int POLLS = Integer.getInteger("polls", 20);
    private static final int KILLS = Integer.getInteger("kills", 20);
    private static final int STOPS = Integer.getInteger("stops", 5);
    private static final int ASSETS = 20;
    private static final double ROWS_AFTER_KILL_LIMIT_S = 5;
    private static final double PAIRS_AFTER_KILL_LIMIT_S = 15;
    private static final double ROWS_AFTER_STOP_LIMIT_S = 3;
    private static final double PAIRS_AFTER_STOP_LIMIT_S = 10;
    private static final double GIVEN_UP_S = 600;
    private static final long LIMIT_MB = 480;

    private final String brokers;
    private final MarketLoad load;
    private final StreamsProcess service;
    private final Random random = new Random(3);
    private int mark = 1;

    /** The worst of several ends. */
    private static final class Worst {
        private double rows;
        private double pairs;
        private long residentMb;
        private long restored;
    }

    private StreamsRecovery(String brokers, MarketLoad load) throws Exception {
        this.brokers = brokers;
        this.load = load;
        this.service = new StreamsProcess(Files.createTempDirectory("streams-recovery"), brokers);
    }

    public static void main(String[] args) throws Exception {
        try (KafkaFixture kafka = KafkaFixture.start();
                var load =
                        new MarketLoad(kafka.bootstrapServers(), Map.of("linger.ms", 5, "compression.type", "zstd"))) {
            new StreamsRecovery(kafka.bootstrapServers(), load).run();
        }
        System.exit(0);
    }

    private void run() throws Exception {
        service.train();
        long settlements = load.settlements(CONTRACTS);
        for (int poll = 0; poll < POLLS; poll++) {
            load.poll(CONTRACTS, System.currentTimeMillis());
        }
        Process streams = service.launch();
        long began = System.nanoTime();
        load.awaitCaughtUp();
        System.out.printf(
                Locale.ROOT,
                "%,d settlements and %,d quotes from nothing: %.1f s; resident %,d MB of %d MB%n",
                settlements,
                (long) POLLS * CONTRACTS,
                seconds(began),
                StreamsProcess.residentMb(streams),
                LIMIT_MB);
        try (var tables = MarketLoad.atTheEnd(brokers, Topics.CARRY_PAIRS)) {
            tables.seekToBeginning(tables.assignment());
            System.out.printf(Locale.ROOT, "every table made: %.1f s%n", awaitTables(tables, assets(), 0, began));
        }
        var killed = new Worst();
        for (int kill = 0; kill < KILLS; kill++) {
            streams = end(streams, true, killed);
        }
        print("SIGKILL", KILLS, killed, ROWS_AFTER_KILL_LIMIT_S, PAIRS_AFTER_KILL_LIMIT_S);
        var stopped = new Worst();
        for (int stop = 0; stop < STOPS; stop++) {
            streams = end(streams, false, stopped);
        }
        print("orderly stop", STOPS, stopped, ROWS_AFTER_STOP_LIMIT_S, PAIRS_AFTER_STOP_LIMIT_S);
        System.out.printf(
                Locale.ROOT,
                "orderly stop: at most %,d records of the ledger were restored, limit 0%n",
                stopped.restored);
        streams.destroyForcibly().waitFor();
    }

    /** Ends the process under load, starts it again and measures; returns the new process. */
    private Process end(Process running, boolean kill, Worst worst) throws Exception {
        load.poll(CONTRACTS / 4, System.currentTimeMillis());
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500 + random.nextInt(1_500)));
        double rows;
        double pairs;
        Process streams;
        try (var tables = MarketLoad.atTheEnd(brokers, Topics.CARRY_PAIRS)) {
            long began = System.nanoTime();
            if (kill) {
                running.destroyForcibly().waitFor();
            } else {
                running.destroy();
                running.waitFor();
                began = System.nanoTime();
            }
            mark = (mark + 10) % 10_000;
            Set<String> corrected = corrections();
            streams = service.launch();
            rows = awaitRow(began);
            pairs = awaitTables(tables, corrected, mark, began);
        }
        long mb = StreamsProcess.residentMb(streams);
        long restored = service.restored(PairsStores.LEDGER);
        System.out.printf(
                Locale.ROOT,
                "%s: a new quote is on rates.latest after %.1f s, new settlements of %d assets are in their tables after"
                        + " %.1f s; resident %,d MB; %,d records of the ledger restored%n",
                kill ? "SIGKILL" : "orderly stop",
                rows,
                ASSETS,
                pairs,
                mb,
                restored);
        worst.rows = Math.max(worst.rows, rows);
        worst.pairs = Math.max(worst.pairs, pairs);
        worst.residentMb = Math.max(worst.residentMb, mb);
        worst.restored = Math.max(worst.restored, restored);
        return streams;
    }

    private static void print(String what, int times, Worst worst, double rowsLimit, double pairsLimit) {
        System.out.printf(
                Locale.ROOT,
                "%s, worst of %d: rates %.1f s, limit %.0f s: %.2f of it; pairs %.1f s, limit %.0f s: %.2f of it; resident"
                        + " %,d MB, limit %d MB: %.2f of it%n",
                what,
                times,
                worst.rows,
                rowsLimit,
                worst.rows / rowsLimit,
                worst.pairs,
                pairsLimit,
                worst.pairs / pairsLimit,
                worst.residentMb,
                LIMIT_MB,
                (double) worst.residentMb / LIMIT_MB);
    }

    /** Quotes 200 contracts again and again until a row of what was read after the end is there. */
    private double awaitRow(long began) {
        try (var rows = MarketLoad.atTheEnd(brokers, Topics.RATES_LATEST)) {
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

    /** Corrects one settlement of a day ago of some contracts; the assets whose tables it changes. */
    private Set<String> corrections() {
        var assets = new HashSet<String>();
        for (int i = 0; i < ASSETS; i++) {
            int contract = random.nextInt(CONTRACTS);
            load.correct(contract, mark, System.currentTimeMillis());
            assets.add(MarketLoad.asset(contract));
        }
        load.flush();
        return assets;
    }

    private static Set<String> assets() {
        return IntStream.range(0, CONTRACTS).mapToObj(MarketLoad::asset).collect(Collectors.toSet());
    }

    /** Until a table of each of these assets has a mark, 0 for any; ends the run when one has not within ten minutes. */
    private static double awaitTables(KafkaConsumer<byte[], byte[]> tables, Set<String> assets, int mark, long began) {
        var left = new HashSet<>(assets);
        while (!left.isEmpty()) {
            if (seconds(began) > GIVEN_UP_S) {
                throw new IllegalStateException("no new table of " + left);
            }
            tables.poll(Duration.ofMillis(50)).forEach(record -> {
                if (record.value() != null && (mark == 0 || MarketLoad.isMarked(record.value(), mark))) {
                    left.remove(new String(record.key(), UTF_8));
                }
            });
        }
        return seconds(began);
    }

    private static long observedAt(byte[] row) {
        return Topics.RATES_LATEST
                .deserializer()
                .deserialize(Topics.RATES_LATEST.name(), row)
                .observedAtMs();
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }
}
