package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.ContractKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Computes the pair table of an asset again when its contracts or settlements change or the window moves on. A
 * table that equals the one before is not published again.
 *
 * <p>Contracts and settlements stay in their stores. 3 million settlements would not fit into memory, and reading
 * the 31 days of a contract is quick.
 */
public final class PairTableProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    /** The longest time that changes of an asset are gathered for before they make a table together. */
    static final Duration GATHERING = Duration.ofSeconds(10);

    /** By then {@code rates} has reported every contract. */
    static final Duration CONTRACTS_REPORTED_AFTER = Duration.ofMinutes(10);

    private static final Duration SWEPT_EVERY = Duration.ofMinutes(1);

    /** Days of settlements that a sweep reads: the 110,000 of a full store within two hours. Each sweep copies the keys of the record cache. */
    private static final int SWEPT_AT_ONCE = 1_000;

    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final FormerTables former;
    private final RecomputeSchedule schedule;
    private final Set<String> assets = new HashSet<>();

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private StoredContracts contracts;

    @SuppressWarnings("NullAway.Init")
    private SettlementStore settlements;

    @SuppressWarnings("NullAway.Init")
    private PairTablePublisher tables;

    private @Nullable Cancellable sweeping;
    private @Nullable Cancellable reporting;
    private boolean allReported;

    public PairTableProcessor(StreamsMetrics metrics, BrokerClock clock, FormerTables former) {
        this.metrics = metrics;
        this.clock = clock;
        this.former = former;
        this.schedule = new RecomputeSchedule(clock, GATHERING);
    }

    /** Also of a revived task, with what an aborted transaction left in memory: all of it comes from the stores again. */
    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        contracts = new StoredContracts(context.getStateStore(PairsStores.CONTRACTS));
        settlements = new SettlementStore(context.getStateStore(PairsStores.LEDGER));
        tables = new PairTablePublisher(metrics, clock, context, settlements);
        schedule.clear();
        assets.clear();
        assets.addAll(contracts.assets());
        long[] newestMs = {0};
        tables.eachPublished((asset, windowEndMs) -> {
            newestMs[0] = Math.max(newestMs[0], windowEndMs);
            if (windowEndMs != TableDigest.UNKNOWN.windowEndMs()) {
                schedule.made(windowEndMs);
            }
            assets.add(asset);
        });
        sweeping = context.schedule(
                SWEPT_EVERY, PunctuationType.WALL_CLOCK_TIME, tick -> settlements.sweep(SWEPT_AT_ONCE));
        allReported |= former.isEmpty();
        // The task may have ended while it moved its tables to the next window.
        schedule.start(context, this::reported, asset -> tables.isOutdated(asset, newestMs[0]), this::tabulate);
        if (!allReported) {
            int partition = context.taskId().partition();
            former.assets().stream()
                    .filter(asset -> PairsStores.partition(asset, Topics.CARRY_PAIRS.partitions()) == partition)
                    .forEach(tables::notePublished);
            reporting =
                    context.schedule(CONTRACTS_REPORTED_AFTER, PunctuationType.WALL_CLOCK_TIME, tick -> endReporting());
        }
    }

    /** Assets whose tables lack no contract that has still to be reported. */
    private List<String> reported() {
        return assets.stream().filter(asset -> !waits(asset)).toList();
    }

    /** Whether a contract of the table that stands is not reported yet. */
    private boolean waits(String asset) {
        return !allReported && former.of(asset).stream().anyMatch(contract -> contracts.get(asset, contract) == null);
    }

    /** Nobody reports the contracts that are missing. Tables of assets without any contract are withdrawn, whatever the ledger has of them. */
    private void endReporting() {
        allReported = true;
        for (String asset : former.assets()) {
            if (contracts.of(asset, Long.MAX_VALUE).isEmpty()) {
                assets.remove(asset);
                tables.withdraw(asset);
            }
        }
        assets.stream().filter(asset -> tables.isOutdated(asset, 0)).forEach(schedule::changed);
        stopReporting();
    }

    private void stopReporting() {
        if (reporting != null) {
            reporting.cancel();
            reporting = null;
        }
    }

    @Override
    public void close() {
        schedule.stop();
        if (sweeping != null) {
            sweeping.cancel();
        }
        stopReporting();
    }

    /** The key is an asset whose contracts or settlements have changed. */
    @Override
    public void process(Record<byte[], byte[]> record) {
        String asset = new String(record.key(), UTF_8);
        assets.add(asset);
        tables.outdate(asset);
        if (!waits(asset)) {
            schedule.changed(asset);
        }
    }

    private void tabulate(String asset, Window window) {
        var listed = contracts.of(asset, clock.nowMs()).values();
        int left = listed.size();
        for (ContractKey inactive : tables.publish(asset, listed, window)) {
            contracts.remove(asset, inactive);
            left--;
        }
        if (left == 0) {
            assets.remove(asset);
            tables.withdraw(asset);
        }
    }
}
