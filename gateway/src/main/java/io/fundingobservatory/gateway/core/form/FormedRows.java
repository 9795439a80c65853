package io.fundingobservatory.gateway.core.form;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows in the form of one request. Every number keeps the digits of the encoded row.
 *
 * @param names the names of the columns; null where rows are objects
 * @param rows the rows that are returned, in order
 * @param matched how many rows there were before the limit
 */
public record FormedRows(@Nullable List<String> names, List<Map<String, Value>> rows, int matched, boolean text) {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final Value NULL = new Value(JsonToken.VALUE_NULL, "");

    /**
     * One value of a row.
     *
     * @param token what kind of scalar it is
     * @param spelling the digits of a number, the characters of a string
     */
    public record Value(JsonToken token, String spelling) {}

    /**
     * Applies a form to encoded rows.
     *
     * @param encoded JSON objects of scalars, sorted by venue and symbol
     * @throws IllegalArgumentException when a row is not a JSON object of scalars
     */
    public static FormedRows of(List<byte[]> encoded, RowForm form, RowFields known) {
        List<Map<String, Value>> rows = new ArrayList<>(encoded.size());
        for (byte[] row : encoded) {
            rows.add(read(row));
        }
        String by = form.order();
        if (by != null) {
            rows.sort(by(by, form.descending()));
        }
        int shown = form.limit() == null ? rows.size() : Math.min(form.limit(), rows.size());
        List<String> fields = form.fields() == null ? known.names() : form.fields();
        List<Map<String, Value>> selected = new ArrayList<>(shown);
        for (Map<String, Value> row : rows.subList(0, shown)) {
            selected.add(form.fields() == null ? row : select(row, fields));
        }
        return new FormedRows(
                form.columns() ? fields : null, Collections.unmodifiableList(selected), rows.size(), form.text());
    }

    private static Comparator<Map<String, Value>> by(String field, boolean descending) {
        Comparator<BigDecimal> order = descending ? Comparator.reverseOrder() : Comparator.naturalOrder();
        return Comparator.comparing(row -> decimal(row.get(field)), Comparator.nullsLast(order));
    }

    private static @Nullable BigDecimal decimal(@Nullable Value value) {
        return value == null || !value.token().isNumeric() ? null : new BigDecimal(value.spelling());
    }

    private static Map<String, Value> select(Map<String, Value> row, List<String> fields) {
        var selected = new LinkedHashMap<String, Value>();
        for (String field : fields) {
            Value value = row.get(field);
            if (value != null) {
                selected.put(field, value);
            }
        }
        return selected;
    }

    private static Map<String, Value> read(byte[] row) {
        var values = new LinkedHashMap<String, Value>();
        try (JsonParser parser = FACTORY.createParser(row)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("a row is a JSON object");
            }
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken token = parser.nextToken();
                if (!token.isScalarValue()) {
                    throw new IllegalArgumentException("a row has scalar values; " + name + " has not");
                }
                values.put(name, new Value(token, parser.getText()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return values;
    }

    /** Writes the fields {@code columns}, where names are written once, and {@code rows}, into an object that is open. */
    public void write(JsonGenerator json) throws IOException {
        List<String> columns = names;
        if (columns != null) {
            json.writeArrayFieldStart("columns");
            for (String name : columns) {
                json.writeString(name);
            }
            json.writeEndArray();
        }
        json.writeArrayFieldStart("rows");
        for (Map<String, Value> row : rows) {
            if (columns == null) {
                json.writeStartObject();
                for (var field : row.entrySet()) {
                    json.writeFieldName(field.getKey());
                    write(json, field.getKey(), field.getValue());
                }
                json.writeEndObject();
            } else {
                json.writeStartArray();
                for (String name : columns) {
                    write(json, name, row.getOrDefault(name, NULL));
                }
                json.writeEndArray();
            }
        }
        json.writeEndArray();
    }

    private void write(JsonGenerator json, String name, Value value) throws IOException {
        switch (value.token()) {
            case VALUE_STRING -> json.writeString(value.spelling());
            case VALUE_TRUE -> json.writeBoolean(true);
            case VALUE_FALSE -> json.writeBoolean(false);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                if (text && !name.endsWith("_ms")) {
                    json.writeString(value.spelling());
                } else {
                    json.writeNumber(value.spelling());
                }
            }
            default -> json.writeNull();
        }
    }
}
