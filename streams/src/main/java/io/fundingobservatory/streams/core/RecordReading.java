package io.fundingobservatory.streams.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.json.MalformedRecord;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the bytes of a record that came from outside turn out to be. */
public sealed interface RecordReading<V> {
    String NO_KEY = "no_key";
    String NO_VALUE = "no_value";
    String UNKNOWN_SCHEMA = "unknown_schema";
    String UNREADABLE = "unreadable";
    String KEY_MISMATCH = "key_mismatch";

    /** A value, under the key of its own contract. */
    record Read<V>(V value) implements RecordReading<V> {}

    /**
     * Not a value of this schema, or not under its own key.
     *
     * @param reason one of a small closed vocabulary
     * @param detail what exactly, for people; never a value that was sent
     */
    record Unreadable<V>(String reason, String detail) implements RecordReading<V> {}

    /**
     * Reads one record.
     *
     * @param keyOf the key that a value belongs under
     * @param schema the record's schema header; null when it has none, which counts as the current one
     */
    static <V> RecordReading<V> read(
            JsonCodec<V> codec,
            Function<V, String> keyOf,
            byte @Nullable [] key,
            byte @Nullable [] value,
            byte @Nullable [] schema) {
        if (key == null) {
            return new Unreadable<>(NO_KEY, "a record is keyed by venue|symbol");
        }
        if (value == null) {
            return new Unreadable<>(NO_VALUE, "an event stream has no tombstones");
        }
        if (schema != null && !new String(schema, UTF_8).equals(codec.schemaId())) {
            return new Unreadable<>(UNKNOWN_SCHEMA, "this reader knows " + codec.schemaId());
        }
        try {
            V read = codec.decode(value);
            return Arrays.equals(key, keyOf.apply(read).getBytes(UTF_8))
                    ? new Read<>(read)
                    : new Unreadable<>(KEY_MISMATCH, "the key is not the value's venue|symbol in UTF-8");
        } catch (MalformedRecord e) {
            return new Unreadable<>(UNREADABLE, e.reason());
        }
    }
}
