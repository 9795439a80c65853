package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.clock.ReadingOrder;
import io.fundingobservatory.streams.ledger.LedgerEnds;
import io.fundingobservatory.streams.ledger.Outputs;
import io.fundingobservatory.streams.ledger.Stores;
import io.fundingobservatory.streams.ledger.StreamsMetrics;
import io.fundingobservatory.streams.processors.QuoteProcessor;
import io.fundingobservatory.streams.processors.SettlementProcessor;
import io.fundingobservatory.streams.window.PairTableProcessor;
import io.fundingobservatory.streams.window.QualityProcessor;
import io.fundingobservatory.streams.window.WorkBudget;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.util.Arrays;
import java.util.Properties;
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

/**
 * The whole topology. Processors forward to their children by name ({@link Outputs}).
 *
 * <p>Keys stay bytes from end to end. The first step rejects a key that is not the UTF-8 of its value's
 * {@code venue|symbol}. A dead letter must keep the key that it came with, whatever it is.
 */
public final class RatesTopology {
    private static final Serde<byte[]> BYTES = Serdes.ByteArray();

    private RatesTopology() {}

    /** The topology of a process that does not know how far the published ledger goes, and reads back all of it. */
    public static Topology draw(Properties config, LongSupplier steadyMs, StreamsMetrics metrics) {
        return draw(config, steadyMs, metrics, LedgerEnds.UNKNOWN, OpenVenues.LISTED);
    }

    /**
     * Draws the topology.
     *
     * @param config of the application; it is checked that every internal resource has a name
     * @param steadyMs epoch milliseconds of a clock that never jumps
     * @param metrics counts what happens
     * @param ledgerEnds how far the published ledger is read back
     * @param venues those whose contracts have rows and pairs
     */
    public static Topology draw(
            Properties config,
            LongSupplier steadyMs,
            StreamsMetrics metrics,
            LedgerEnds ledgerEnds,
            OpenVenues venues) {
        var builder = new StreamsBuilder(new TopologyConfig(new StreamsConfig(config)));
        var inputClock = new BrokerClock(steadyMs);
        var pairClock = new BrokerClock(steadyMs);
        var qualityClock = new BrokerClock(steadyMs);
        var budget = new WorkBudget(steadyMs);

        // 1. What is known of each contract, and its payments by day: one state for the two processors that follow.
        builder.addStateStore(Stores.contracts());
        builder.addStateStore(Stores.payments());

        // 2. What the exchanges said becomes rates per 8 hours; what came due meanwhile becomes payments.
        KStream<byte[], byte[]> quotes = source(builder, "quotes-raw", Topics.QUOTES_RAW)
                .process(
                        () -> new QuoteProcessor(metrics, inputClock, venues),
                        Named.as("quotes"),
                        Stores.CONTRACTS,
                        Stores.PAYMENTS);

        // 3. What the exchanges published as settled replaces what was estimated. The published ledger comes back
        // beside it,
        // before anything else of its partition, so that lost stores are rebuilt.
        KStream<byte[], byte[]> settled = source(
                        builder, "settlements-raw-and-ledger", Topics.SETTLEMENTS_RAW, Topics.SETTLEMENTS)
                .process(
                        () -> new SettlementProcessor(metrics, inputClock, ledgerEnds),
                        Named.as("settlements"),
                        Stores.CONTRACTS,
                        Stores.PAYMENTS);

        // 4. Each new observation is an event and the latest row, the same bytes; a removed row is a tombstone.
        quotes.to(Topics.RATES_NORMALISED.name(), sink(Outputs.OBSERVATIONS));
        quotes.to(Topics.RATES_LATEST.name(), sink(Outputs.LATEST));

        // 5. Each payment is an event, once for each time that it is better known.
        quotes.merge(settled, Named.as(Outputs.SETTLEMENTS)).to(Topics.SETTLEMENTS.name(), sink("settlements-sink"));

        // 6. What was refused leaves with its own key and bytes, and reason, stage and origin in its headers.
        quotes.merge(settled, Named.as(Outputs.REFUSED)).to(Topics.DEAD_LETTERS.name(), sink("dead-letters"));

        // 7. What is known of an asset's contracts meets under the asset, and becomes its table of pairs.
        builder.addStateStore(Stores.assetContracts());
        builder.addStateStore(Stores.assetPayments());
        builder.addStateStore(Stores.tableDigests());
        quotes.merge(settled, Named.as(Outputs.PAIR_EVENTS))
                .repartition(Repartitioned.with(BYTES, BYTES)
                        .withName("carry-by-asset")
                        .withNumberOfPartitions(Topics.CARRY_PAIRS.partitions()))
                .process(
                        () -> new PairTableProcessor(metrics, pairClock, budget),
                        Named.as("pair-tables"),
                        Stores.ASSET_CONTRACTS,
                        Stores.ASSET_PAYMENTS,
                        Stores.TABLE_DIGESTS)
                .to(Topics.CARRY_PAIRS.name(), sink("carry-pairs"));

        // 8. How far readings were from what was settled meets under the exchange, and becomes its published quality.
        builder.addStateStore(Stores.errorHistograms());
        builder.addStateStore(Stores.qualities());
        quotes.merge(settled, Named.as(Outputs.ESTIMATE_ERRORS))
                .repartition(Repartitioned.with(BYTES, BYTES)
                        .withName("quality-by-venue")
                        .withNumberOfPartitions(Topics.VENUES_QUALITY.partitions()))
                .process(
                        () -> new QualityProcessor(metrics, qualityClock, budget),
                        Named.as("qualities"),
                        Stores.ERROR_HISTOGRAMS,
                        Stores.QUALITIES)
                .to(
                        Topics.VENUES_QUALITY.name(),
                        Produced.with(BYTES, Topics.VENUES_QUALITY.serde()).withName("venues-quality"));

        return builder.build();
    }

    /** A name changes the {@code Produced} that it is given to: each sink needs its own. */
    private static Produced<byte[], byte[]> sink(String name) {
        return Produced.with(BYTES, BYTES).withName(name);
    }

    private static KStream<byte[], byte[]> source(StreamsBuilder builder, String name, Topic<?>... topics) {
        return builder.stream(
                Arrays.stream(topics).map(Topic::name).toList(),
                Consumed.with(BYTES, BYTES).withName(name).withTimestampExtractor(new ReadingOrder()));
    }
}
