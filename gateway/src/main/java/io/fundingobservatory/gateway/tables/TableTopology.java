package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.TimestampedKeyValueStore;
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

    /** The topics that the first snapshot is made of. */
    static final List<String> RATE_TOPICS =
            List.of(Topics.RATES_LATEST.name(), Topics.VENUES_STATUS.name(), Topics.VENUES_QUALITY.name());

    private TableTopology() {}

    /** Rates and what is known of the exchanges: all that the first snapshot needs. */
    static Topology rates(Changes changes, Consumer<String> poison) {
        var topology = new Topology();
        // A store without times returns the very bytes that were put, and responses share them.
        addGlobalStore(
                topology,
                Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(LATEST), Serdes.String(), Serdes.ByteArray()),
                Topics.RATES_LATEST,
                () -> new LatestValueProcessor<>(
                        LATEST,
                        Topics.RATES_LATEST,
                        (key, rate) -> rate.key().toString().equals(key),
                        (value, timestamp) -> value,
                        new RowListener(changes),
                        changes,
                        poison));
        addByVenue(topology, STATUS, Topics.VENUES_STATUS, VenueStatus::venue, changes, poison);
        addByVenue(topology, QUALITY, Topics.VENUES_QUALITY, VenueQuality::venue, changes, poison);
        return topology;
    }

    /** The pair tables. */
    static Topology pairs(Changes changes, Consumer<String> poison) {
        var topology = new Topology();
        addGlobalStore(topology, withTime(PAIRS), Topics.CARRY_PAIRS, () -> new PairTableProcessor(changes, poison));
        return topology;
    }

    private static <V> void addByVenue(
            Topology topology,
            String name,
            Topic<V> topic,
            Function<V, String> venue,
            Changes changes,
            Consumer<String> poison) {
        addGlobalStore(
                topology,
                withTime(name),
                topic,
                () -> new LatestValueProcessor<>(
                        name,
                        topic,
                        (key, value) -> venue.apply(value).equals(key),
                        ValueAndTimestamp::make,
                        new StatusListener<V>(changes),
                        changes,
                        poison));
    }

    /** Reports rows by their venue. */
    private record RowListener(Changes changes) implements LatestValueProcessor.Listener<Rate, byte[]> {
        @Override
        public void kept(String key, Rate row, int partition) {
            changes.rowKept(partition, row);
        }

        @Override
        public void deleted(String key, byte @Nullable [] former) {
            int bar = key.indexOf('|');
            if (bar > 0) {
                changes.rowsOf(key.substring(0, bar));
            }
            if (former != null) {
                changes.rowDeleted(key, Tables.decode(Rate.CODEC, former).observedAtMs());
            }
        }
    }

    /** Reports what is known of exchanges, whichever it is of. */
    private record StatusListener<V>(Changes changes)
            implements LatestValueProcessor.Listener<V, ValueAndTimestamp<byte[]>> {
        @Override
        public void kept(String key, V value, int partition) {
            changes.statuses();
        }

        @Override
        public void deleted(String key, @Nullable ValueAndTimestamp<byte[]> former) {
            changes.statuses();
        }
    }

    private static StoreBuilder<TimestampedKeyValueStore<String, byte[]>> withTime(String name) {
        return Stores.timestampedKeyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.ByteArray());
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
