package io.fundingobservatory.gateway.core.form;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.gateway.core.request.RowForm;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
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
        List<List<Column<V>>> objects = objects(shown);
        json.writeArrayFieldStart(list);
        for (V row : rows) {
            if (form.columns()) {
                array(json, shown, row, form.text());
            } else {
                json.writeStartObject();
                members(json, objects, row, form);
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    /** Writes the fields of one row into an object that is open already. */
    public void members(JsonGenerator json, V row) throws IOException {
        members(json, objects(all), row, RowForm.WHOLE);
    }

    private static <V> void members(JsonGenerator json, List<List<Column<V>>> objects, V row, RowForm form)
            throws IOException {
        for (List<Column<V>> object : objects) {
            member(json, object, row, form);
        }
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

    public List<String> names() {
        return names(all);
    }

    private List<Column<V>> shown(RowForm form) {
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

    /** Adds to the names of fields in a form, by the reason for which they may be null. */
    public void whyNull(RowForm form, Map<String, Set<String>> fields) {
        shown(form).forEach(column -> {
            String why = column.whenNull();
            if (why != null) {
                fields.computeIfAbsent(why, reason -> new LinkedHashSet<>()).add(column.name());
            }
        });
    }

    /** The columns of each object together, and each field of the row itself alone. */
    private static <V> List<List<Column<V>>> objects(List<Column<V>> columns) {
        var objects = new ArrayList<List<Column<V>>>();
        for (Column<V> column : columns) {
            String object = column.object();
            if (object.isEmpty()
                    || objects.isEmpty()
                    || !objects.getLast().getFirst().object().equals(object)) {
                objects.add(new ArrayList<>());
            }
            objects.getLast().add(column);
        }
        return objects;
    }

    /** An object of which nothing is known is null. */
    private static <V> void member(JsonGenerator json, List<Column<V>> columns, V row, RowForm form)
            throws IOException {
        boolean text = form.text();
        Column<V> first = columns.getFirst();
        if (first.object().isEmpty()) {
            Object value = first.value().apply(row);
            if (!first.omitted() || form.fields() != null || Boolean.TRUE.equals(value)) {
                json.writeFieldName(first.name());
                value(json, value, text);
            }
            return;
        }
        json.writeFieldName(first.object());
        if (columns.stream().map(column -> column.value().apply(row)).allMatch(Objects::isNull)) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        for (Column<V> column : columns) {
            json.writeFieldName(column.member());
            value(json, column.value().apply(row), text);
        }
        json.writeEndObject();
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
