package io.fundingobservatory.streams.topology;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.kstream.Branched;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorSupplier;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The whole topology.
 *
 * <p>Keys stay bytes from end to end: a key that is not the UTF-8 of its value's {@code venue|symbol} is refused by the first step,
 * and a dead letter must keep the key that it came with, whatever it is.
 */
public final class RatesTopology {
    private static final Serde<byte[]> BYTES = Serdes.ByteArray();

    private RatesTopology() {}

    /**
     * Draws the topology.
     *
     * @param config of the application; it is checked that every internal resource has a name
     * @param wall the wall clock, asked only until the first record has arrived
     * @param steadyMs counts milliseconds from any beginning and never jumps
     * @param tally counts what happens
     */
    public static Topology draw(Properties config, InstantSource wall, LongSupplier steadyMs, Tally tally) {
        var builder = new StreamsBuilder(new TopologyConfig(new StreamsConfig(config)));

        // 1. What the exchanges said, as bytes: whatever they hold, reading them cannot fail.
        KStream<byte[], byte[]> quotes = builder.stream(
                Topics.QUOTES_RAW.name(),
                Consumed.with(BYTES, BYTES).withName("quotes-raw").withTimestampExtractor(RatesTopology::arrival));

        // 2. Bytes become quotes, quotes become rates per 8 hours; what is refused goes along as it came.
        KStream<byte[], Step> steps = quotes.processValues(new ReadQuotes(tally), Named.as(ReadQuote.NAME))
                .processValues(new Normalisers(tally), Named.as(Normalise.NAME));

        // 3. The refused leave, under their own key, with reason, stage and origin in their headers.
        Map<String, KStream<byte[], Step>> ways = steps.split(Named.as("are-"))
                .branch((key, step) -> step instanceof Step.Refused, Branched.as("refused"))
                .defaultBranch(Branched.as("normal"));
        way(ways, "are-refused")
                .mapValues(step -> ((Step.Refused) step).letter().value(), Named.as("own-bytes"))
                .to(Topics.DEAD_LETTERS.name(), Produced.with(BYTES, BYTES).withName("dead-letters"));

        // 4. The newest observation of each contract wins; time marks rows and removes them.
        KStream<byte[], Update> updates =
                way(ways, "are-normal").process(new NewestKeepers(tally, wall, steadyMs), Named.as(KeepNewest.NAME));

        // 5. Each new observation is an event.
        updates.filter((key, update) -> update.observed() != null, Named.as("new-observations"))
                .mapValues(Update::observed, Named.as("observed-rate"))
                .to(Topics.RATES_NORMALISED.name(), sink(Topics.RATES_NORMALISED, "rates-normalised"));

        // 6. Each change of a row, its ageing and its removal included, is the latest.
        updates.mapValues(Update::latest, Named.as("latest-row"))
                .to(Topics.RATES_LATEST.name(), sink(Topics.RATES_LATEST, "rates-latest"));

        return builder.build();
    }

    private static long arrival(ConsumerRecord<Object, Object> record, long partitionTime) {
        return record.timestamp() < 0 ? Math.max(0, partitionTime) : record.timestamp();
    }

    private static <V> Produced<byte[], V> sink(Topic<V> topic, String name) {
        return Produced.with(BYTES, topic.serde()).withName(name);
    }

    private static KStream<byte[], Step> way(Map<String, KStream<byte[], Step>> ways, String name) {
        return Objects.requireNonNull(ways.get(name), name);
    }

    private record ReadQuotes(Tally tally) implements FixedKeyProcessorSupplier<byte[], byte[], Step> {
        @Override
        public FixedKeyProcessor<byte[], byte[], Step> get() {
            return new ReadQuote(tally);
        }
    }

    private record Normalisers(Tally tally) implements FixedKeyProcessorSupplier<byte[], Step, Step> {
        @Override
        public FixedKeyProcessor<byte[], Step, Step> get() {
            return new Normalise(tally);
        }
    }

    private record NewestKeepers(Tally tally, InstantSource wall, LongSupplier steadyMs)
            implements ProcessorSupplier<byte[], Step, byte[], Update> {
        @Override
        public Processor<byte[], Step, byte[], Update> get() {
            return new KeepNewest(tally, new ArrivalClock(wall, steadyMs));
        }

        @Override
        public Set<StoreBuilder<?>> stores() {
            return Set.of(Stores.keyValueStoreBuilder(
                    Stores.persistentKeyValueStore(KeepNewest.STORE), BYTES, Kept.serde()));
        }
    }
}
