package io.fundingobservatory.streams.topology;

import io.fundingobservatory.topics.Rate;
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
import org.apache.kafka.streams.kstream.Repartitioned;
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
        KStream<byte[], Rate> observed = updates.filter(
                        (key, update) -> update.observed() != null, Named.as("new-observations"))
                .mapValues(update -> Objects.requireNonNull(update.observed()), Named.as("observed-rate"));
        observed.to(Topics.RATES_NORMALISED.name(), sink(Topics.RATES_NORMALISED, "rates-normalised"));

        // 6. Each change of a row, its ageing and its removal included, is the latest.
        updates.mapValues(Update::latest, Named.as("latest-row"))
                .to(Topics.RATES_LATEST.name(), sink(Topics.RATES_LATEST, "rates-latest"));

        // 7. What the exchanges published as settled, as bytes; what cannot be read or told as a fraction leaves as in
        // 3.
        Map<String, KStream<byte[], Heard>> heard = builder.stream(
                        Topics.SETTLEMENTS_RAW.name(),
                        Consumed.with(BYTES, BYTES)
                                .withName("settlements-raw")
                                .withTimestampExtractor(RatesTopology::arrival))
                .processValues(new ReadSettlements(tally), Named.as(ReadSettlement.NAME))
                .split(Named.as("settlements-are-"))
                .branch((key, settlement) -> settlement instanceof Heard.Refused, Branched.as("refused"))
                .defaultBranch(Branched.as("published"));
        way(heard, "settlements-are-refused")
                .mapValues(
                        settlement -> ((Heard.Refused) settlement).letter().value(), Named.as("settlement-own-bytes"))
                .to(Topics.DEAD_LETTERS.name(), Produced.with(BYTES, BYTES).withName("settlement-dead-letters"));

        // 8. With the new observations of the same contracts they become one payment for each instant.
        KStream<byte[], Note> notes = observed.mapValues(rate -> (Heard) new Heard.Observed(rate), Named.as("readings"))
                .merge(way(heard, "settlements-are-published"), Named.as("all-heard"))
                .process(new Settlers(tally), Named.as(Settle.NAME));

        // 9. Each payment is an event.
        notes.filter((key, note) -> note instanceof Note.Paid, Named.as("new-payments"))
                .mapValues(note -> ((Note.Paid) note).settlement(), Named.as("settlement"))
                .to(Topics.SETTLEMENTS.name(), sink(Topics.SETTLEMENTS, "settlements"));

        // 10. What is known of an asset's contracts meets under the asset, and becomes its table of pairs.
        notes.selectKey((key, note) -> note.assetKey(), Named.as("asset-key"))
                .repartition(Repartitioned.with(BYTES, NoteFormat.serde())
                        .withName("carry-by-asset")
                        .withNumberOfPartitions(Topics.CARRY_PAIRS.partitions()))
                .process(pairers(tally, wall, steadyMs), Named.as(PairUp.NAME))
                .to(Topics.CARRY_PAIRS.name(), Produced.with(BYTES, BYTES).withName("carry-pairs"));

        return builder.build();
    }

    static ProcessorSupplier<byte[], Note, byte[], byte[]> pairers(
            Tally tally, InstantSource wall, LongSupplier steadyMs) {
        return new Pairers(tally, wall, steadyMs);
    }

    private static long arrival(ConsumerRecord<Object, Object> record, long partitionTime) {
        return record.timestamp() < 0 ? Math.max(0, partitionTime) : record.timestamp();
    }

    private static <V> Produced<byte[], V> sink(Topic<V> topic, String name) {
        return Produced.with(BYTES, topic.serde()).withName(name);
    }

    private static <V> KStream<byte[], V> way(Map<String, KStream<byte[], V>> ways, String name) {
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
            return Set.of(
                    Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(KeepNewest.STORE), BYTES, Kept.serde()));
        }
    }

    private record ReadSettlements(Tally tally) implements FixedKeyProcessorSupplier<byte[], byte[], Heard> {
        @Override
        public FixedKeyProcessor<byte[], byte[], Heard> get() {
            return new ReadSettlement(tally);
        }
    }

    private record Settlers(Tally tally) implements ProcessorSupplier<byte[], Heard, byte[], Note> {
        @Override
        public Processor<byte[], Heard, byte[], Note> get() {
            return new Settle(tally);
        }

        @Override
        public Set<StoreBuilder<?>> stores() {
            return Set.of(
                    Stores.keyValueStoreBuilder(
                            Stores.persistentKeyValueStore(Settle.LISTINGS), BYTES, ListingFormat.serde()),
                    byDay(Settle.PAYMENTS));
        }
    }

    private record Pairers(Tally tally, InstantSource wall, LongSupplier steadyMs)
            implements ProcessorSupplier<byte[], Note, byte[], byte[]> {
        @Override
        public Processor<byte[], Note, byte[], byte[]> get() {
            return new PairUp(tally, new ArrivalClock(wall, steadyMs), steadyMs);
        }

        @Override
        public Set<StoreBuilder<?>> stores() {
            return Set.of(
                    Stores.keyValueStoreBuilder(
                            Stores.persistentKeyValueStore(PairUp.CONTRACTS), BYTES, NoteFormat.listedSerde()),
                    Stores.keyValueStoreBuilder(
                            Stores.persistentKeyValueStore(PairUp.TABLES), BYTES, TableMark.serde()),
                    byDay(PairUp.PAYMENTS));
        }
    }

    /** Days of payments; whole segments of days fall off the end, nothing is deleted one by one. */
    private static StoreBuilder<?> byDay(String name) {
        return Stores.windowStoreBuilder(
                Stores.persistentWindowStore(name, Settle.KEPT, Settle.DAY, false), BYTES, BYTES);
    }
}
