package io.fundingobservatory.streams.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.streams.formats.ContractState.Restored;
import io.fundingobservatory.streams.pairs.PairsTopology;
import io.fundingobservatory.streams.pairs.PublishedLedger;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Settlement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings back what lost stores held, before an application starts, from the topic {@code settlements}. Only that
 * topic has the estimates and accruals that no venue publishes, and the listing numbers of symbols. Kafka Streams
 * restores the stores from the changelogs that are written here.
 */
public final class LedgerLoader {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerLoader.class);

    /**
     * A partition is read so many times, each time for some of its contracts. A million settlements at once take a
     * large part of the heap.
     */
    private static final int SLICES = 4;

    private static final long SEND_BUFFER_BYTES = 4L << 20;

    private final KafkaAccess kafka;
    private final Admin admin;
    private final StreamsMetrics metrics;
    private final TopicReading topics;

    /** {@code givenUp} returns whether nobody waits for the result any more. */
    LedgerLoader(KafkaAccess kafka, Admin admin, StreamsMetrics metrics, BooleanSupplier givenUp) {
        this.kafka = kafka;
        this.admin = admin;
        this.metrics = metrics;
        this.topics = new TopicReading(kafka, admin, givenUp);
    }

    /** The newest listing of each contract that has published settlements. */
    public Map<ContractKey, Restored> listings() throws InterruptedException, ExecutionException {
        var listings = new PublishedListings(metrics);
        topics.all(Topics.SETTLEMENTS, listings::read);
        return listings.byContract();
    }

    /** The assets that have a published pair table. */
    public Set<String> publishedTables() throws InterruptedException, ExecutionException {
        var assets = new HashSet<String>();
        topics.all(Topics.CARRY_PAIRS, record -> {
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
     * Writes the published settlements into the changelogs of {@code pairs}. Its events stay as they are: what it had
     * not processed meets a ledger that knows what is published. Of two processes that do so at once, one is fenced.
     *
     * @param listings as {@link #listings} returned them
     * @param config the configuration of {@code pairs}
     * @return how many settlements were written
     */
    public long load(Map<ContractKey, Restored> listings, Properties config)
            throws InterruptedException, ExecutionException {
        createChangelogs(config);
        long newestMs =
                listings.values().stream().mapToLong(Restored::newestMs).max().orElse(0);
        var ledger = new PublishedLedger(newestMs);
        long[] written = {0};
        try (var producer = producer()) {
            PublishedLedger.Changelogs changelogs = (store, partition, key, value) -> send(
                    producer, new ProducerRecord<>(PairsTopology.APPLICATION.changelog(store), partition, key, value));
            producer.initTransactions();
            for (int partition = 0; partition < Topics.SETTLEMENTS.partitions(); partition++) {
                for (int slice = 0; slice < SLICES; slice++) {
                    written[0] += gather(partition, slice, listings, ledger);
                    producer.beginTransaction();
                    ledger.putDays(changelogs);
                    producer.commitTransaction();
                }
            }
            producer.beginTransaction();
            ledger.putErrors(changelogs);
            producer.commitTransaction();
        }
        LOG.info("ledger is loaded settlements={}", written[0]);
        return written[0];
    }

    /** Adds the settlements of some contracts; returns how many. */
    private long gather(int partition, int slice, Map<ContractKey, Restored> listings, PublishedLedger ledger)
            throws InterruptedException, ExecutionException {
        long[] count = {0};
        topics.read(Topics.SETTLEMENTS, List.of(new TopicPartition(Topics.SETTLEMENTS.name(), partition)), record -> {
            if (Math.floorMod(Arrays.hashCode(record.key()), SLICES) != slice) {
                return;
            }
            Settlement settlement = PublishedListings.ofNewest(record, listings);
            Restored listing = settlement == null ? null : listings.get(settlement.key());
            if (settlement != null && listing != null) {
                ledger.add(settlement, listing.asset());
                count[0]++;
            }
        });
        return count[0];
    }

    /**
     * Creates the two changelogs as Kafka Streams would. It creates the others when it starts. A start that finds those
     * missing loads again.
     */
    private void createChangelogs(Properties config) throws InterruptedException, ExecutionException {
        var settings = new HashMap<String, String>();
        new StreamsConfig(config)
                .originalsWithPrefix(StreamsConfig.TOPIC_PREFIX)
                .forEach((name, value) -> settings.put(name, value.toString()));
        settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
        settings.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime");
        var wanted = PublishedLedger.PARTITIONS.entrySet().stream()
                .map(store -> new NewTopic(
                                PairsTopology.APPLICATION.changelog(store.getKey()),
                                store.getValue(),
                                kafka.replicationFactor())
                        .configs(settings))
                .toList();
        for (KafkaFuture<Void> creation : admin.createTopics(wanted).values().values()) {
            try {
                creation.get();
            } catch (ExecutionException e) {
                // Of a load that was cut off.
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw e;
                }
            }
        }
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                kafka.client(Map.of(
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        Topics.PAIRS_GROUP + "-ledger-loader",
                        ProducerConfig.BUFFER_MEMORY_CONFIG,
                        SEND_BUFFER_BYTES,
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
}
