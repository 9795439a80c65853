package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.pairs.ContractEventProcessor;
import io.fundingobservatory.streams.pairs.PairTableProcessor;
import io.fundingobservatory.streams.pairs.PairsStores;
import io.fundingobservatory.streams.processing.TaskTime;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Measures, and asserts nothing: a number of settlements of 20,000 contracts on all venues into the stores of
 * the pair table. Then it computes the tables of all assets as when the hour moves on. It also measures how
 * long a thread reads no events meanwhile. One task, one thread, real stores.
 */
final class PairTablesLoad {
    private static final long HOUR = 3_600_000;
    private static final long T = 1_790_000_000_000L / HOUR * HOUR;
    private static final int CONTRACTS = Integer.getInteger("contracts", 20_000);
    private static final long STANDS_STILL = Long.MIN_VALUE;

    /** What events may wait at the top of the hour, ms. */
    private static final int WAIT_LIMIT_MS = 300;

    private final MockProcessorContext<byte[], byte[]> context;
    private final ContractEventProcessor ledger;
    private final PairTableProcessor tables;
    private long taken;

    private PairTablesLoad(MockProcessorContext<byte[], byte[]> context, CountedMetrics metrics, TaskTime time) {
        this.context = context;
        this.ledger = new ContractEventProcessor(metrics, task -> time);
        this.tables = new PairTableProcessor(metrics, task -> time, Duration.ofSeconds(60));
        ledger.init(context);
        tables.init(context);
    }

    public static void main(String[] args) throws Exception {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "load");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        long nowMs = T + 11 * 60_000;
        var clockMs = new long[] {nowMs};
        var startedAt = new long[] {STANDS_STILL};
        LongSupplier steadyMs =
                () -> clockMs[0] + (startedAt[0] == STANDS_STILL ? 0 : (System.nanoTime() - startedAt[0]) / 1_000_000);
        var context = new MockProcessorContext<byte[], byte[]>(
                config, new TaskId(0, 0), Files.createTempDirectory("load").toFile());
        for (var builder : PairsStores.builders()) {
            StateStore store =
                    builder.withLoggingDisabled().withCachingDisabled().build();
            store.init(context.getStateStoreContext(), store);
            context.addStateStore(store);
        }
        var clock = new TaskTime(steadyMs);
        var load = new PairTablesLoad(context, new CountedMetrics(), clock);
        var random = new Random(1);
        List<Contract> contracts = contracts(random);
        for (String time : List.of("for the first time", "again, as at a start")) {
            long before = cpuNanos();
            for (Contract contract : contracts) {
                load.take(listed(contract, nowMs), nowMs);
            }
            System.out.printf(
                    Locale.ROOT, "%,d contracts reported %s: %.2f s of one core%n", CONTRACTS, time, seconds(before));
        }
        long begun = cpuNanos();
        long settlements = 0;
        for (Contract contract : contracts) {
            long interval = contract.currentIntervalH().longValueExact() * HOUR;
            for (long at = T - 31 * 24 * HOUR; at <= T; at += interval) {
                BigDecimal rate = BigDecimal.valueOf(random.nextInt(40_001) - 20_000, 8);
                load.take(settled(contract, at, rate), nowMs);
                settlements++;
            }
        }
        System.out.println(settlements + " settlements into the store: " + against(60, seconds(begun)));
        tick(context, 0);
        for (int hour = 0; hour < 3; hour++) {
            clockMs[0] += HOUR;
            begun = cpuNanos();
            for (int before = -1; before < context.forwarded().size(); ) {
                before = context.forwarded().size();
                tick(context, 60_000);
            }
            double took = seconds(begun);
            long pairs = 0;
            long size = 0;
            long largest = 0;
            for (var forward : context.forwarded()) {
                byte[] table = forward.record().value();
                pairs += Topics.CARRY_PAIRS.codec().decode(table).pairs().size();
                size += table.length;
                largest = Math.max(largest, table.length);
            }
            System.out.println(context.forwarded().size() + " tables with " + pairs + " pairs, " + size / 1_000_000
                    + " MB, the largest " + largest + " bytes: " + against(3, took));
            context.resetForwards();
        }
        clockMs[0] += HOUR;
        int ticks = 0;
        long longestMs = 0;
        do {
            context.resetForwards();
            startedAt[0] = System.nanoTime();
            tick(context, 60_000);
            longestMs = Math.max(longestMs, (System.nanoTime() - startedAt[0]) / 1_000_000);
            startedAt[0] = STANDS_STILL;
            clockMs[0] += 1_000;
            ticks++;
        } while (!context.forwarded().isEmpty());
        System.out.printf(
                Locale.ROOT,
                "the same by a running clock: %d ticks, one a second; the longest %d ms, %.2f of the limit of %d ms%n",
                ticks,
                longestMs,
                (double) longestMs / WAIT_LIMIT_MS,
                WAIT_LIMIT_MS);
    }

    private static void tick(MockProcessorContext<byte[], byte[]> context, long atMs) {
        context.scheduledPunctuators().getLast().getPunctuator().punctuate(T + atMs);
    }

    private void take(ContractEvent event, long nowMs) {
        context.setRecordMetadata(Topics.CONTRACT_EVENTS.name(), (int) (taken % 6), taken++);
        ledger.process(new Record<>(event.recordKey().getBytes(UTF_8), ContractEvent.CODEC.encode(event), nowMs));
        context.forwarded().stream()
                .filter(forward -> forward.childName().equals(Optional.of("pair-tables")))
                .forEach(forward -> tables.process(new Record<>(forward.record().key(), new byte[0], nowMs)));
        context.resetForwards();
    }

    private static ContractEvent listed(Contract contract, long nowMs) {
        return ContractEvent.listed(
                contract.key(),
                contract.asset(),
                0,
                null,
                contract.quote(),
                contract.type(),
                contract.currentIntervalH(),
                contract.coinPrice(),
                nowMs);
    }

    private static ContractEvent settled(Contract contract, long atMs, BigDecimal rate) {
        return ContractEvent.settlement(
                contract.key(),
                contract.asset(),
                0,
                atMs,
                atMs,
                rate,
                Basis.SETTLED,
                contract.currentIntervalH(),
                atMs);
    }

    /** Few assets are listed nearly everywhere, most on a few exchanges. */
    private static List<Contract> contracts(Random random) {
        var contracts = new ArrayList<Contract>();
        for (int asset = 0; contracts.size() < CONTRACTS; asset++) {
            int listings = Math.max(1, ListedVenue.ALL.size() - asset / 12);
            for (int i = 0; i < listings && contracts.size() < CONTRACTS; i++) {
                String venue = ListedVenue.ALL
                        .get((asset + i) % ListedVenue.ALL.size())
                        .id();
                contracts.add(new Contract(
                        new ContractKey(venue, "A" + asset + "-USDT"),
                        0,
                        Long.MIN_VALUE,
                        "A" + asset,
                        "USDT",
                        ContractType.LINEAR,
                        BigDecimal.valueOf(intervalH(random.nextInt(32))),
                        BigDecimal.valueOf(1_000 + random.nextInt(20), 1)));
            }
        }
        return contracts;
    }

    private static int intervalH(int of32) {
        return of32 == 0 ? 1 : of32 < 18 ? 8 : 4;
    }

    private static String against(int limitS, double seconds) {
        return String.format(
                Locale.ROOT, "%.2f s of one core, %.2f of the limit of %d s", seconds, seconds / limitS, limitS);
    }

    /** Of this thread alone, so that neighbours on the machine and the compiler's threads do not count. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static double seconds(long begun) {
        return (cpuNanos() - begun) / 1e9;
    }
}
