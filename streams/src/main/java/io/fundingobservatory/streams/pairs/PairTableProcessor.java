package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.processing.TaskTime;
import io.fundingobservatory.streams.settlements.Window;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Computes the pair table of an asset again when its contracts or settlements change or the window moves on. A
 * table that equals the one before is not published again.
 *
 * <p>Contracts and settlements stay in their stores. 3 million settlements would not fit into memory, and reading
 * the 31 days of a contract is quick.
 */
public final class PairTableProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration GATHERING = Duration.ofSeconds(10);

    /** An event whose values were read earlier comes again. From ingest to here a new one takes seconds. */
    private static final Duration NEW_WITHIN = Duration.ofMinutes(5);

    private static final Duration SWEPT_EVERY = Duration.ofMinutes(1);

    /** Days of settlements that a sweep reads: the 110,000 of a full store within two hours. Each sweep copies the keys of the record cache. */
    private static final int SWEPT_AT_ONCE = 1_000;

    private final StreamsMetrics metrics;
    private final Function<TaskId, TaskTime> times;
    private final Duration pause;
    private final Set<String> assets = new HashSet<>();

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private TaskTime time;

    @SuppressWarnings("NullAway.Init")
    private StoredContracts contracts;

    @SuppressWarnings("NullAway.Init")
    private SettlementStore settlements;

    @SuppressWarnings("NullAway.Init")
    private PairTablePublisher tables;

    @SuppressWarnings("NullAway.Init")
    private Recomputation recomputation;

    @SuppressWarnings("NullAway.Init")
    private FirstTables firstTables;

    private List<Cancellable> schedules = List.of();

    /**
     * One of no task yet.
     *
     * @param times returns the time of a task
     * @param pause for which tables wait: {@link FirstTables}
     */
    public PairTableProcessor(StreamsMetrics metrics, Function<TaskId, TaskTime> times, Duration pause) {
        this.metrics = metrics;
        this.times = times;
        this.pause = pause;
    }

    /** Also of a revived task, with what an aborted transaction left in memory: all of it comes from the stores again. */
    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        time = times.apply(context.taskId());
        contracts = new StoredContracts(context.getStateStore(PairsStores.CONTRACTS));
        settlements = new SettlementStore(context.getStateStore(PairsStores.LEDGER));
        tables = new PairTablePublisher(metrics, time, context, contracts, settlements);
        assets.clear();
        contracts.forEach((asset, contract) -> {
            assets.add(asset);
            time.stored(contract.publishedMs());
        });
        Map<String, Long> published = tables.published();
        firstTables = new FirstTables(pause, !published.isEmpty(), !assets.isEmpty());
        published.forEach((asset, windowEndMs) -> {
            assets.add(asset);
            time.stored(Window.earliestAtMs(windowEndMs));
        });
        recomputation = new Recomputation(time, GATHERING.toMillis());
        // The task may have ended while it moved its tables to the next window.
        recomputation.begin(assets.stream()
                .filter(asset -> tables.isOutdated(asset, Window.at(time.nowMs())))
                .collect(Collectors.toSet()));
        schedules = List.of(
                context.schedule(
                        SWEPT_EVERY, PunctuationType.WALL_CLOCK_TIME, tick -> settlements.sweep(SWEPT_AT_ONCE)),
                context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, this::tick));
    }

    private void tick(long tickMs) {
        if (!firstTables.waitAt(tickMs)) {
            recomputation.tick(assets, (asset, window) -> {
                if (!tables.publish(asset, window)) {
                    assets.remove(asset);
                }
            });
        }
    }

    @Override
    public void close() {
        schedules.forEach(Cancellable::cancel);
    }

    /** The key is an asset whose contracts or settlements have changed; the stamp is when ingest read that. */
    @Override
    public void process(Record<byte[], byte[]> record) {
        String asset = new String(record.key(), UTF_8);
        firstTables.event(time.nowMs() - record.timestamp() > NEW_WITHIN.toMillis());
        assets.add(asset);
        tables.outdate(asset);
        recomputation.changed(asset);
    }
}
