package io.fundingobservatory.topics.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One field: its name, the same as it is written, the getter of its value, how it is written, and whether
 * it may be null.
 */
record RecordField<T, V>(
        String name,
        SerializableString encodedName,
        Function<T, @Nullable V> get,
        FieldKind<V> kind,
        boolean required,
        boolean omitted) {
    RecordField(String name, Function<T, @Nullable V> get, FieldKind<V> kind, boolean required, boolean omitted) {
        this(name, new SerializedString(name), get, kind, required, omitted);
    }

    @Nullable
    Object read(JsonParser json, @Nullable JsonToken token, String schema) throws IOException, MalformedRecord {
        if (token == null) {
            throw new MalformedRecord(schema + ": " + name + " ends too early");
        }
        if (token == JsonToken.VALUE_NULL) {
            return null;
        }
        try {
            V value = kind.read(json, token);
            String flaw = kind.flaw(value);
            if (flaw != null) {
                throw new MalformedRecord(flaw);
            }
            return value;
        } catch (MalformedRecord e) {
            throw new MalformedRecord(schema + ": " + name + " " + e.reason());
        }
    }

    void write(T record, JsonGenerator json, String schema) throws IOException {
        V value = get.apply(record);
        if (value == null && omitted) {
            return;
        }
        String flaw = value != null ? kind.flaw(value) : required ? "is missing" : null;
        if (flaw != null) {
            throw new UnwritableRecord(schema + ": " + name + " " + flaw);
        }
        json.writeFieldName(encodedName);
        if (value == null) {
            json.writeNull();
        } else {
            kind.write(value, json);
        }
    }
}
