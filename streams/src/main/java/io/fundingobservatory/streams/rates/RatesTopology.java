package io.fundingobservatory.streams.rates;

import io.fundingobservatory.streams.listings.ReadTime;
import io.fundingobservatory.streams.processing.RecordProcessor;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Properties;
import java.util.function.LongSupplier;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;

/**
 * The topology of {@code rates}. Processors forward to their children by name.
 *
 * <p>Keys stay bytes from end to end. The first step rejects a key that is not the UTF-8 of its value's
 * {@code venue|symbol}. A dead letter must keep the key that it came with, whatever it is.
 */
public final class RatesTopology {
    /** Without an offset, older quotes change no row: their venues have been polled since. */
    private static final Duration QUOTES_BEGIN_BACK = Duration.ofMinutes(10);

    /** Each new observation: {@code rates.normalised}. */
    static final String OBSERVATIONS = "rates-normalised";

    /** Each change of a row, its removal included: {@code rates.latest}. */
    static final String LATEST = "rates-latest";

    /** What the pair tables have to know, under the asset: {@code contract.events}. */
    static final String CONTRACT_EVENTS = "contract-events";

    private static final Serde<byte[]> BYTES = Serdes.ByteArray();

    private RatesTopology() {}

    /**
     * Draws the topology, in which every internal resource must have a name.
     *
     * @param steadyMs milliseconds of a clock that never jumps
     * @param venues those whose contracts have rows and pairs
     */
    public static Topology draw(Properties config, LongSupplier steadyMs, StreamsMetrics metrics, OpenVenues venues) {
        var builder = new StreamsBuilder(new TopologyConfig(new StreamsConfig(config)));
        var readTime = new ReadTime();
        builder.addStateStore(ContractState.builder());

        // 1. Raw quotes become rates per 8 hours; what took place meanwhile becomes events.
        KStream<byte[], byte[]> quotes = source(
                        builder, "quotes-raw", Topics.QUOTES_RAW, AutoOffsetReset.byDuration(QUOTES_BEGIN_BACK))
                .process(
                        () -> new QuoteProcessor(metrics, steadyMs, readTime, venues),
                        Named.as("quotes"),
                        ContractState.STORE);

        // 2. Settlements that venues published become events of their contract's asset.
        KStream<byte[], byte[]> settlements = source(
                        builder, "settlements-raw", Topics.SETTLEMENTS_RAW, AutoOffsetReset.earliest())
                .process(() -> new SettlementProcessor(metrics), Named.as("settlements"), ContractState.STORE);

        // 3. Each new observation is an event and the latest row, the same bytes; a removed row is a tombstone.
        quotes.to(Topics.RATES_NORMALISED.name(), sink(OBSERVATIONS));
        quotes.to(Topics.RATES_LATEST.name(), sink(LATEST));

        // 4. What the pair tables have to know.
        quotes.merge(settlements, Named.as(CONTRACT_EVENTS)).to(Topics.CONTRACT_EVENTS.name(), sink("events-sink"));

        // 5. What was rejected leaves with its own key and bytes, and reason, stage and origin in its headers.
        quotes.merge(settlements, Named.as(RecordProcessor.REJECTED))
                .to(Topics.DEAD_LETTERS.name(), sink("dead-letters"));
        return builder.build();
    }

    /** A name changes the {@code Produced} that it is given to: each sink needs its own. */
    private static Produced<byte[], byte[]> sink(String name) {
        return Produced.with(BYTES, BYTES).withName(name);
    }

    private static KStream<byte[], byte[]> source(
            StreamsBuilder builder, String name, Topic<?> topic, AutoOffsetReset from) {
        return builder.stream(
                topic.name(), Consumed.with(BYTES, BYTES).withName(name).withOffsetResetPolicy(from));
    }
}
