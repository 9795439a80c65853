package io.fundingobservatory.gateway.core.coding;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.topics.json.Field;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of rows of one kind, and the rows in the form of a request. Every number keeps its digits.
 *
 * @param all the fields in the order of a row; those of one object follow each other
 * @param more fields that rows have only where a request names them
 * @param keys those that every form of a row has, since they identify it
 */
public record Columns<V>(List<Column<V>> all, List<Column<V>> more, Set<String> keys) {
    /** Rows whose every field is one of a whole row. */
    public Columns(List<Column<V>> all, Set<String> keys) {
        this(all, List.of(), keys);
    }

    public RowForm.Fields fields() {
        return new RowForm.Fields(
                names(Stream.concat(all.stream(), more.stream()).toList()),
                names(all.stream().filter(Column::numeric).toList()));
    }

    private static <V> List<String> names(List<Column<V>> columns) {
        return columns.stream().map(Column::name).toList();
    }

    /** A value of several members; its decimals are written as text where {@code text} is true. */
    public interface Nested {
        void write(JsonGenerator json, boolean text) throws IOException;
    }

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

    private record Keyed<V>(V row, @Nullable BigDecimal key, int position) {}

    /** The first rows in the order of a form; those that do not have its field keep their order. Only they are kept in memory. */
    public List<V> first(Stream<V> rows, RowForm form) {
        int limit = form.limit() == null ? Integer.MAX_VALUE : form.limit();
        Column<V> by = all.stream()
                .filter(column -> column.numeric() && column.name().equals(form.order()))
                .findAny()
                .orElse(null);
        if (by == null) {
            return rows.limit(limit).toList();
        }
        Comparator<BigDecimal> order = form.descending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
        Comparator<Keyed<V>> first = Comparator.comparing(Keyed<V>::key, Comparator.nullsLast(order));
        first = first.thenComparingInt(Keyed::position);
        var kept = new PriorityQueue<Keyed<V>>(first.reversed());
        int position = 0;
        for (var each = rows.iterator(); each.hasNext(); ) {
            V row = each.next();
            kept.add(new Keyed<>(row, by.key(row), position++));
            if (kept.size() > limit) {
                kept.poll();
            }
        }
        return kept.stream().sorted(first).map(Keyed::row).toList();
    }

    /** Writes rows as a list of that name; where names are written once, their list precedes it. */
    public void write(JsonGenerator json, String names, String list, List<V> rows, RowForm form) throws IOException {
        List<Column<V>> shown = shown(form);
        if (form.columns()) {
            Json.texts(json, names, names(shown));
        }
        json.writeArrayFieldStart(list);
        for (V row : rows) {
            if (form.columns()) {
                array(json, shown, row, form.text());
            } else {
                json.writeStartObject();
                members(json, shown, row, form);
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    /** Writes the fields of one row into an object that is open already. */
    public void members(JsonGenerator json, V row) throws IOException {
        members(json, all, row, RowForm.WHOLE);
    }

    private static <V> void members(JsonGenerator json, List<Column<V>> columns, V row, RowForm form)
            throws IOException {
        for (int from = 0, to; from < columns.size(); from = to) {
            Column<V> first = columns.get(from);
            to = from + 1;
            if (first.object().isEmpty()) {
                Object value = first.value().apply(row);
                if (!first.omitted() || form.fields() != null || Boolean.TRUE.equals(value)) {
                    json.writeFieldName(first.name());
                    value(json, value, form.text());
                }
                continue;
            }
            while (to < columns.size() && columns.get(to).object().equals(first.object())) {
                to++;
            }
            object(json, columns.subList(from, to), row, form);
        }
    }

    /** Writes an object of the row. One of which nothing is known is null. */
    private static <V> void object(JsonGenerator json, List<Column<V>> members, V row, RowForm form)
            throws IOException {
        json.writeFieldName(members.getFirst().object());
        if (members.stream().allMatch(member -> member.value().apply(row) == null)) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        for (Column<V> member : members) {
            json.writeFieldName(member.member());
            value(json, member.value().apply(row), form.text());
        }
        json.writeEndObject();
    }

    private static <V> void array(JsonGenerator json, List<Column<V>> columns, V row, boolean text) throws IOException {
        json.writeStartArray();
        for (Column<V> column : columns) {
            value(json, column.value().apply(row), text);
        }
        json.writeEndArray();
    }

    /** Whole rows as arrays with decimals as text, with commas between them, without the list's brackets. */
    public byte[] arrays(List<V> rows) {
        byte[] list = Json.bytes(json -> {
            json.writeStartArray();
            for (V row : rows) {
                array(json, all, row, true);
            }
            json.writeEndArray();
        });
        return Arrays.copyOfRange(list, 1, list.length - 1);
    }

    /** The fields that rows have in a form. */
    public List<Column<V>> shown(RowForm form) {
        Set<String> fields = form.fields();
        return fields == null
                ? all
                : Stream.concat(all.stream(), more.stream())
                        .filter(column -> keys.contains(column.name()) || fields.contains(column.name()))
                        .toList();
    }

    /** The units of a response with rows in a form: its own, and those of the fields that the rows have. */
    public Map<String, String> units(Map<String, String> own, RowForm form) {
        var units = new TreeMap<>(own);
        shown(form).forEach(column -> units.putAll(column.units()));
        return units;
    }

    /** Writes a value; a decimal as text where {@code text} is true. */
    public static void value(JsonGenerator json, @Nullable Object value, boolean text) throws IOException {
        switch (value) {
            case null -> json.writeNull();
            case BigDecimal decimal when text -> json.writeString(decimal.toPlainString());
            case BigDecimal decimal -> json.writeNumber(decimal.toPlainString());
            case Number whole -> json.writeNumber(whole.longValue());
            case Boolean truth -> json.writeBoolean(truth);
            case Enum<?> word -> json.writeString(word.name().toLowerCase(Locale.ROOT));
            case Json.Part part -> part.write(json);
            case Collection<?> words -> {
                json.writeStartArray();
                for (Object word : words) {
                    value(json, word, text);
                }
                json.writeEndArray();
            }
            case Nested nested -> nested.write(json, text);
            default -> json.writeString(value.toString());
        }
    }
}
