package io.fundingobservatory.gateway.core.coding;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Writes JSON into bytes. */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    public interface Part {
        void write(JsonGenerator json) throws IOException;
    }

    public static byte[] bytes(Part part) {
        var out = new ByteArrayOutputStream(4_096);
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            part.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    public static void number(JsonGenerator json, String name, @Nullable Number value) throws IOException {
        json.writeFieldName(name);
        if (value == null) {
            json.writeNull();
        } else {
            json.writeNumber(value.longValue());
        }
    }

    public static void texts(JsonGenerator json, String name, Iterable<String> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    public interface Members<V> {
        void write(V value) throws IOException;
    }

    /** A field with an array of objects, one for each value. */
    public static <V> void objects(JsonGenerator json, String name, Iterable<V> values, Members<V> members)
            throws IOException {
        json.writeFieldName(name);
        objects(json, values, members);
    }

    public static <V> void objects(JsonGenerator json, Iterable<V> values, Members<V> members) throws IOException {
        json.writeStartArray();
        for (V value : values) {
            json.writeStartObject();
            members.write(value);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** RFC 3339 in UTC, with milliseconds only where there are any. */
    public static @Nullable String utc(@Nullable Long epochMs) {
        return epochMs == null
                ? null
                : Instant.ofEpochMilli(epochMs).truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
