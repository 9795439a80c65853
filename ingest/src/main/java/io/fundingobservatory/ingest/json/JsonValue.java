package io.fundingobservatory.ingest.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.errorprone.annotations.CompileTimeConstant;
import io.fundingobservatory.ingest.json.PackedJson.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of a venue's body: its place, its content, and the values of its members (see {@link JsonFields}).
 *
 * <p>A member of an object or a row of a symbol is contradicted when the body gives it twice with different
 * values. Reading it skips the row that it belongs to.
 */
public final class JsonValue extends JsonFields {
    private static final int ABSENT = -1;
    private static final int CONTRADICTED = -2;

    private final PackedJson document;
    private final int place;
    private final List<String> names;

    private JsonValue(PackedJson document, int place, List<String> names) {
        this.document = document;
        this.place = place;
        this.names = names;
    }

    /** Reads a body; throws when it is not one whole JSON document within the limits. */
    public static JsonValue parse(byte[] body) throws IOException {
        return parse(new ByteArrayInputStream(body));
    }

    /** Reads a body to its end, never holding more of it than its values. */
    public static JsonValue parse(InputStream body) throws IOException {
        return new JsonValue(PackedJson.read(body), 0, List.of());
    }

    /** The first line of what is wrong with a body, without the body itself. */
    public static String problem(IOException e) {
        String message = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
        return message == null
                ? e.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }

    /** About what the whole document that this is a piece of takes in memory. */
    public int documentBytes() {
        return document.bytes();
    }

    /** The number of elements of the longest list in the whole document; an object of objects counts as a list. */
    public int longestList() {
        return document.longestList();
    }

    private JsonValue other(int at) {
        return new JsonValue(document, at, List.of());
    }

    /** Null when absent. */
    private @Nullable Kind kind() {
        if (place == CONTRADICTED) {
            throw Skip.because(Skip.CONTRADICTED);
        }
        return place == ABSENT ? null : document.kind(place);
    }

    /** The member or, where there is none, an absent node that has neither members nor elements. */
    public JsonValue at(String name) {
        Kind kind = kind();
        if (!names.isEmpty()) {
            return at(names.indexOf(name));
        }
        int found = ABSENT;
        if (kind == Kind.OBJECT) {
            for (int i = place + 1; i < document.end(place); i = document.next(i)) {
                if (name.equals(document.name(i))) {
                    found = found == ABSENT || document.same(found, document, i) ? i : CONTRADICTED;
                    if (found == CONTRADICTED) {
                        break;
                    }
                }
            }
        }
        return other(found);
    }

    public JsonValue at(String[] path) {
        JsonValue node = this;
        for (String name : path) {
            node = node.at(name);
        }
        return node;
    }

    /** The element or, where there is none, an absent node. */
    public JsonValue at(int position) {
        if (kind() == Kind.ARRAY && position >= 0) {
            int left = position;
            for (int i = place + 1; i < document.end(place); i = document.next(i)) {
                if (left-- == 0) {
                    return other(i);
                }
            }
        }
        return other(ABSENT);
    }

    /** Whether the response has it twice with different values. */
    public boolean isContradicted() {
        return place == CONTRADICTED;
    }

    public boolean has(String name) {
        return at(name).exists();
    }

    public boolean exists() {
        Kind kind = kind();
        return kind != null && kind != Kind.NULL;
    }

    public boolean isArray() {
        return kind() == Kind.ARRAY;
    }

    public boolean isObject() {
        return kind() == Kind.OBJECT;
    }

    /** A row that is a list, with its elements under these names in their order; a missing or surplus one is left out. */
    public JsonValue named(String... elements) {
        return new JsonValue(document, place, List.of(elements));
    }

    /** The elements of a list; none when this is not a list. */
    public List<JsonValue> elements() {
        var elements = new ArrayList<JsonValue>();
        if (kind() == Kind.ARRAY) {
            for (int i = place + 1; i < document.end(place); i = document.next(i)) {
                elements.add(other(i));
            }
        }
        return elements;
    }

    public List<JsonValue> list(String name) {
        return at(name).elements();
    }

    /** The members of an object in their order; none when this is not an object. */
    public Map<String, JsonValue> members() {
        var members = new LinkedHashMap<String, JsonValue>();
        if (kind() == Kind.OBJECT) {
            for (int i = place + 1; i < document.end(place); i = document.next(i)) {
                String name = document.name(i);
                if (name != null) {
                    members.merge(name, other(i), JsonValue::agreed);
                }
            }
        }
        return members;
    }

    /** Nodes by one of their fields; nodes without that field are left out, and two that differ contradict each other. */
    public static Map<String, JsonValue> by(List<JsonValue> nodes, String field) {
        var index = new LinkedHashMap<String, JsonValue>();
        for (JsonValue node : nodes) {
            String key;
            try {
                key = node.textOrNull(field);
            } catch (Skip contradicted) {
                continue; // it names nothing that it could be found by
            }
            if (key != null) {
                index.merge(key, node, JsonValue::agreed);
            }
        }
        return index;
    }

    /** Joins two parts of responses: either of them when they are equal, else a contradiction. */
    public static JsonValue agreed(JsonValue one, JsonValue another) {
        boolean known = one.place >= 0 && another.place >= 0;
        boolean same =
                known ? one.document.same(one.place, another.document, another.place) : one.place == another.place;
        return same ? one : one.other(CONTRADICTED);
    }

    @Override
    public @Nullable String textOrNull(String name) {
        return at(name).asText();
    }

    /** This node itself as text; null when it is absent, null, blank or not a value. */
    public @Nullable String asText() {
        Kind kind = kind();
        if (kind == null) {
            return null;
        }
        String text = switch (kind) {
            case TEXT, NUMBER -> document.spelling(place);
            case TRUE -> "true";
            case FALSE -> "false";
            case NULL, OBJECT, ARRAY -> "";
        };
        return text.isBlank() ? null : text;
    }

    @Override
    public @Nullable BigDecimal decimalOrNull(@CompileTimeConstant String name) {
        return at(name).asDecimal(name);
    }

    /** This node itself as a price: null when it is absent, blank or 0. Any other text skips the row, counted under a name of ours. */
    public @Nullable BigDecimal asPrice(@CompileTimeConstant String name) {
        return positive(asDecimal(name), name);
    }

    private @Nullable BigDecimal asDecimal(@CompileTimeConstant String name) {
        Kind kind = kind();
        if (kind == null || kind == Kind.NULL) {
            return null;
        }
        if (kind != Kind.TEXT && kind != Kind.NUMBER) {
            throw Skip.unreadable(name);
        }
        return Decimals.decimal(document.spelling(place), name);
    }
}
