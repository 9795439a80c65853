package io.fundingobservatory.topics;

import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * One topic: its name, what its values are, and how it is kept. Keys are UTF-8 strings.
 *
 * @param name the topic's name
 * @param keyMeaning what a key is, for people
 * @param codec how a value is written and read
 * @param partitions how many partitions it is created with
 * @param policy how long records are kept
 * @param largestRecord the most bytes of a record, key and headers included
 */
public record Topic<V>(
        String name, String keyMeaning, JsonCodec<V> codec, int partitions, Retention policy, int largestRecord)
        implements CataloguedTopic {
    /** The record header that names the schema of a value: {@code rate/1}. */
    public static final String SCHEMA_HEADER = "schema";

    Topic(String name, String keyMeaning, JsonCodec<V> codec, int partitions, Retention policy) {
        this(name, keyMeaning, codec, partitions, policy, Topics.USUAL_RECORD);
    }

    /** The header that names the schema of this topic's values, for those who write bytes that are encoded already. */
    public Header schemaHeader() {
        return new RecordHeader(SCHEMA_HEADER, codec.schemaId().getBytes(StandardCharsets.UTF_8));
    }

    /** Writes values with their schema header; a null value stays null (a tombstone). */
    public Serializer<V> serializer() {
        byte[] schema = codec.schemaId().getBytes(StandardCharsets.UTF_8);
        return new Serializer<>() {
            @Override
            public byte @Nullable [] serialize(String topic, @Nullable V value) {
                return value == null ? null : codec.encode(value);
            }

            @Override
            public byte @Nullable [] serialize(String topic, Headers headers, @Nullable V value) {
                headers.remove(SCHEMA_HEADER).add(SCHEMA_HEADER, schema);
                return serialize(topic, value);
            }
        };
    }

    /** Reads values; other bytes cause a {@link SerializationException} with the reason. */
    public Deserializer<V> deserializer() {
        return new Deserializer<>() {
            @Override
            public @Nullable V deserialize(String topic, byte @Nullable [] bytes) {
                try {
                    return bytes == null ? null : codec.decode(bytes);
                } catch (MalformedRecord e) {
                    throw new SerializationException(e.getMessage(), e);
                }
            }
        };
    }

    public Serde<V> serde() {
        return Serdes.serdeFrom(serializer(), deserializer());
    }
}
