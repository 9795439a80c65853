package io.fundingobservatory.topics.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Format of one kind of value in JSON. {@link #flaw} rejects the same values on writing and on reading. */
interface FieldKind<V> {
    /** Reads the parser's current value. */
    V read(JsonParser json, JsonToken token) throws IOException, MalformedRecord;

    void write(V value, JsonGenerator json) throws IOException;

    /** What forbids a value, after the name of its field; null when nothing does. */
    default @Nullable String flaw(V value) {
        return null;
    }

    private static MalformedRecord wrongType() {
        return new MalformedRecord("has the wrong type");
    }

    FieldKind<String> TEXT = new FieldKind<>() {
        @Override
        public String read(JsonParser json, JsonToken token) throws IOException, MalformedRecord {
            if (token != JsonToken.VALUE_STRING) {
                throw wrongType();
            }
            return json.getText();
        }

        @Override
        public void write(String value, JsonGenerator json) throws IOException {
            json.writeString(value);
        }

        @Override
        public @Nullable String flaw(String value) {
            return FieldLimits.fits(value) ? null : "is too long, or has half of a surrogate pair";
        }
    };

    /** A text that is not blank. */
    FieldKind<String> NON_BLANK = new FieldKind<>() {
        @Override
        public String read(JsonParser json, JsonToken token) throws IOException, MalformedRecord {
            return TEXT.read(json, token);
        }

        @Override
        public void write(String value, JsonGenerator json) throws IOException {
            json.writeString(value);
        }

        @Override
        public @Nullable String flaw(String value) {
            return value.isBlank() ? "is blank" : TEXT.flaw(value);
        }
    };

    FieldKind<BigDecimal> DECIMAL = new FieldKind<>() {
        @Override
        public BigDecimal read(JsonParser json, JsonToken token) throws IOException, MalformedRecord {
            if (!token.isNumeric()) {
                throw wrongType();
            }
            try {
                return json.getDecimalValue();
            } catch (NumberFormatException | ArithmeticException e) {
                // The parser lets these through for exponents beyond 32 bits: 1e99999999999.
                throw new MalformedRecord("is a number beyond reading");
            }
        }

        @Override
        public void write(BigDecimal value, JsonGenerator json) throws IOException {
            json.writeNumber(value.toPlainString());
        }

        @Override
        public @Nullable String flaw(BigDecimal value) {
            return FieldLimits.fits(value) ? null : "has more than " + FieldLimits.DIGITS + " digits";
        }
    };

    FieldKind<Long> INTEGER = new FieldKind<>() {
        @Override
        public Long read(JsonParser json, JsonToken token) throws IOException, MalformedRecord {
            if (token == JsonToken.VALUE_NUMBER_INT && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
                return json.getLongValue();
            }
            BigDecimal value = DECIMAL.read(json, token);
            // Looked at before it is written out: 1e999999999 has a thousand million digits.
            if (!FieldLimits.fits(value)) {
                throw new MalformedRecord("is not a whole number of 64 bits");
            }
            try {
                return value.longValueExact();
            } catch (ArithmeticException e) {
                throw new MalformedRecord("is not a whole number of 64 bits");
            }
        }

        @Override
        public void write(Long value, JsonGenerator json) throws IOException {
            json.writeNumber(value);
        }
    };

    FieldKind<Boolean> BOOLEAN = new FieldKind<>() {
        @Override
        public Boolean read(JsonParser json, JsonToken token) throws MalformedRecord {
            if (!token.isBoolean()) {
                throw wrongType();
            }
            return token == JsonToken.VALUE_TRUE;
        }

        @Override
        public void write(Boolean value, JsonGenerator json) throws IOException {
            json.writeBoolean(value);
        }
    };

    /** How many there are of each name, in the order of the names. */
    FieldKind<Map<String, Long>> COUNTS = new FieldKind<>() {
        @Override
        public Map<String, Long> read(JsonParser json, JsonToken token) throws IOException, MalformedRecord {
            if (token != JsonToken.START_OBJECT) {
                throw wrongType();
            }
            var counts = new HashMap<String, Long>();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                counts.put(name, INTEGER.read(json, json.nextToken()));
            }
            return counts;
        }

        @Override
        public void write(Map<String, Long> value, JsonGenerator json) throws IOException {
            json.writeStartObject();
            for (var entry : new TreeMap<>(value).entrySet()) {
                json.writeNumberField(entry.getKey(), entry.getValue());
            }
            json.writeEndObject();
        }

        @Override
        public @Nullable String flaw(Map<String, Long> value) {
            boolean named = value.keySet().stream()
                    .allMatch(name -> name.length() <= FieldLimits.NAME_LENGTH && FieldLimits.fits(name));
            return named ? null : "counts under a name that is too long, or has half of a surrogate pair";
        }
    };

    /** Numbers one after the other, exact. */
    FieldKind<List<BigDecimal>> DECIMALS = new FieldKind<>() {
        @Override
        public List<BigDecimal> read(JsonParser json, JsonToken token) throws IOException, MalformedRecord {
            if (token != JsonToken.START_ARRAY) {
                throw wrongType();
            }
            var numbers = new ArrayList<BigDecimal>();
            for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
                if (next == null) {
                    throw wrongType();
                }
                numbers.add(DECIMAL.read(json, next));
            }
            return numbers;
        }

        @Override
        public void write(List<BigDecimal> value, JsonGenerator json) throws IOException {
            json.writeStartArray();
            for (BigDecimal number : value) {
                DECIMAL.write(number, json);
            }
            json.writeEndArray();
        }

        @Override
        public @Nullable String flaw(List<BigDecimal> value) {
            return value.stream()
                    .map(DECIMAL::flaw)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
    };

    /** The words of an enum, in lower case. */
    static <E extends Enum<E>> FieldKind<E> words(Class<E> type) {
        Map<E, SerializableString> words = new EnumMap<>(type);
        Map<String, E> byWord = new HashMap<>();
        for (E constant : type.getEnumConstants()) {
            String word = constant.name().toLowerCase(Locale.ROOT);
            words.put(constant, new SerializedString(word));
            byWord.put(word, constant);
        }
        return new FieldKind<>() {
            @Override
            public E read(JsonParser json, JsonToken token) throws IOException, MalformedRecord {
                E word = byWord.get(TEXT.read(json, token));
                if (word == null) {
                    throw new MalformedRecord("is not one of the known words");
                }
                return word;
            }

            @Override
            public void write(E value, JsonGenerator json) throws IOException {
                json.writeString(words.get(value));
            }
        };
    }

    /** A list of records. */
    static <E> FieldKind<List<E>> list(JsonCodec<E> elements) {
        return new FieldKind<>() {
            @Override
            public List<E> read(JsonParser json, JsonToken token) throws IOException, MalformedRecord {
                if (token != JsonToken.START_ARRAY) {
                    throw wrongType();
                }
                var list = new ArrayList<E>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    list.add(elements.read(json));
                }
                return list;
            }

            @Override
            public void write(List<E> value, JsonGenerator json) throws IOException {
                json.writeStartArray();
                for (E element : value) {
                    elements.write(element, json);
                }
                json.writeEndArray();
            }
        };
    }

    /** A record within a record. */
    static <E> FieldKind<E> record(JsonCodec<E> codec) {
        return new FieldKind<>() {
            @Override
            public E read(JsonParser json, JsonToken token) throws IOException, MalformedRecord {
                return codec.read(json);
            }

            @Override
            public void write(E value, JsonGenerator json) throws IOException {
                codec.write(value, json);
            }
        };
    }
}
