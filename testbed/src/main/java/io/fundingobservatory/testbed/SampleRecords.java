package io.fundingobservatory.testbed;

import io.fundingobservatory.topics.json.DeclaredField;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.Settlement;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records for tests. A test names the fields that it is about, as pairs of a name in JSON and a value. Every other field has a value of its
 * kind, so that a new field of a record changes no test.
 */
public final class SampleRecords {
    private static final BigDecimal NUMBER = new BigDecimal("0.0075");
    private static final Long TIME = 1_790_000_000_000L;

    private SampleRecords() {}

    /** A raw quote. */
    public static Quote quote(@Nullable Object... namesAndValues) {
        return sample(Quote.CODEC, namesAndValues);
    }

    /** A row. */
    public static Rate rate(@Nullable Object... namesAndValues) {
        return sample(Rate.CODEC, namesAndValues);
    }

    /** A settlement. */
    public static Settlement settlement(@Nullable Object... namesAndValues) {
        return sample(Settlement.CODEC, namesAndValues);
    }

    /** Some fields of a record: a call lists long ones in several groups. */
    public static @Nullable Object[] fields(@Nullable Object... namesAndValues) {
        return namesAndValues;
    }

    private static <T> T sample(JsonCodec<T> codec, @Nullable Object... namesAndValues) {
        Map<Object, @Nullable Object> named = new HashMap<>();
        if (namesAndValues.length > 0 && namesAndValues[0] instanceof @Nullable Object[]) {
            for (@Nullable Object group : namesAndValues) {
                put(named, (@Nullable Object[]) group);
            }
        } else {
            put(named, namesAndValues);
        }
        if (!Set.copyOf(codec.fieldNames()).containsAll(named.keySet())) {
            throw new IllegalArgumentException(codec.schemaId() + " has not all of " + named.keySet());
        }
        return codec.make(field -> named.containsKey(field.name()) ? of(field, named.get(field.name())) : any(field));
    }

    private static void put(Map<Object, @Nullable Object> named, @Nullable Object[] namesAndValues) {
        for (int i = 0; i < namesAndValues.length; i += 2) {
            named.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
    }

    private static @Nullable Object of(DeclaredField<?> field, @Nullable Object value) {
        return field.type() == Long.class && value instanceof Integer whole ? Long.valueOf(whole) : value;
    }

    private static Object any(DeclaredField<?> field) {
        if (field.type() == String.class) {
            return field.name().equals("venue") ? "okx" : field.name();
        }
        if (field.type().isEnum()) {
            return field.type().getEnumConstants()[0];
        }
        return field.type() == BigDecimal.class ? NUMBER : field.type() == Long.class ? TIME : false;
    }
}
