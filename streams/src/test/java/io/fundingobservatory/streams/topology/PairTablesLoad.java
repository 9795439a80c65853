package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.formats.PairEvent;
import io.fundingobservatory.streams.formats.PairEventFormat;
import io.fundingobservatory.streams.formats.Routed;
import io.fundingobservatory.streams.ledger.Stores;
import io.fundingobservatory.streams.window.PairTableProcessor;
import io.fundingobservatory.streams.window.WorkBudget;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Settlement;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
 * long a thread does not read its quotes meanwhile. One task, one thread, real stores.
 */
final class PairTablesLoad {
    private static final long HOUR = 3_600_000;
    private static final long T = 1_790_000_000_000L / HOUR * HOUR;
    private static final int CONTRACTS = 20_000;
    private static final long STANDS_STILL = Long.MIN_VALUE;

    /** What quotes may wait at the top of the hour, ms. */
    private static final int WAIT_LIMIT_MS = 300;

    private PairTablesLoad() {}

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
        for (var builder : List.of(Stores.assetContracts(), Stores.assetPayments(), Stores.tableDigests())) {
            StateStore store =
                    builder.withLoggingDisabled().withCachingDisabled().build();
            store.init(context.getStateStoreContext(), store);
            context.addStateStore(store);
        }
        var pairUp = new PairTableProcessor(new CountedMetrics(), new BrokerClock(steadyMs), new WorkBudget(steadyMs));
        pairUp.init(context);
        var random = new Random(1);
        List<Contract> contracts = contracts(random);
        for (Contract contract : contracts) {
            pairUp.process(record(new PairEvent.ContractListed(contract, nowMs), nowMs));
        }
        long begun = cpuNanos();
        long settlements = 0;
        for (Contract contract : contracts) {
            long interval = contract.currentIntervalH().longValueExact() * HOUR;
            for (long at = T - 31 * 24 * HOUR; at <= T; at += interval) {
                PairEvent event = new PairEvent.SettlementRecorded(new Settlement(
                        contract.key().venue(),
                        contract.key().symbol(),
                        0,
                        contract.asset(),
                        at,
                        at,
                        BigDecimal.valueOf(random.nextInt(40_001) - 20_000, 8),
                        Basis.SETTLED,
                        contract.currentIntervalH(),
                        at));
                pairUp.process(record(event, nowMs));
                settlements++;
            }
        }
        System.out.println(settlements + " settlements into the store: " + against(60, seconds(begun)));
        for (int hour = 0; hour < 3; hour++) {
            clockMs[0] += HOUR; // stands still while the tables are made, so that all are made at once
            begun = cpuNanos();
            context.scheduledPunctuators().getFirst().getPunctuator().punctuate(0);
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
            context.scheduledPunctuators().getFirst().getPunctuator().punctuate(0);
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

    private static Record<byte[], byte[]> record(PairEvent event, long nowMs) {
        return new Record<>(event.assetKey(), PairEventFormat.EVENTS.write(new Routed<>(0, event)), nowMs);
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
