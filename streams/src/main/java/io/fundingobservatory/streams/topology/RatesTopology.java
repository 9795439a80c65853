package io.fundingobservatory.streams.topology;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
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
        KStream<byte[], Step> steps = quotes.processValues(new Processors.ReadQuotes(tally), Named.as(ReadQuote.NAME))
                .processValues(new Processors.Normalisers(tally), Named.as(Normalise.NAME));

        // 3. The refused leave, under their own key, with reason, stage and origin in their headers.
        Map<String, KStream<byte[], Step>> ways = steps.split(Named.as("are-"))
                .branch((key, step) -> step instanceof Step.Refused, Branched.as("refused"))
                .defaultBranch(Branched.as("normal"));
        way(ways, "are-refused")
                .mapValues(step -> ((Step.Refused) step).letter().value(), Named.as("own-bytes"))
                .to(Topics.DEAD_LETTERS.name(), Produced.with(BYTES, BYTES).withName("dead-letters"));

        // 4. The newest observation of each contract wins; time marks rows and removes them.
        KStream<byte[], Update> updates = way(ways, "are-normal")
                .process(new Processors.NewestKeepers(tally, wall, steadyMs), Named.as(KeepNewest.NAME));

        // 5. Each new observation is an event.
        KStream<byte[], Update> observed =
                updates.filter((key, update) -> update.observed() != null, Named.as("new-observations"));
        observed.mapValues(update -> Objects.requireNonNull(update.observed()), Named.as("observed-rate"))
                .to(Topics.RATES_NORMALISED.name(), sink(Topics.RATES_NORMALISED, "rates-normalised"));

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
                .processValues(new Processors.ReadSettlements(tally), Named.as(ReadSettlement.NAME))
                .split(Named.as("settlements-are-"))
                .branch((key, settlement) -> settlement instanceof Heard.Refused, Branched.as("refused"))
                .defaultBranch(Branched.as("published"));
        way(heard, "settlements-are-refused")
                .mapValues(
                        settlement -> ((Heard.Refused) settlement).letter().value(), Named.as("settlement-own-bytes"))
                .to(Topics.DEAD_LETTERS.name(), Produced.with(BYTES, BYTES).withName("settlement-dead-letters"));

        // 8. With the new observations of the same contracts they become one payment for each instant.
        KStream<byte[], Finding> findings = observed.mapValues(
                        update -> (Heard) new Heard.Observed(
                                Objects.requireNonNull(update.base()), Objects.requireNonNull(update.observed())),
                        Named.as("readings"))
                .merge(way(heard, "settlements-are-published"), Named.as("all-heard"))
                .process(new Processors.Settlers(tally), Named.as(Settle.NAME));

        KStream<byte[], Note> notes = findings.filter((key, finding) -> finding instanceof Note, Named.as("notes"))
                .mapValues(finding -> (Note) finding, Named.as("note"));

        // 9. Each payment is an event.
        notes.filter((key, note) -> note instanceof Note.Paid, Named.as("new-payments"))
                .mapValues(note -> ((Note.Paid) note).settlement(), Named.as("settlement"))
                .to(Topics.SETTLEMENTS.name(), sink(Topics.SETTLEMENTS, "settlements"));

        // 10. What is known of an asset's contracts meets under the asset, and becomes its table of pairs.
        notes.selectKey((key, note) -> note.assetKey(), Named.as("asset-key"))
                .repartition(Repartitioned.with(BYTES, NoteFormat.serde())
                        .withName("carry-by-asset")
                        .withNumberOfPartitions(Topics.CARRY_PAIRS.partitions()))
                .process(new Processors.Pairers(tally, wall, steadyMs), Named.as(PairUp.NAME))
                .to(Topics.CARRY_PAIRS.name(), Produced.with(BYTES, BYTES).withName("carry-pairs"));

        // 11. How far readings were from what was settled meets under the exchange, and becomes its published quality.
        findings.filter((key, finding) -> finding instanceof EstimateError, Named.as("compared"))
                .mapValues(finding -> (EstimateError) finding, Named.as("estimate-error"))
                .selectKey((key, error) -> error.venueKey(), Named.as("venue-key"))
                .repartition(Repartitioned.with(BYTES, EstimateError.serde())
                        .withName("quality-by-venue")
                        .withNumberOfPartitions(Topics.VENUES_QUALITY.partitions()))
                .process(new Processors.Measurers(wall, steadyMs), Named.as(MeasureQuality.NAME))
                .to(Topics.VENUES_QUALITY.name(), sink(Topics.VENUES_QUALITY, "venues-quality"));

        return builder.build();
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
}
