package io.fundingobservatory.streams.processing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.json.MalformedRecord;
import java.util.Arrays;
import java.util.function.Function;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Reads records that came from outside. A record that is not a value of its schema, or not under its own key, goes to the dead letters.
 */
public abstract class RecordProcessor<V> extends ContextualProcessor<byte[], byte[], byte[], byte[]> {
    /** The child of dead letters. */
    public static final String REJECTED = "rejected";

    public static final String UNREADABLE = "unreadable";
    private static final String NO_KEY = "no_key";
    private static final String NO_VALUE = "no_value";
    private static final String UNKNOWN_SCHEMA = "unknown_schema";
    private static final String KEY_MISMATCH = "key_mismatch";

    protected final StreamsMetrics metrics;
    private final String stage;
    private final JsonCodec<V> codec;
    private final Function<V, String> keyOf;

    /** {@code stage} is that of dead letters that cannot be read; {@code keyOf} returns the key that a value belongs under. */
    protected RecordProcessor(StreamsMetrics metrics, String stage, JsonCodec<V> codec, Function<V, String> keyOf) {
        this.metrics = metrics;
        this.stage = stage;
        this.codec = codec;
        this.keyOf = keyOf;
    }

    /** Takes a value that is under its own key. */
    protected abstract void take(Record<byte[], byte[]> record, V value);

    /** Without a schema header a record counts as one of the current schema. */
    @Override
    public void process(Record<byte[], byte[]> record) {
        Header schema = record.headers().lastHeader(Topic.SCHEMA_HEADER);
        if (record.key() == null) {
            reject(record, stage, NO_KEY, "a record has a key");
        } else if (record.value() == null) {
            reject(record, stage, NO_VALUE, "an event stream has no tombstones");
        } else if (schema != null && !new String(schema.value(), UTF_8).equals(codec.schemaId())) {
            reject(record, stage, UNKNOWN_SCHEMA, "this reader knows " + codec.schemaId());
        } else {
            V value;
            try {
                value = codec.decode(record.value());
            } catch (MalformedRecord e) {
                reject(record, stage, UNREADABLE, e.reason());
                return;
            }
            if (Arrays.equals(record.key(), keyOf.apply(value).getBytes(UTF_8))) {
                take(record, value);
            } else {
                reject(record, stage, KEY_MISMATCH, "the key is not the one that the value belongs under, in UTF-8");
            }
        }
    }

    /** {@code reason} is one of a small closed vocabulary; {@code detail} is for people and never a value that was sent. */
    protected void reject(Record<byte[], byte[]> record, String stage, String reason, String detail) {
        metrics.rejected(stage, reason);
        context().forward(DeadLetter.of(record, stage, reason, detail, context().recordMetadata()), REJECTED);
    }
}
