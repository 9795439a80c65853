package io.fundingobservatory.gateway.tables;

import static java.util.Objects.requireNonNull;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.json.MalformedRecord;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last delivered value of each key. A value that cannot be read is counted, and the former one
 * stays.
 *
 * @param <V> what a value is read as
 * @param <S> what the store holds
 */
final class LatestValueProcessor<V, S> implements Processor<String, byte[], Void, Void> {
    /** Receives the new value of a key, once the store has it. */
    interface Listener<V, S> {
        /** The store holds a new value of a key, read from a partition of its topic. */
        void kept(String key, V value, int partition);

        /**
         * The store holds no value of a key any more.
         *
         * @param former what it held; null when it held nothing
         */
        void deleted(String key, @Nullable S former);
    }

    private static final int UNKNOWN_PARTITION = -1;

    private final String storeName;
    private final Topic<V> topic;
    private final BiPredicate<String, V> belongs;
    private final BiFunction<byte[], Long, S> stored;
    private final Listener<V, S> listener;
    private final Changes changes;
    private final Consumer<String> poison;
    private @Nullable KeyValueStore<String, S> store;
    private @Nullable ProcessorContext<Void, Void> context;

    /**
     * A processor for one store.
     *
     * @param belongs whether a value is the one that its key names
     * @param stored derives what the store holds from a value and the time of its record
     * @param listener receives each key whose value changed, after the store holds it
     * @param changes applies each record
     * @param poison receives the topic of each record that cannot be read
     */
    LatestValueProcessor(
            String storeName,
            Topic<V> topic,
            BiPredicate<String, V> belongs,
            BiFunction<byte[], Long, S> stored,
            Listener<V, S> listener,
            Changes changes,
            Consumer<String> poison) {
        this.storeName = storeName;
        this.topic = topic;
        this.belongs = belongs;
        this.stored = stored;
        this.listener = listener;
        this.changes = changes;
        this.poison = poison;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        store = context.getStateStore(storeName);
        this.context = context;
    }

    @Override
    public void process(Record<String, byte[]> record) {
        changes.apply(() -> keep(record));
    }

    private void keep(Record<String, byte[]> record) {
        KeyValueStore<String, S> table = requireNonNull(store);
        // A broker delivers null keys and tombstones, whatever the types say.
        @Nullable String key = record.key();
        byte @Nullable [] value = record.value();
        if (key == null) {
            poison.accept(topic.name());
        } else if (value == null) {
            listener.deleted(key, table.delete(key));
        } else {
            V decoded = read(key, value);
            if (decoded == null) {
                poison.accept(topic.name());
            } else {
                table.put(key, stored.apply(value, record.timestamp()));
                listener.kept(key, decoded, partition());
            }
        }
    }

    private int partition() {
        return requireNonNull(context)
                .recordMetadata()
                .map(RecordMetadata::partition)
                .orElse(UNKNOWN_PARTITION);
    }

    /** What a value is read as; null when it cannot be read or is another key's. */
    private @Nullable V read(String key, byte[] value) {
        try {
            V decoded = topic.codec().decode(value);
            return belongs.test(key, decoded) ? decoded : null;
        } catch (MalformedRecord | IllegalArgumentException e) {
            // The second one: a venue or symbol that cannot be a key.
            return null;
        }
    }
}
