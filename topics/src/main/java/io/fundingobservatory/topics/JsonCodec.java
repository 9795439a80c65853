package io.fundingobservatory.topics;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Turns one kind of record into JSON and back, field by field, with exact decimals in plain notation (never {@code 1.0E-4}).
 *
 * <p>Unknown fields are ignored, so that a newer writer does not stop an older reader; a missing or misshapen one is a
 * {@link MalformedRecord}. Limits: 64 digits a number, 4 kB a text, depth 8.
 */
public final class JsonCodec<T> {
    /** A decimal with more digits than this, before or after the point, is refused: 1e400 would print 401 of them. */
    static final int MAX_DIGITS = 64;

    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CHARSET_DETECTION) // it is UTF-8, never UTF-16 that happens to parse
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(2 * MAX_DIGITS)
                    .maxStringLength(4_096)
                    .maxNameLength(256)
                    .maxNestingDepth(8)
                    .build())
            .build();

    private final String schema;
    private final int version;
    private final List<Field<T>> fields;
    private final Map<String, Integer> index = new HashMap<>();
    private final Reader<T> reader;

    private JsonCodec(String schema, int version, List<Field<T>> fields, Reader<T> reader) {
        this.schema = schema;
        this.version = version;
        this.fields = List.copyOf(fields);
        this.reader = reader;
        for (Field<T> field : fields) {
            index.put(field.name, index.size());
        }
    }

    static <T> Builder<T> of(String schema, int version) {
        return new Builder<>(schema, version);
    }

    /** The value of the {@code schema} header, name and version: {@code rate/1}. */
    public String schemaId() {
        return schema + "/" + version;
    }

    /** The class path resource that holds the JSON Schema of this record. */
    public String schemaResource() {
        return "/schemas/" + schema + "-" + version + ".json";
    }

    public List<String> fieldNames() {
        return fields.stream().map(Field::name).toList();
    }

    public byte[] encode(T value) {
        var out = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            write(value, json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Writes the record as one JSON object into a document that is being written. */
    public void write(T value, JsonGenerator json) throws IOException {
        json.writeStartObject();
        for (Field<T> field : fields) {
            field.writer.write(value, json);
        }
        json.writeEndObject();
    }

    public T decode(byte[] bytes) throws MalformedRecord {
        try (JsonParser json = JSON.createParser(bytes)) {
            json.nextToken();
            T record = object(json);
            if (json.nextToken() != null) {
                throw new MalformedRecord(schema + ": more than one JSON object");
            }
            return record;
        } catch (IOException e) {
            throw new MalformedRecord(schema + ": not JSON: " + firstLine(e));
        } catch (NumberFormatException | ArithmeticException e) {
            // The parser lets these through for exponents beyond 32 bits: 1e99999999999.
            throw new MalformedRecord(schema + ": a number is beyond reading");
        }
    }

    /** Reads the object that the parser stands at the beginning of, up to its end. */
    private T object(JsonParser json) throws IOException, MalformedRecord {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw new MalformedRecord(schema + ": not a JSON object");
        }
        @Nullable Object[] values = new @Nullable Object[fields.size()];
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            Integer at = index.get(json.currentName());
            JsonToken token = json.nextToken();
            if (at == null) {
                json.skipChildren();
            } else {
                values[at] = value(json, token, fields.get(at).elements);
            }
        }
        return reader.read(new Fields(values));
    }

    private static String firstLine(IOException e) {
        String message = e.getMessage();
        return message == null
                ? e.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }

    private @Nullable Object value(JsonParser json, JsonToken token, @Nullable JsonCodec<?> elements)
            throws IOException, MalformedRecord {
        return switch (token) {
            case VALUE_STRING -> json.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> bounded(json.getDecimalValue());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case START_OBJECT -> elements == null ? counts(json) : elements.object(json);
            case START_ARRAY -> list(json, elements);
            default -> throw new MalformedRecord(schema + ": " + json.currentName() + " ends too early");
        };
    }

    private List<Object> list(JsonParser json, @Nullable JsonCodec<?> elements) throws IOException, MalformedRecord {
        if (elements == null) {
            throw new MalformedRecord(schema + ": " + json.currentName() + " is a list");
        }
        var list = new ArrayList<Object>();
        while (json.nextToken() == JsonToken.START_OBJECT) {
            list.add(elements.object(json));
        }
        if (json.currentToken() != JsonToken.END_ARRAY) {
            throw new MalformedRecord(schema + ": a list holds more than objects");
        }
        return list;
    }

    private Map<String, Long> counts(JsonParser json) throws IOException, MalformedRecord {
        var counts = new HashMap<String, Long>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            if (json.nextToken() != JsonToken.VALUE_NUMBER_INT) {
                throw new MalformedRecord(schema + ": " + name + " is not a count");
            }
            counts.put(name, json.getLongValue());
        }
        return counts;
    }

    private BigDecimal bounded(BigDecimal value) throws MalformedRecord {
        if (value.precision() > MAX_DIGITS || Math.abs((long) value.scale()) > MAX_DIGITS) {
            throw new MalformedRecord(schema + ": a number has more than " + MAX_DIGITS + " digits");
        }
        return value;
    }

    static String wireName(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    private interface FieldWriter<T> {
        void write(T value, JsonGenerator json) throws IOException;
    }

    /** Makes a record of fields that were read; throws when one is missing. */
    interface Reader<T> {
        T read(JsonCodec<T>.Fields fields) throws MalformedRecord;
    }

    private record Field<T>(
            String name, FieldWriter<T> writer, @Nullable JsonCodec<?> elements) {}

    /** The fields of one record as read, each asked for by its name and kind. */
    final class Fields {
        private final @Nullable Object[] values;

        private Fields(@Nullable Object[] values) {
            this.values = values;
        }

        private <V> @Nullable V get(String name, Class<V> kind) throws MalformedRecord {
            Integer at = index.get(name);
            if (at == null) {
                throw new IllegalArgumentException(schema + " declares no field " + name);
            }
            Object value = values[at];
            if (value == null) {
                return null;
            }
            if (!kind.isInstance(value)) {
                throw new MalformedRecord(schema + ": " + name + " has the wrong type");
            }
            return kind.cast(value);
        }

        private <V> V required(String name, @Nullable V value) throws MalformedRecord {
            if (value == null) {
                throw new MalformedRecord(schema + ": " + name + " is missing");
            }
            return value;
        }

        String text(String name) throws MalformedRecord {
            String text = required(name, textOrNull(name));
            if (text.isBlank()) {
                throw new MalformedRecord(schema + ": " + name + " is blank");
            }
            return text;
        }

        @Nullable
        String textOrNull(String name) throws MalformedRecord {
            return get(name, String.class);
        }

        BigDecimal decimal(String name) throws MalformedRecord {
            return required(name, decimalOrNull(name));
        }

        @Nullable
        BigDecimal decimalOrNull(String name) throws MalformedRecord {
            return get(name, BigDecimal.class);
        }

        long integer(String name) throws MalformedRecord {
            return required(name, integerOrNull(name));
        }

        @Nullable
        Long integerOrNull(String name) throws MalformedRecord {
            BigDecimal value = get(name, BigDecimal.class);
            try {
                return value == null ? null : value.longValueExact();
            } catch (ArithmeticException e) {
                throw new MalformedRecord(schema + ": " + name + " is not a whole number of 64 bits");
            }
        }

        boolean flag(String name) throws MalformedRecord {
            Boolean value = get(name, Boolean.class);
            return value != null && value;
        }

        <E extends Enum<E>> E word(String name, Class<E> words) throws MalformedRecord {
            return required(name, wordOrNull(name, words));
        }

        <E extends Enum<E>> @Nullable E wordOrNull(String name, Class<E> words) throws MalformedRecord {
            String text = textOrNull(name);
            if (text == null) {
                return null;
            }
            for (E word : words.getEnumConstants()) {
                if (wireName(word).equals(text)) {
                    return word;
                }
            }
            throw new MalformedRecord(schema + ": " + name + " is not one of the known words");
        }

        @SuppressWarnings("unchecked") // the field was declared with the same codec
        <E> E object(String name, JsonCodec<E> codec) throws MalformedRecord {
            return (E) required(name, get(name, Object.class));
        }

        @SuppressWarnings("unchecked") // the field was declared with the same codec
        <E> List<E> list(String name, JsonCodec<E> elements) throws MalformedRecord {
            return (List<E>) required(name, get(name, List.class));
        }

        @SuppressWarnings("unchecked") // the only map that a codec reads is one of counts
        Map<String, Long> counts(String name) throws MalformedRecord {
            Map<?, ?> value = get(name, Map.class);
            return value == null ? Map.of() : (Map<String, Long>) value;
        }
    }

    /** Declares the fields of a record in the order in which they are written. */
    static final class Builder<T> {
        private final String schema;
        private final int version;
        private final List<Field<T>> fields = new ArrayList<>();

        private Builder(String schema, int version) {
            this.schema = schema;
            this.version = version;
        }

        private Builder<T> add(String name, FieldWriter<T> writer) {
            fields.add(new Field<>(name, writer, null));
            return this;
        }

        /** A record inside the record. */
        <E> Builder<T> object(String name, JsonCodec<E> codec, Function<T, E> get) {
            FieldWriter<T> writer = (record, json) -> {
                json.writeFieldName(name);
                codec.write(get.apply(record), json);
            };
            fields.add(new Field<>(name, writer, codec));
            return this;
        }

        /** A list of records. */
        <E> Builder<T> list(String name, JsonCodec<E> elements, Function<T, List<E>> get) {
            FieldWriter<T> writer = (record, json) -> {
                json.writeArrayFieldStart(name);
                for (E element : get.apply(record)) {
                    elements.write(element, json);
                }
                json.writeEndArray();
            };
            fields.add(new Field<>(name, writer, elements));
            return this;
        }

        private <V> Builder<T> nullable(String name, Function<T, @Nullable V> get, FieldWriter<V> writer) {
            return add(name, (record, json) -> {
                V value = get.apply(record);
                json.writeFieldName(name);
                if (value == null) {
                    json.writeNull();
                } else {
                    writer.write(value, json);
                }
            });
        }

        Builder<T> text(String name, Function<T, @Nullable String> get) {
            return nullable(name, get, (text, json) -> json.writeString(text));
        }

        Builder<T> word(String name, Function<T, ? extends @Nullable Enum<?>> get) {
            return nullable(name, get::apply, (Enum<?> word, JsonGenerator json) -> json.writeString(wireName(word)));
        }

        Builder<T> decimal(String name, Function<T, @Nullable BigDecimal> get) {
            return nullable(name, get, (value, json) -> json.writeNumber(value.toPlainString()));
        }

        Builder<T> integer(String name, Function<T, @Nullable Long> get) {
            return nullable(name, get, (value, json) -> json.writeNumber(value));
        }

        /** A boolean that is always written. */
        Builder<T> truth(String name, Predicate<T> get) {
            return add(name, (record, json) -> json.writeBooleanField(name, get.test(record)));
        }

        /** A boolean that is written only when it is true. */
        Builder<T> flag(String name, Predicate<T> get) {
            return add(name, (record, json) -> {
                if (get.test(record)) {
                    json.writeBooleanField(name, true);
                }
            });
        }

        /** A map of counts, written in the order of its names. */
        Builder<T> counts(String name, Function<T, Map<String, Long>> get) {
            return add(name, (record, json) -> {
                json.writeObjectFieldStart(name);
                for (var entry : new TreeMap<>(get.apply(record)).entrySet()) {
                    json.writeNumberField(entry.getKey(), entry.getValue());
                }
                json.writeEndObject();
            });
        }

        JsonCodec<T> build(Reader<T> reader) {
            return new JsonCodec<>(schema, version, fields, reader);
        }
    }
}
