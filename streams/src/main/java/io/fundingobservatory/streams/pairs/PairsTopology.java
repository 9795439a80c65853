package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.streams.processing.RecordProcessor;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.processing.TaskTime;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.TaskId;

/**
 * The topology of {@code pairs}. Processors forward to their children by name.
 *
 * <p>All records of an asset meet in one task, and its ledger is there. The settlements of a contract that gets another asset
 * come back as events of that asset.
 */
public final class PairsTopology {
    /** Each settlement that is new or better known: {@code settlements}. */
    static final String SETTLEMENTS = "settlements";

    /** The settlements of a contract that has another asset now, under that asset: {@code contract.events}. */
    static final String MOVED_SETTLEMENTS = "moved-settlements";

    private static final String BY_VENUE = "errors-by-venue";

    /** How far estimates were from what was settled, under the venue; Kafka Streams names the first node of a repartition so. */
    static final String ESTIMATE_ERRORS = BY_VENUE + "-repartition-filter";

    /** Assets whose table has to be computed again. */
    static final String PAIR_TABLES = "pair-tables";

    private static final Serde<byte[]> BYTES = Serdes.ByteArray();

    private PairsTopology() {}

    /**
     * Draws the topology, in which every internal resource must have a name.
     *
     * @param steadyMs milliseconds of a clock that never jumps
     * @param tablesWait how long tables wait at least where none is published yet
     */
    public static Topology draw(Properties config, LongSupplier steadyMs, StreamsMetrics metrics, Duration tablesWait) {
        var builder = new StreamsBuilder(new TopologyConfig(new StreamsConfig(config)));
        var tasks = new ConcurrentHashMap<TaskId, TaskTime>();
        Function<TaskId, TaskTime> times = task -> tasks.computeIfAbsent(task, each -> new TaskTime(steadyMs));
        PairsStores.builders().forEach(builder::addStateStore);

        // 1. Events of contracts become entries of the ledger.
        KStream<byte[], byte[]> events = builder.stream(
                        Topics.CONTRACT_EVENTS.name(),
                        Consumed.with(BYTES, BYTES).withName("contract-events"))
                .process(
                        () -> new ContractEventProcessor(metrics, times),
                        Named.as("ledger"),
                        PairsStores.LEDGER,
                        PairsStores.CONTRACTS);

        // 2. A contract that has another asset now takes its settlements along.
        events.to(Topics.CONTRACT_EVENTS.name(), sink(MOVED_SETTLEMENTS));

        // 3. Each settlement is an event, once for each time that it is better known.
        events.to(Topics.SETTLEMENTS.name(), sink(SETTLEMENTS));

        // 4. The contracts and settlements of an asset become its table of pairs.
        events.process(
                        () -> new PairTableProcessor(metrics, times, tablesWait),
                        Named.as(PAIR_TABLES),
                        PairsStores.LEDGER,
                        PairsStores.CONTRACTS,
                        PairsStores.TABLE_DIGESTS)
                .to(Topics.CARRY_PAIRS.name(), sink("carry-pairs"));

        // 5. How far estimates were from what was settled meets under the venue, and becomes its published quality.
        events.repartition(Repartitioned.with(BYTES, BYTES)
                        .withName(BY_VENUE)
                        .withNumberOfPartitions(Topics.VENUES_QUALITY.partitions()))
                .process(
                        () -> new QualityProcessor(metrics, steadyMs),
                        Named.as("qualities"),
                        PairsStores.ERROR_HISTOGRAMS)
                .to(
                        Topics.VENUES_QUALITY.name(),
                        Produced.with(BYTES, Topics.VENUES_QUALITY.serde()).withName("venues-quality"));

        // 6. What was rejected leaves with its own key and bytes, and reason, stage and origin in its headers.
        events.to(Topics.DEAD_LETTERS.name(), sink(RecordProcessor.REJECTED));

        return builder.build();
    }

    /** A name changes the {@code Produced} that it is given to: each sink needs its own. */
    private static Produced<byte[], byte[]> sink(String name) {
        return Produced.with(BYTES, BYTES).withName(name);
    }
}
