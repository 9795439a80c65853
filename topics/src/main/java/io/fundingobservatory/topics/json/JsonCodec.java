package io.fundingobservatory.topics.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Turns one kind of record into JSON and back, field by field, with exact decimals in plain notation (never
 * {@code 1.0E-4}).
 *
 * <p>Unknown fields are ignored, so that a newer writer does not stop an older reader. A missing or misshapen
 * field is a {@link MalformedRecord}. A record that would be one when read is an {@link UnwritableRecord}
 * before it is written. Bounds: {@link FieldLimits}, depth 8.
 */
public final class JsonCodec<T> {
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CHARSET_DETECTION) // it is UTF-8, never UTF-16 that happens to parse
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(2 * FieldLimits.DIGITS)
                    .maxStringLength(FieldLimits.TEXT_LENGTH)
                    .maxNameLength(FieldLimits.NAME_LENGTH)
                    .maxNestingDepth(8)
                    .build())
            .build();

    private final String schema;
    private final int version;
    private final List<RecordField<T, ?>> fields;
    private final FieldPlaces places;
    private final Reader<T> reader;
    private final List<DeclaredField<T>> declared;
    private final byte @Nullable [] schemaDocument;

    private JsonCodec(
            String schema,
            int version,
            List<RecordField<T, ?>> fields,
            Reader<T> reader,
            List<DeclaredField<T>> declared,
            byte @Nullable [] schemaDocument) {
        this.schema = schema;
        this.version = version;
        this.fields = List.copyOf(fields);
        this.reader = reader;
        this.declared = declared;
        this.schemaDocument = schemaDocument;
        this.places = new FieldPlaces(fieldNames());
    }

    /** Makes a record of its values, which are in the order of its fields. */
    interface Values<T> {
        T record(@Nullable Object[] values);
    }

    /**
     * Derives the codec of a public record from its components, each of which has {@link Field}.
     *
     * @param schema the name of its schema, such as {@code rate}
     * @param description what a record is, for readers of the schema
     */
    public static <T extends Record> JsonCodec<T> of(String schema, int version, Class<T> type, String description) {
        var components = new RecordComponents<>(type);
        if (components.declared().size() != components.fields().size()) {
            throw new IllegalArgumentException("a component of " + type + " is not declared as a field");
        }
        Values<T> constructor = components.constructor();
        return new JsonCodec<>(
                schema,
                version,
                components.fields(),
                fields -> constructor.record(fields.values()),
                components.declared(),
                components.schema(resource(schema, version), schema, description));
    }

    /**
     * Derives the codec of a public record that no other program reads, and that has no schema. Its components are texts, numbers, words,
     * flags, such records, and lists of them. Messages name the type.
     */
    public static <T extends Record> JsonCodec<T> stored(Class<T> type) {
        var components = new RecordComponents<>(type);
        Values<T> constructor = components.constructor();
        return new JsonCodec<>(
                type.getSimpleName(),
                1,
                components.fields(),
                fields -> constructor.record(fields.values()),
                List.of(),
                null);
    }

    private static String resource(String schema, int version) {
        return "/schemas/" + schema + "-" + version + ".json";
    }

    /** The fields of a record whose codec derives from its components, in their order. */
    public List<DeclaredField<T>> fields() {
        return declared;
    }

    /** Makes a record of a value for each field; a value that is not of the field's type is a {@link ClassCastException}. */
    public T make(Function<DeclaredField<T>, @Nullable Object> values) {
        return made(declared.stream().map(values).toArray());
    }

    /** Returns the record with other values of some fields: pairs of a name in JSON and a value. */
    public T with(T record, @Nullable Object... namesAndValues) {
        @Nullable Object[] values = new @Nullable Object[fields.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = fields.get(i).get().apply(record);
        }
        for (int i = 0; i < namesAndValues.length; i += 2) {
            int place = places.of(String.valueOf(namesAndValues[i]), 0);
            if (place < 0) {
                throw new IllegalArgumentException(schema + " has no field " + namesAndValues[i]);
            }
            values[place] = namesAndValues[i + 1];
        }
        return made(values);
    }

    private T made(@Nullable Object[] values) {
        try {
            return reader.read(new RecordFields(values, places));
        } catch (MalformedRecord e) {
            throw new IllegalArgumentException(e.reason(), e);
        }
    }

    /** Begins the codec of a record: the name and version of its schema, {@code rate} and 1. */
    public static <T> Builder<T> of(String schema, int version) {
        return new Builder<>(schema, version);
    }

    /** The value of the {@code schema} header, name and version: {@code rate/1}. */
    public String schemaId() {
        return schema + "/" + version;
    }

    /** The path under which the JSON Schema of this record is served. */
    public String schemaResource() {
        return resource(schema, version);
    }

    /** The JSON Schema of this record. */
    public byte[] schemaDocument() {
        if (schemaDocument != null) {
            return schemaDocument.clone();
        }
        try (InputStream in = JsonCodec.class.getResourceAsStream(schemaResource())) {
            return Objects.requireNonNull(in, this::schemaResource).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the names of the fields, in the order in which they are written. */
    public List<String> fieldNames() {
        return fields.stream().map(RecordField::name).toList();
    }

    /** The record as one JSON object; an {@link UnwritableRecord} when {@link #decode} would refuse that. */
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
        for (RecordField<T, ?> field : fields) {
            field.write(value, json, schema);
        }
        json.writeEndObject();
    }

    public T decode(byte[] bytes) throws MalformedRecord {
        try (JsonParser json = JSON.createParser(bytes)) {
            json.nextToken();
            T record = read(json);
            if (json.nextToken() != null) {
                throw new MalformedRecord(schema + ": more than one JSON object");
            }
            return record;
        } catch (StreamConstraintsException e) {
            throw new MalformedRecord(schema + ": " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new MalformedRecord(schema + ": not JSON");
        }
    }

    /** Reads the object at whose beginning the parser is, up to its end. */
    T read(JsonParser json) throws IOException, MalformedRecord {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw new MalformedRecord(schema + ": not a JSON object");
        }
        @Nullable Object[] values = new @Nullable Object[fields.size()];
        int next = 0;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            int place = places.of(json.currentName(), next);
            JsonToken token = json.nextToken();
            if (place < 0) {
                json.skipChildren();
            } else {
                values[place] = fields.get(place).read(json, token, schema);
                next = place + 1;
            }
        }
        for (int place = 0; place < values.length; place++) {
            if (values[place] == null && fields.get(place).required()) {
                throw new MalformedRecord(schema + ": " + fields.get(place).name() + " is missing");
            }
        }
        return reader.read(new RecordFields(values, places));
    }

    /** Makes a record of fields that were read. */
    public interface Reader<T> {
        /** Returns the record. */
        T read(RecordFields fields) throws MalformedRecord;
    }

    /** Declares the fields of a record in the order in which they are written. */
    public static final class Builder<T> {
        private final String schema;
        private final int version;
        private final List<RecordField<T, ?>> fields = new ArrayList<>();

        private Builder(String schema, int version) {
            this.schema = schema;
            this.version = version;
        }

        private <V> Builder<T> add(String name, Function<T, @Nullable V> get, FieldKind<V> kind, boolean required) {
            fields.add(new RecordField<>(name, get, kind, required, false));
            return this;
        }

        /** A text that is not blank. */
        public Builder<T> text(String name, Function<T, String> get) {
            return add(name, get, FieldKind.NON_BLANK, true);
        }

        /** A text, or null. */
        public Builder<T> textOrNull(String name, Function<T, @Nullable String> get) {
            return add(name, get, FieldKind.TEXT, false);
        }

        /** A number, exact. */
        public Builder<T> decimal(String name, Function<T, BigDecimal> get) {
            return add(name, get, FieldKind.DECIMAL, true);
        }

        /** A number, exact, or null. */
        public Builder<T> decimalOrNull(String name, Function<T, @Nullable BigDecimal> get) {
            return add(name, get, FieldKind.DECIMAL, false);
        }

        /** A number, exact, that earlier versions of the record did not have; written only when there is one. */
        public Builder<T> decimalIfAny(String name, Function<T, @Nullable BigDecimal> get) {
            fields.add(new RecordField<>(name, get, FieldKind.DECIMAL, false, true));
            return this;
        }

        /** A whole number of 64 bits. */
        public Builder<T> integer(String name, Function<T, Long> get) {
            return add(name, get, FieldKind.INTEGER, true);
        }

        /** A whole number of 64 bits, or null. */
        public Builder<T> integerOrNull(String name, Function<T, @Nullable Long> get) {
            return add(name, get, FieldKind.INTEGER, false);
        }

        /** A whole number that earlier versions of the record did not have; written only when there is one. */
        public Builder<T> integerIfAny(String name, Function<T, @Nullable Long> get) {
            fields.add(new RecordField<>(name, get, FieldKind.INTEGER, false, true));
            return this;
        }

        /** A constant of an enum, in lower case. */
        public <E extends Enum<E>> Builder<T> word(String name, Class<E> words, Function<T, E> get) {
            return add(name, get, FieldKind.words(words), true);
        }

        /** A constant of an enum, in lower case, or null. */
        public <E extends Enum<E>> Builder<T> wordOrNull(String name, Class<E> words, Function<T, @Nullable E> get) {
            return add(name, get, FieldKind.words(words), false);
        }

        /** A boolean that is always written. */
        public Builder<T> truth(String name, Predicate<T> get) {
            return add(name, get::test, FieldKind.BOOLEAN, true);
        }

        /** A boolean that is written only when it is true. */
        public Builder<T> flag(String name, Predicate<T> get) {
            fields.add(
                    new RecordField<>(name, record -> get.test(record) ? true : null, FieldKind.BOOLEAN, false, true));
            return this;
        }

        /** A list of records that have a codec of their own. */
        public <E> Builder<T> list(String name, JsonCodec<E> elements, Function<T, List<E>> get) {
            return add(name, get, FieldKind.list(elements), true);
        }

        /** A list of records that earlier versions of the record did not have; written only when there are any. */
        public <E> Builder<T> listIfAny(String name, JsonCodec<E> elements, Function<T, List<E>> get) {
            Function<T, @Nullable List<E>> any = record -> {
                List<E> list = get.apply(record);
                return list.isEmpty() ? null : list;
            };
            fields.add(new RecordField<>(name, any, FieldKind.list(elements), false, true));
            return this;
        }

        /** A record that earlier versions of the record did not have; written only when there is one. */
        public <E> Builder<T> recordIfAny(String name, JsonCodec<E> codec, Function<T, @Nullable E> get) {
            fields.add(new RecordField<>(name, get, FieldKind.record(codec), false, true));
            return this;
        }

        /** Whole numbers by name, in the order of the names. */
        public Builder<T> counts(String name, Function<T, Map<String, Long>> get) {
            return add(name, get, FieldKind.COUNTS, true);
        }

        /** A map of counts that earlier versions of the record did not have. */
        public Builder<T> countsIfAny(String name, Function<T, Map<String, Long>> get) {
            return add(name, get, FieldKind.COUNTS, false);
        }

        /** A text that earlier versions of the record did not have; written only when there is one. */
        public Builder<T> textIfAny(String name, Function<T, @Nullable String> get) {
            fields.add(new RecordField<>(name, get, FieldKind.TEXT, false, true));
            return this;
        }

        /** Numbers that earlier versions of the record did not have; written only when there are any. */
        public Builder<T> decimalsIfAny(String name, Function<T, List<BigDecimal>> get) {
            fields.add(new RecordField<>(
                    name,
                    record -> {
                        List<BigDecimal> numbers = get.apply(record);
                        return numbers.isEmpty() ? null : numbers;
                    },
                    FieldKind.DECIMALS,
                    false,
                    true));
            return this;
        }

        /** The codec, and how the fields that were read become a record again. */
        public JsonCodec<T> build(Reader<T> reader) {
            return new JsonCodec<>(schema, version, fields, reader, List.of(), null);
        }
    }
}
