package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.gateway.core.pairs.AssetPairs;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * The global stores and the processors that fill them. One topology has {@code rates.latest}, {@code
 * venues.status} and {@code venues.quality}, another {@code carry.pairs}. They are separate because a
 * topology can be read only when all of its stores are restored.
 */
final class TableTopology {
    static final String LATEST = "latest-rates";
    static final String STATUS = "venue-status";
    static final String QUALITY = "venue-quality";
    static final String PAIRS = "carry-pairs";

    static final List<String> RATE_TOPICS =
            List.of(Topics.RATES_LATEST.name(), Topics.VENUES_STATUS.name(), Topics.VENUES_QUALITY.name());

    private static final byte[] NOTHING = {};

    private TableTopology() {}

    /** Rates and what is known of the exchanges: all that the first snapshot needs. */
    static Topology rates(Changes changes) {
        var topology = new Topology();
        // A store without times returns the very bytes that were put, and responses share them.
        addGlobalStore(
                topology,
                plain(LATEST),
                Topics.RATES_LATEST,
                () -> new LatestValueProcessor<>(
                        LATEST, Topics.RATES_LATEST, new Rates(changes), (value, timestamp) -> value, changes));
        addByVenue(topology, STATUS, Topics.VENUES_STATUS, VenueStatus::venue, changes);
        addByVenue(topology, QUALITY, Topics.VENUES_QUALITY, VenueQuality::venue, changes);
        return topology;
    }

    /**
     * The pair tables. They go to the publisher; the store holds the assets alone. The tables of 220,000 pairs are 37 MB as JSON, and half
     * of that in the form that is handed on.
     */
    static Topology pairs(Changes changes) {
        var topology = new Topology();
        addGlobalStore(
                topology,
                plain(PAIRS),
                Topics.CARRY_PAIRS,
                () -> new LatestValueProcessor<>(
                        PAIRS, Topics.CARRY_PAIRS, new Pairs(changes), (value, timestamp) -> NOTHING, changes));
        return topology;
    }

    private static <V> void addByVenue(
            Topology topology, String name, Topic<V> topic, Function<V, String> venue, Changes changes) {
        addGlobalStore(
                topology,
                Stores.timestampedKeyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.ByteArray()),
                topic,
                () -> new LatestValueProcessor<>(
                        name, topic, new ByVenue<>(topic, venue, changes), ValueAndTimestamp::make, changes));
    }

    private record Rates(Changes changes) implements LatestValueProcessor.Table<Rate> {
        @Override
        public @Nullable Rate read(String key, byte[] value) throws MalformedRecord {
            Rate row = Rate.CODEC.decode(value);
            return row.key().toString().equals(key) ? row : null;
        }

        @Override
        public void kept(String key, Rate row) {
            changes.rowsOf(row.venue());
        }

        @Override
        public void deleted(String key) {
            int bar = key.indexOf('|');
            if (bar > 0) {
                changes.rowsOf(key.substring(0, bar));
            }
        }
    }

    private record ByVenue<V>(Topic<V> topic, Function<V, String> venue, Changes changes)
            implements LatestValueProcessor.Table<V> {
        @Override
        public @Nullable V read(String key, byte[] value) throws MalformedRecord {
            V read = topic.codec().decode(value);
            return venue.apply(read).equals(key) ? read : null;
        }

        @Override
        public void kept(String key, V value) {
            changes.statuses();
        }

        @Override
        public void deleted(String key) {
            changes.statuses();
        }
    }

    private record Pairs(Changes changes) implements LatestValueProcessor.Table<AssetPairs> {
        @Override
        public @Nullable AssetPairs read(String asset, byte[] value) throws MalformedRecord {
            CarryTable table = CarryTable.CODEC.decode(value);
            return table.asset().equals(asset) ? AssetPairs.of(table) : null;
        }

        @Override
        public void kept(String asset, AssetPairs table) {
            changes.pairsOf(asset, table);
        }

        @Override
        public void deleted(String asset) {
            changes.pairsOf(asset, null);
        }
    }

    private static StoreBuilder<KeyValueStore<String, byte[]>> plain(String name) {
        return Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.ByteArray());
    }

    private static void addGlobalStore(
            Topology topology,
            StoreBuilder<?> store,
            Topic<?> topic,
            ProcessorSupplier<String, byte[], Void, Void> processor) {
        topology.addGlobalStore(
                store.withLoggingDisabled(),
                "read-" + store.name(),
                new StringDeserializer(),
                Serdes.ByteArray().deserializer(),
                topic.name(),
                "keep-" + store.name(),
                processor);
    }
}
