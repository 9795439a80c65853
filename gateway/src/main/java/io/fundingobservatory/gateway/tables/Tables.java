package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.topics.CarryTable;
import io.fundingobservatory.topics.JsonCodec;
import io.fundingobservatory.topics.KafkaAccess;
import io.fundingobservatory.topics.MalformedRecord;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.VenueQuality;
import io.fundingobservatory.topics.VenueStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Full copies of {@code rates.latest}, {@code venues.status} and {@code carry.pairs} in memory: a Kafka Streams client of global stores alone, which
 * joins no group. Only the publisher reads it.
 */
final class Tables implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Tables.class);
    private static final String LATEST = "latest-rates";
    private static final String STATUS = "venue-status";
    private static final String QUALITY = "venue-quality";
    private static final String CARRY = "carry-pairs";
    /** The topics that are followed; a role that may read these can run a gateway. */
    static final List<String> TOPICS = List.of(
            Topics.RATES_LATEST.name(),
            Topics.VENUES_STATUS.name(),
            Topics.VENUES_QUALITY.name(),
            Topics.CARRY_PAIRS.name());

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

    private final KafkaStreams streams;

    private final Consumer<String> poison;

    private Tables(KafkaStreams streams, Consumer<String> poison) {
        this.streams = streams;
        this.poison = poison;
    }

    /**
     * Opens the tables; returns when they hold everything that was committed before.
     *
     * @param stateDirectory a directory of this process alone; nothing of value is kept in it
     * @param poison is told the topic of each record that cannot be read
     */
    static Tables open(KafkaAccess kafka, Path stateDirectory, Changes changes, Consumer<String> poison) {
        var streams = new KafkaStreams(topology(changes, poison), properties(kafka, stateDirectory));
        streams.setUncaughtExceptionHandler(failure -> {
            LOG.warn("tables failed and are opened anew cause={}", failure.toString());
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        try {
            streams.start();
        } catch (RuntimeException e) {
            streams.close(CLOSE_WITHIN);
            throw e;
        }
        return new Tables(streams, poison);
    }

    static Topology topology(Changes changes, Consumer<String> poison) {
        var topology = new Topology();
        add(
                topology,
                LATEST,
                Topics.RATES_LATEST,
                poison,
                LatestValueProcessor.Check.read(
                        Topics.RATES_LATEST,
                        (key, rate) -> rate.key().toString().equals(key)),
                key -> {
                    int bar = key.indexOf('|');
                    if (bar > 0) {
                        changes.rowsOf(key.substring(0, bar));
                    }
                });
        add(
                topology,
                STATUS,
                Topics.VENUES_STATUS,
                poison,
                LatestValueProcessor.Check.read(
                        Topics.VENUES_STATUS, (key, status) -> status.venue().equals(key)),
                key -> changes.statuses());
        add(
                topology,
                QUALITY,
                Topics.VENUES_QUALITY,
                poison,
                LatestValueProcessor.Check.read(
                        Topics.VENUES_QUALITY, (key, quality) -> quality.venue().equals(key)),
                key -> changes.statuses());
        add(topology, CARRY, Topics.CARRY_PAIRS, poison, LatestValueProcessor.Check.unread(), changes::pairsOf);
        return topology;
    }

    private static void add(
            Topology topology,
            String name,
            Topic<?> topic,
            Consumer<String> poison,
            LatestValueProcessor.Check check,
            Consumer<String> changed) {
        var store = Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.ByteArray())
                .withLoggingDisabled();
        ProcessorSupplier<String, byte[], Void, Void> keep =
                () -> new LatestValueProcessor(name, topic, check, changed, poison);
        topology.addGlobalStore(
                store,
                "read-" + name,
                new StringDeserializer(),
                Serdes.ByteArray().deserializer(),
                topic.name(),
                "keep-" + name,
                keep);
    }

    private static Properties properties(KafkaAccess kafka, Path stateDirectory) {
        var properties = new Properties();
        properties.putAll(kafka.client(Map.of()));
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "observatory-gateway");
        properties.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
        properties.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        properties.put(
                StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, LogAndContinueExceptionHandler.class);
        // Streams writes with transactions; what is not committed must not be shown.
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
        properties.put(StreamsConfig.globalConsumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
        // Stores are restored one partition after another, each beginning with a question that waits behind the last
        // fetch.
        properties.put(StreamsConfig.globalConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 50);
        // A broker that is away is tried again about once a second, so that the tables follow soon after its return.
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG), 1_000);
        return properties;
    }

    /** Whether this client has stopped for good and another has to be opened. */
    boolean failed() {
        return switch (streams.state()) {
            case ERROR, PENDING_ERROR, NOT_RUNNING, PENDING_SHUTDOWN -> true;
            case CREATED, REBALANCING, RUNNING -> false;
        };
    }

    /** Every row of one venue, at any age. */
    List<Rate> rowsOf(String venue) {
        var rows = new ArrayList<Rate>();
        try (KeyValueIterator<String, byte[]> entries = store(LATEST).prefixScan(venue + '|', new StringSerializer())) {
            while (entries.hasNext()) {
                rows.add(decode(Rate.CODEC, entries.next().value));
            }
        }
        return rows;
    }

    Map<String, VenueStatus> statuses() {
        var statuses = new HashMap<String, VenueStatus>();
        try (KeyValueIterator<String, byte[]> entries = store(STATUS).all()) {
            while (entries.hasNext()) {
                VenueStatus status = decode(VenueStatus.CODEC, entries.next().value);
                statuses.put(status.venue(), status);
            }
        }
        return statuses;
    }

    /** How far estimates were from what was settled, by exchange; one of which nothing is known has none. */
    Map<String, VenueQuality> qualities() {
        var qualities = new HashMap<String, VenueQuality>();
        try (KeyValueIterator<String, byte[]> entries = store(QUALITY).all()) {
            while (entries.hasNext()) {
                VenueQuality quality = decode(VenueQuality.CODEC, entries.next().value);
                qualities.put(quality.venue(), quality);
            }
        }
        return qualities;
    }

    /** Every asset that has a pair table. */
    Set<String> assets() {
        var assets = new HashSet<String>();
        try (KeyValueIterator<String, byte[]> entries = store(CARRY).all()) {
            while (entries.hasNext()) {
                assets.add(entries.next().key);
            }
        }
        return assets;
    }

    /**
     * The pair table of one asset; null when it has none.
     *
     * @param before what it was; stands on when what is there now cannot be read
     */
    @Nullable
    CarryTable pairsOf(String asset, @Nullable CarryTable before) {
        byte[] value = store(CARRY).get(asset);
        if (value == null) {
            return null;
        }
        try {
            CarryTable table = CarryTable.CODEC.decode(value);
            if (table.asset().equals(asset)) {
                return table;
            }
        } catch (MalformedRecord e) {
            // as for a table of another asset
        }
        poison.accept(Topics.CARRY_PAIRS.name());
        return before;
    }

    private ReadOnlyKeyValueStore<String, byte[]> store(String name) {
        return streams.store(StoreQueryParameters.fromNameAndType(name, QueryableStoreTypes.keyValueStore()));
    }

    private static <V> V decode(JsonCodec<V> codec, byte[] bytes) {
        try {
            return codec.decode(bytes);
        } catch (MalformedRecord e) {
            throw new IllegalStateException("only readable values are kept", e);
        }
    }

    @Override
    public void close() {
        streams.close(CLOSE_WITHIN);
    }
}
