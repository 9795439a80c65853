package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.PublishedStatus;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.kafka.KafkaAccess;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Full copies of {@code rates.latest}, {@code venues.status} and {@code venues.quality} in memory, and a reader of
 * {@code carry.pairs}: two Kafka Streams clients of global stores alone, which join no group. The publisher alone reads it.
 */
final class Tables implements TableReader, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Tables.class);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    /** A partition is restored at a time; when tables are far behind, this much of all partitions is held in memory at most. */
    private static final int FETCH_BYTES = 4 << 20;

    /**
     * Records of a poll are in memory at once, unpacked. A table of one asset is up to 8 MB, those of the largest coins some 0.5 MB, and
     * while history comes in each stands on the topic many times: the default of 500 records was more than the heap.
     */
    private static final int PAIR_TABLES_OF_A_POLL = 8;

    @SuppressWarnings("deprecation") // it goes together with the default that it asks not to warn of
    private static final String GLOBAL_HANDLER_ENABLED =
            StreamsConfig.PROCESSING_EXCEPTION_HANDLER_GLOBAL_ENABLED_CONFIG;

    private final KafkaStreams rates;
    private final KafkaStreams pairs;
    private final DecodedRates decodedRates = new DecodedRates();
    private final SharedValues shared = new SharedValues();
    private final StreamsProgress progress;
    private volatile boolean pairsRestored;
    private final ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * Tables that do not follow anything yet.
     *
     * @param stateDirectory a directory of this process alone; nothing of value is kept in it
     * @param poison is told the topic of each record that cannot be read
     */
    Tables(KafkaAccess kafka, Path stateDirectory, Changes changes, Consumer<String> poison) {
        var clients = new TableClients();
        rates = client(
                TableTopology.rates(changes, decodedRates, poison),
                properties("observatory-gateway", kafka, stateDirectory),
                clients);
        Properties pairProperties = properties("observatory-gateway-pairs", kafka, stateDirectory);
        pairProperties.put(
                StreamsConfig.globalConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), PAIR_TABLES_OF_A_POLL);
        pairs = client(TableTopology.pairs(changes, poison), pairProperties, new TableClients());
        progress = new StreamsProgress(kafka, clients::positions);
    }

    private static KafkaStreams client(Topology topology, Properties properties, TableClients clients) {
        var client = new KafkaStreams(topology, properties, clients);
        client.setUncaughtExceptionHandler(failure -> {
            LOG.warn("tables failed and are opened anew cause={}", failure.toString());
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        return client;
    }

    /** Begins to follow rates and statuses; returns when the tables hold everything that was committed before. */
    void open() {
        rates.start();
    }

    /** Begins to follow the pair tables; returns when all that were committed before have been handed on. */
    void openPairs() {
        pairs.start();
        pairsRestored = true;
    }

    private static Properties properties(String applicationId, KafkaAccess kafka, Path stateDirectory) {
        var properties = new Properties();
        properties.putAll(kafka.client(Map.of()));
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
        properties.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
        properties.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        properties.put(
                StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, LogAndContinueExceptionHandler.class);
        // Without it each start warns of a default to come. What fails in a table's thread ends its client as before.
        properties.put(GLOBAL_HANDLER_ENABLED, true);
        // Streams writes with transactions; what is not committed must not be shown.
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
        properties.put(StreamsConfig.globalConsumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
        // Stores are restored one partition after another, each beginning with a question that waits behind the last
        // fetch: eight times before the first list.
        properties.put(StreamsConfig.globalConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 20);
        properties.put(StreamsConfig.globalConsumerPrefix(ConsumerConfig.FETCH_MAX_BYTES_CONFIG), FETCH_BYTES);
        // A broker that is away is tried again about once a second, so that the tables follow soon after its return.
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG), 1_000);
        return properties;
    }

    /** Whether this client has stopped for good and another has to be opened. */
    boolean failed() {
        return stopped(rates) || stopped(pairs);
    }

    private static boolean stopped(KafkaStreams client) {
        return switch (client.state()) {
            case ERROR, PENDING_ERROR, NOT_RUNNING, PENDING_SHUTDOWN -> true;
            case CREATED, REBALANCING, RUNNING -> false;
        };
    }

    @Override
    public List<EncodedRow> rowsOf(String venue) {
        var rows = new ArrayList<EncodedRow>();
        ReadOnlyKeyValueStore<String, byte[]> store = rates.store(
                StoreQueryParameters.fromNameAndType(TableTopology.LATEST, QueryableStoreTypes.keyValueStore()));
        try (KeyValueIterator<String, byte[]> entries = store.prefixScan(venue + '|', new StringSerializer())) {
            while (entries.hasNext()) {
                KeyValue<String, byte[]> entry = entries.next();
                Rate rate = decodedRates.take(entry.key, entry.value);
                rows.add(EncodedRow.stored(shared.in(rate), entry.value));
            }
        }
        return rows;
    }

    @Override
    public Map<String, PublishedStatus> statuses() {
        var statuses = new HashMap<String, PublishedStatus>();
        try (KeyValueIterator<String, ValueAndTimestamp<byte[]>> entries =
                store(TableTopology.STATUS).all()) {
            while (entries.hasNext()) {
                ValueAndTimestamp<byte[]> value = entries.next().value;
                VenueStatus status = decode(VenueStatus.CODEC, value.value());
                statuses.put(status.venue(), new PublishedStatus(status, value.timestamp()));
            }
        }
        return statuses;
    }

    @Override
    public Map<String, VenueQuality> qualities() {
        var qualities = new HashMap<String, VenueQuality>();
        try (KeyValueIterator<String, ValueAndTimestamp<byte[]>> entries =
                store(TableTopology.QUALITY).all()) {
            while (entries.hasNext()) {
                VenueQuality quality =
                        decode(VenueQuality.CODEC, entries.next().value.value());
                qualities.put(quality.venue(), quality);
            }
        }
        return qualities;
    }

    @Override
    public boolean pairsRestored() {
        return pairsRestored;
    }

    @Override
    public Future<?> quotesProcessed() {
        return asking.submit(() -> {
            progress.awaitRowsOfAllQuotes();
            return null;
        });
    }

    private ReadOnlyKeyValueStore<String, ValueAndTimestamp<byte[]>> store(String name) {
        return rates.store(StoreQueryParameters.fromNameAndType(name, QueryableStoreTypes.timestampedKeyValueStore()));
    }

    private static <V> V decode(JsonCodec<V> codec, byte[] bytes) {
        try {
            return codec.decode(bytes);
        } catch (MalformedRecord e) {
            throw new IllegalStateException("only readable values are kept", e);
        }
    }

    /** Stops following; an {@link #open} that still waits ends with an exception. */
    @Override
    public void close() {
        asking.shutdownNow();
        pairs.close(Duration.ZERO);
        rates.close(CLOSE_WITHIN);
        pairs.close(CLOSE_WITHIN);
    }
}
