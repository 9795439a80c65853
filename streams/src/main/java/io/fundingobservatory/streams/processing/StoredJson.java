package io.fundingobservatory.streams.processing;

import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.json.MalformedRecord;
import java.util.function.BiConsumer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Values of stores and of internal topics as JSON. A store's name carries the version of its format. A value that cannot be
 * read counts as absent.
 */
public final class StoredJson {
    private static final Logger LOG = LoggerFactory.getLogger(StoredJson.class);

    private StoredJson() {}

    /** The serde of a store's values. */
    public static <T> Serde<T> serde(JsonCodec<T> codec) {
        return Serdes.serdeFrom(
                (topic, value) -> value == null ? null : codec.encode(value),
                (topic, bytes) -> bytes == null ? null : read(codec, bytes));
    }

    /** The value; null when the bytes are none. */
    public static <T> @Nullable T read(JsonCodec<T> codec, byte[] bytes) {
        try {
            return codec.decode(bytes);
        } catch (MalformedRecord e) {
            LOG.warn(
                    "stored value is unreadable and counts as absent schema={} cause={}", codec.schemaId(), e.reason());
            return null;
        }
    }

    /** Passes on each key and value of a range, which it closes. */
    public static <V> void forEach(KeyValueIterator<byte[], V> range, BiConsumer<byte[], V> each) {
        try (range) {
            range.forEachRemaining(row -> {
                if (row.value != null) {
                    each.accept(row.key, row.value);
                }
            });
        }
    }

    /** A record within another one that has to be there. */
    public static <T> T required(@Nullable T part, String field) throws MalformedRecord {
        if (part == null) {
            throw new MalformedRecord(field + " is missing");
        }
        return part;
    }
}
