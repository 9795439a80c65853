package io.fundingobservatory.gateway.core.form;

import io.fundingobservatory.topics.json.Field;
import java.math.BigDecimal;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A field of rows.
 *
 * @param name its name; {@code long.venue} is {@code venue} of the object {@code long}
 * @param units the unit of each number that it holds, by the name of the number
 * @param numeric whether its values are numbers or null: rows can be ordered by it
 * @param omitted whether a row has the field only where it is true, unless it was named
 * @param value reads it of a row: a text, a constant of an enum, a number, a boolean, a part of the document, or null
 */
public record Column<V>(
        String name, Map<String, String> units, boolean numeric, boolean omitted, Function<V, @Nullable Object> value) {
    public static final String EPOCH_MS = Field.EPOCH_MS;

    /** A text, a word, a boolean, or a part of the document. */
    public static <V> Column<V> of(String name, Function<V, @Nullable Object> value) {
        return of(name, Map.of(), value);
    }

    /** A part of the document with numbers in it. */
    public static <V> Column<V> of(String name, Map<String, String> units, Function<V, @Nullable Object> value) {
        return new Column<>(name, units, false, false, value);
    }

    public static <V> Column<V> number(String name, String unit, Function<V, @Nullable Object> value) {
        return new Column<>(name, Map.of(name.substring(name.indexOf('.') + 1), unit), true, false, value);
    }

    public static <V> Column<V> time(String name, Function<V, @Nullable Object> value) {
        return number(name, EPOCH_MS, value);
    }

    /** The object that the field is in; empty for a field of the row itself. */
    String object() {
        return name.substring(0, Math.max(0, name.indexOf('.')));
    }

    String member() {
        return name.substring(name.indexOf('.') + 1);
    }

    /** What rows are ordered by. */
    @Nullable
    BigDecimal key(V row) {
        return switch (value.apply(row)) {
            case BigDecimal decimal -> decimal;
            case Number whole -> BigDecimal.valueOf(whole.longValue());
            case null, default -> null;
        };
    }
}
