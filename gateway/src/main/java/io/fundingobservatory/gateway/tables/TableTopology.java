package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.Stores;

/**
 * The global stores and what fills them: {@code rates.latest}, {@code venues.status} and {@code venues.quality} in one topology,
 * {@code carry.pairs} in another, for a topology can be read only when all of its stores are restored.
 */
final class TableTopology {
    static final String LATEST = "latest-rates";
    static final String STATUS = "venue-status";
    static final String QUALITY = "venue-quality";
    static final String PAIRS = "carry-pairs";

    /** The topics that are followed; a role that may read these can run a gateway. */
    static final List<String> TOPICS = List.of(
            Topics.RATES_LATEST.name(),
            Topics.VENUES_STATUS.name(),
            Topics.VENUES_QUALITY.name(),
            Topics.CARRY_PAIRS.name());

    private TableTopology() {}

    /** Rates and what is known of the exchanges: all that the first list needs. */
    static Topology rates(Changes changes, Consumer<String> poison) {
        var topology = new Topology();
        add(
                topology,
                LATEST,
                Topics.RATES_LATEST,
                (key, rate) -> rate.key().toString().equals(key),
                key -> {
                    int bar = key.indexOf('|');
                    if (bar > 0) {
                        changes.rowsOf(key.substring(0, bar));
                    }
                },
                poison);
        add(
                topology,
                STATUS,
                Topics.VENUES_STATUS,
                (key, status) -> status.venue().equals(key),
                key -> changes.statuses(),
                poison);
        add(
                topology,
                QUALITY,
                Topics.VENUES_QUALITY,
                (key, quality) -> quality.venue().equals(key),
                key -> changes.statuses(),
                poison);
        return topology;
    }

    /** The pair tables. */
    static Topology pairs(Changes changes, Consumer<String> poison) {
        var topology = new Topology();
        addGlobalStore(topology, PAIRS, Topics.CARRY_PAIRS, () -> new PairTableProcessor(changes, poison));
        return topology;
    }

    private static <V> void add(
            Topology topology,
            String name,
            Topic<V> topic,
            BiPredicate<String, V> belongs,
            Consumer<String> changed,
            Consumer<String> poison) {
        addGlobalStore(topology, name, topic, () -> new LatestValueProcessor<>(name, topic, belongs, changed, poison));
    }

    private static void addGlobalStore(
            Topology topology, String name, Topic<?> topic, ProcessorSupplier<String, byte[], Void, Void> processor) {
        var store = Stores.timestampedKeyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.ByteArray())
                .withLoggingDisabled();
        topology.addGlobalStore(
                store,
                "read-" + name,
                new StringDeserializer(),
                Serdes.ByteArray().deserializer(),
                topic.name(),
                "keep-" + name,
                processor);
    }
}
