package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.json.MalformedRecord;
import java.util.function.BiFunction;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last delivered value of each key, and reports it. A value that cannot be read is counted, and the former one stays.
 *
 * @param <V> what a value is read as
 * @param <S> what the store holds
 */
final class LatestValueProcessor<V, S> extends ContextualProcessor<String, byte[], Void, Void> {
    interface Table<V> {
        /** Reads a value; null when it is another key's. */
        @Nullable
        V read(String key, byte[] value) throws MalformedRecord;

        /** The store holds a new value of a key. */
        void kept(String key, V value);

        /** The store holds no value of a key any more. */
        void deleted(String key);
    }

    private final String storeName;
    private final Topic<?> topic;
    private final Table<V> values;
    private final BiFunction<byte[], Long, S> stored;
    private final Changes changes;

    /** {@code stored} derives what the store holds from a value and the time of its record. */
    LatestValueProcessor(
            String storeName, Topic<?> topic, Table<V> values, BiFunction<byte[], Long, S> stored, Changes changes) {
        this.storeName = storeName;
        this.topic = topic;
        this.values = values;
        this.stored = stored;
        this.changes = changes;
    }

    @Override
    public void process(Record<String, byte[]> record) {
        KeyValueStore<String, S> store = context().getStateStore(storeName);
        // A broker delivers null keys and tombstones, whatever the types say.
        @Nullable String key = record.key();
        byte @Nullable [] value = record.value();
        if (key == null) {
            changes.unreadable(topic.name());
        } else if (value == null) {
            changes.apply(() -> {
                store.delete(key);
                values.deleted(key);
            });
        } else {
            V decoded = read(key, value);
            if (decoded == null) {
                changes.unreadable(topic.name());
            } else {
                changes.apply(() -> {
                    store.put(key, stored.apply(value, record.timestamp()));
                    values.kept(key, decoded);
                });
            }
        }
    }

    private @Nullable V read(String key, byte[] value) {
        try {
            return values.read(key, value);
        } catch (MalformedRecord | IllegalArgumentException e) {
            return null;
        }
    }
}
