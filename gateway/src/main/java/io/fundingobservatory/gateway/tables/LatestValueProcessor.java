package io.fundingobservatory.gateway.tables;

import static java.util.Objects.requireNonNull;

import io.fundingobservatory.topics.MalformedRecord;
import io.fundingobservatory.topics.Topic;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Keeps the newest value of each key. One that cannot be read is counted and leaves the older one standing. */
final class LatestValueProcessor implements Processor<String, byte[], Void, Void> {
    private final String storeName;
    private final Topic<?> topic;
    private final Check check;
    private final Consumer<String> changed;
    private final Consumer<String> poison;
    private @Nullable KeyValueStore<String, byte[]> store;

    /** Whether a value may stand under its key. */
    interface Check {
        boolean holds(String key, byte[] value);

        /** It can be read, and is what the key says. */
        static <V> Check read(Topic<V> topic, BiPredicate<String, V> belongs) {
            return (key, value) -> {
                try {
                    return belongs.test(key, topic.codec().decode(value));
                } catch (MalformedRecord | IllegalArgumentException e) {
                    // The second one: a venue or symbol that cannot be a key.
                    return false;
                }
            };
        }

        /** Large values are read once, by who uses them. */
        static Check unread() {
            return (key, value) -> true;
        }
    }

    LatestValueProcessor(
            String storeName, Topic<?> topic, Check check, Consumer<String> changed, Consumer<String> poison) {
        this.storeName = storeName;
        this.topic = topic;
        this.check = check;
        this.changed = changed;
        this.poison = poison;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        store = context.getStateStore(storeName);
    }

    @Override
    public void process(Record<String, byte[]> record) {
        KeyValueStore<String, byte[]> table = requireNonNull(store);
        // A broker delivers null keys and tombstones, whatever the types say.
        @Nullable String key = record.key();
        byte @Nullable [] value = record.value();
        if (key == null) {
            poison.accept(topic.name());
        } else if (value == null) {
            table.delete(key);
            changed.accept(key);
        } else if (check.holds(key, value)) {
            table.put(key, value);
            changed.accept(key);
        } else {
            poison.accept(topic.name());
        }
    }
}
