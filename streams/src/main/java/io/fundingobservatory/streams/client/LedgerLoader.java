package io.fundingobservatory.streams.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.core.Plausibility;
import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.streams.formats.ContractState.Restored;
import io.fundingobservatory.streams.formats.RecordProcessor;
import io.fundingobservatory.streams.settlements.LedgerSettlement;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Settlement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings back what lost stores held, before an application starts, from the topic {@code settlements}. Only that
 * topic has the estimates and accruals that no venue publishes, and the listing numbers of symbols.
 */
public final class LedgerLoader {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerLoader.class);
    private static final String STAGE = "ledger-restore";
    private static final String IMPLAUSIBLE = "implausible";

    private final KafkaAccess kafka;
    private final StreamsMetrics metrics;
    private final BooleanSupplier givenUp;

    /** {@code givenUp} returns whether nobody waits for the result any more. */
    public LedgerLoader(KafkaAccess kafka, StreamsMetrics metrics, BooleanSupplier givenUp) {
        this.kafka = kafka;
        this.metrics = metrics;
        this.givenUp = givenUp;
    }

    /** The newest listing of each contract that has settlements. Records of other writers are counted and skipped. */
    public Map<ContractKey, Restored> listings() {
        var listings = new HashMap<ContractKey, Restored>();
        TopicReading.all(kafka, Topics.SETTLEMENTS, givenUp, record -> read(record, listings));
        return listings;
    }

    void read(ConsumerRecord<byte[], byte @Nullable []> record, Map<ContractKey, Restored> listings) {
        Settlement settlement = settlement(record);
        if (settlement == null) {
            metrics.rejected(STAGE, RecordProcessor.UNREADABLE);
        } else if (!couldBeOurs(settlement)) {
            metrics.rejected(STAGE, IMPLAUSIBLE);
        } else {
            listings.merge(settlement.key(), after(null, settlement), (before, one) -> after(before, settlement));
        }
    }

    /** The assets that have a published pair table. */
    public Set<String> publishedTables() {
        var assets = new HashSet<String>();
        TopicReading.all(kafka, Topics.CARRY_PAIRS, givenUp, record -> {
            String asset = new String(record.key(), UTF_8);
            if (record.value() == null) {
                assets.remove(asset);
            } else {
                assets.add(asset);
            }
        });
        return assets;
    }

    /**
     * Sends the published settlements to {@code contract.events}, for {@code pairs} to store and not to publish
     * again. Events that {@code pairs} has not processed yet follow them once more, since the ones before would
     * meet an empty ledger. In the same transaction the group's offsets move to the first of what is sent.
     *
     * @param listings as {@link #listings} returned them
     * @return how many settlements were sent
     */
    public long load(Map<ContractKey, Restored> listings) {
        long[] sent = {0, 0};
        try (var waiting = new TopicReading(kafka, Topics.CONTRACT_EVENTS, givenUp);
                var producer = producer()) {
            Map<TopicPartition, Long> ends = waiting.ends();
            producer.initTransactions();
            producer.beginTransaction();
            TopicReading.all(kafka, Topics.SETTLEMENTS, givenUp, record -> {
                Settlement settlement = settlement(record);
                Restored listing = settlement == null ? null : listings.get(settlement.key());
                if (settlement != null
                        && listing != null
                        && couldBeOurs(settlement)
                        && settlement.listingEpoch() == listing.listingEpoch()
                        && settlement.settledMs() > listing.sinceMs()) {
                    send(producer, record(settlement, listing.asset()));
                    sent[0]++;
                }
            });
            waiting.each(waiting.processed(), ends, record -> {
                if (isToBeRepeated(record)) {
                    send(
                            producer,
                            new ProducerRecord<>(
                                    record.topic(), null, null, record.key(), record.value(), record.headers()));
                    sent[1]++;
                }
            });
            if (givenUp.getAsBoolean()) {
                return 0; // closing the producer aborts its transaction
            }
            var begin = new HashMap<TopicPartition, OffsetAndMetadata>();
            ends.forEach((partition, end) -> begin.put(partition, new OffsetAndMetadata(end)));
            producer.sendOffsetsToTransaction(begin, waiting.group());
            producer.commitTransaction();
        }
        LOG.info("ledger is loaded settlements={} repeated_events={}", sent[0], sent[1]);
        return sent[0];
    }

    /** Listings are reported again by {@code rates} at its start, and published settlements are loaded again. */
    private static boolean isToBeRepeated(ConsumerRecord<byte[], byte @Nullable []> record) {
        byte[] value = record.value();
        try {
            ContractEvent event = value == null ? null : ContractEvent.CODEC.decode(value);
            return event == null || (event.kind() != ContractEvent.Kind.LISTED && !event.published());
        } catch (MalformedRecord e) {
            return true; // its way to the dead letters
        }
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                kafka.client(Map.of(
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        Topics.PAIRS_GROUP + "-ledger-loader",
                        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                        (int) Duration.ofMinutes(15).toMillis(),
                        ProducerConfig.COMPRESSION_TYPE_CONFIG,
                        "zstd",
                        ProducerConfig.LINGER_MS_CONFIG,
                        20)),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the commit fails where a send has failed
    private static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        producer.send(record);
    }

    private ProducerRecord<byte[], byte[]> record(Settlement settlement, String asset) {
        ContractEvent event = ContractEvent.settlement(
                settlement.key(),
                asset,
                settlement.listingEpoch(),
                settlement.settledMs(),
                settlement.settledRawMs(),
                settlement.fundingRate(),
                settlement.basis(),
                settlement.fundingIntervalH(),
                true,
                settlement.observedAtMs());
        return new ProducerRecord<>(
                Topics.CONTRACT_EVENTS.name(),
                null,
                null,
                event.recordKey().getBytes(UTF_8),
                ContractEvent.CODEC.encode(event),
                List.of(Topics.CONTRACT_EVENTS.schemaHeader()));
    }

    /** Null unless it is a settlement under its own key. */
    private static @Nullable Settlement settlement(ConsumerRecord<byte[], byte @Nullable []> record) {
        byte[] value = record.value();
        if (value == null) {
            return null;
        }
        try {
            Settlement settlement = Settlement.CODEC.decode(value);
            return settlement.key().toString().equals(new String(record.key(), UTF_8)) ? settlement : null;
        } catch (MalformedRecord e) {
            return null;
        }
    }

    private static boolean couldBeOurs(Settlement settlement) {
        return Plausibility.flaw(settlement) == null
                // A settlement of another year would make every other one of the ledger old.
                && settlement.settledMs() <= settlement.observedAtMs() + Window.DAY_MS
                && settlement.settledMs() == LedgerSettlement.onTheMinute(settlement.settledRawMs())
                && settlement.listingEpoch() >= 0
                && settlement.listingEpoch() < Integer.MAX_VALUE;
    }

    private static Restored after(@Nullable Restored before, Settlement s) {
        if (before == null) {
            return new Restored(s.listingEpoch(), s.asset(), Long.MIN_VALUE, s.settledMs());
        }
        if (s.listingEpoch() > before.listingEpoch()) {
            return new Restored(s.listingEpoch(), s.asset(), before.newestMs(), s.settledMs());
        }
        return s.listingEpoch() == before.listingEpoch()
                ? new Restored(
                        before.listingEpoch(), s.asset(), before.sinceMs(), Math.max(before.newestMs(), s.settledMs()))
                : new Restored(
                        before.listingEpoch(),
                        before.asset(),
                        Math.max(before.sinceMs(), s.settledMs()),
                        before.newestMs());
    }
}
