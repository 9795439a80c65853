package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.json.MalformedRecord;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.internals.AbstractStoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A global store in memory that holds decoded values: the last delivered one of each key. A value that cannot be read is counted, and the
 * former one stays. It also stays while a client of Kafka Streams is replaced by another one, which reads the topic again. Kafka's own store
 * would hold bytes, decoded again for each snapshot, and its iterators miss keys next to a writer (4.3.1).
 *
 * @param <V> what a value is read as
 */
final class Table<V> implements StateStore {
    private final String name;
    private final Topic<?> topic;
    private final Reading<V> reading;
    private final Consumer<String> unreadable;
    private final ConcurrentNavigableMap<String, V> values = new ConcurrentSkipListMap<>();
    private final Set<String> changed = ConcurrentHashMap.newKeySet();

    interface Reading<V> {
        /** Reads a value that was published at an instant, epoch ms UTC; null when it is another key's. */
        @Nullable
        V of(String key, byte[] value, long publishedAtMs) throws MalformedRecord;
    }

    /** {@code unreadable} receives the topic of each record that cannot be read. */
    Table(String name, Topic<?> topic, Reading<V> reading, Consumer<String> unreadable) {
        this.name = name;
        this.topic = topic;
        this.reading = reading;
        this.unreadable = unreadable;
    }

    String topic() {
        return topic.name();
    }

    void addTo(Topology topology) {
        // Internal to Kafka 4.3.1. Of the eight methods of the public interface, one matters here.
        var builder = new AbstractStoreBuilder<String, V, Table<V>>(name, null, null, Time.SYSTEM) {
            @Override
            public Table<V> build() {
                return Table.this;
            }
        };
        topology.addGlobalStore(
                builder.withLoggingDisabled(),
                "read-" + name,
                new StringDeserializer(),
                new ByteArrayDeserializer(),
                topic.name(),
                "keep-" + name,
                () -> this::process);
    }

    void process(Record<String, byte[]> record) {
        // A broker delivers null keys and tombstones, whatever the types say.
        @Nullable String key = record.key();
        byte @Nullable [] value = record.value();
        @Nullable V read = key == null || value == null ? null : read(key, value, record.timestamp());
        if (key == null || (value != null && read == null)) {
            unreadable.accept(topic.name());
        } else {
            put(key, read);
        }
    }

    private @Nullable V read(String key, byte[] value, long publishedAtMs) {
        try {
            return reading.of(key, value, publishedAtMs);
        } catch (MalformedRecord | IllegalArgumentException e) {
            return null;
        }
    }

    /** A new value of a key; null where it has none any more. */
    void put(String key, @Nullable V value) {
        if (value == null) {
            values.remove(key);
        } else {
            values.put(key, value);
        }
        // Marked after the value is there, so that a thread that takes the mark reads the value.
        changed.add(key);
    }

    Map<String, V> values() {
        return Map.copyOf(values);
    }

    /** The values of keys with a prefix, which ends with a bar. */
    Collection<V> values(String prefix) {
        return values.subMap(prefix, prefix.substring(0, prefix.length() - 1) + (char) ('|' + 1))
                .values();
    }

    /** The keys whose values have changed since the last call. */
    Set<String> takeChanged() {
        Set<String> taken = Set.copyOf(changed);
        changed.removeAll(taken);
        return taken;
    }

    @Override
    public String name() {
        return name;
    }

    /** Kafka Streams gives the topic's records to {@link #process} during a restore too, never to a callback. */
    @Override
    public void init(StateStoreContext context, StateStore root) {
        context.register(root, (key, value) -> {});
    }

    @Override
    public void close() {}

    @Override
    public boolean persistent() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return true;
    }
}
