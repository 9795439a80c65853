package io.fundingobservatory.gateway.core.form;

import io.fundingobservatory.topics.json.Field;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
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
 * @param whenNull why it may be null; null where that is stated elsewhere
 * @param value reads it of a row: a text, a constant of an enum, a number, a boolean, a part of the document, or null
 */
public record Column<V>(
        String name,
        Map<String, String> units,
        boolean numeric,
        boolean omitted,
        @Nullable String whenNull,
        Function<V, @Nullable Object> value) {

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

    /**
     * Declares fields that are read of a part of a row, one after another. All of them are null where the part is.
     *
     * @param columns those declared so far, of all parts
     * @param prefix the object that they are in, with a dot; empty for fields of the row itself
     * @param whenNull why they may be null; null where that is stated elsewhere
     */
    public record Part<V, T>(
            List<Column<V>> columns,
            String prefix,
            @Nullable String whenNull,
            Function<V, @Nullable T> part) {
        public static <V> Part<V, V> ofRow() {
            return new Part<>(new ArrayList<>(), "", null, row -> row);
        }

        /** A text, a word, a boolean, or a part of the document. */
        public Part<V, T> field(String name, Function<T, @Nullable Object> value) {
            return field(name, Map.of(), value);
        }

        /** A part of the document with numbers in it. */
        public Part<V, T> field(String name, Map<String, String> units, Function<T, @Nullable Object> value) {
            columns.add(new Column<>(prefix + name, units, false, false, whenNull, read(value)));
            return this;
        }

        public Part<V, T> number(String name, String unit, Function<T, @Nullable Object> value) {
            columns.add(new Column<>(prefix + name, Map.of(name, unit), true, false, whenNull, read(value)));
            return this;
        }

        public Part<V, T> time(String name, Function<T, @Nullable Object> value) {
            return number(name, Field.EPOCH_MS, value);
        }

        /** The same, with the reason why the fields that follow may be null. */
        public Part<V, T> orNull(@Nullable String why) {
            return new Part<>(columns, prefix, why, part);
        }

        /** A part of it whose fields are in the same object. */
        public <S> Part<V, S> of(Function<T, @Nullable S> inner) {
            return new Part<>(columns, prefix, whenNull, read(inner));
        }

        /** A part of it whose fields are in an object of that name. */
        public <S> Part<V, S> object(String name, Function<T, @Nullable S> inner) {
            return new Part<>(columns, name + '.', whenNull, read(inner));
        }

        private <S> Function<V, @Nullable S> read(Function<T, @Nullable S> value) {
            return row -> {
                T known = part.apply(row);
                return known == null ? null : value.apply(known);
            };
        }
    }
}
