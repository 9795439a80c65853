package io.fundingobservatory.ingest.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.errorprone.annotations.CompileTimeConstant;
import io.fundingobservatory.ingest.json.PackedJson.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of a venue's body: its place, its content, and typed access to its members. Numbers are accepted as JSON numbers
 * and as strings, because exchanges change between the two.
 *
 * <p>{@code text}, {@code decimal} and {@code flag} return a member that must be there, and {@link Skip} the row otherwise. The
 * {@code …OrNull} forms return null when it is absent. {@code price} and the time forms also treat {@code 0} and {@code ""} as absent,
 * as exchanges do.
 *
 * <p>A name that a skipped row is counted under is a constant: a member whose name the venue chooses is read with {@code at(…)}.
 *
 * <p>A member of an object or a row of a symbol is contradicted when the body gives it twice with different
 * values. Reading it skips the row that it belongs to.
 */
public final class JsonValue {
    private static final int ABSENT = -1;
    private static final int CONTRADICTED = -2;

    /** The end of the year 9999: a later time is none, and sums with it would not fit into a number of ours. */
    private static final BigDecimal LATEST = BigDecimal.valueOf(253_402_300_799_999L);

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

    /** A text; null when absent, null or blank. */
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

    /**
     * Returns a number; null when absent, null or blank. Zero is a number. Any other value that is not a
     * number skips the row.
     */
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
        return decimal(document.spelling(place), name);
    }

    /** A number as it is written, its zeroes included; null when blank. */
    private static @Nullable BigDecimal decimal(String written, @CompileTimeConstant String field) {
        String text = written.strip();
        if (text.isEmpty()) {
            return null;
        }
        if (text.length() > PackedJson.MAX_DIGITS) {
            throw Skip.unreadable(field);
        }
        try {
            var value = new BigDecimal(text);
            if (value.precision() > PackedJson.MAX_DIGITS || Math.abs((long) value.scale()) > PackedJson.MAX_DIGITS) {
                throw Skip.unreadable(field);
            }
            return value;
        } catch (NumberFormatException e) {
            throw Skip.unreadable(field);
        }
    }

    public String text(@CompileTimeConstant String name) {
        String text = textOrNull(name);
        if (text == null) {
            throw Skip.unreadable(name);
        }
        return text;
    }

    public boolean is(String name, String... words) {
        String text = textOrNull(name);
        return text != null && List.of(words).contains(text);
    }

    /** Whether the flag under a name is there and true, also spelled as a text. */
    public boolean flag(String name) {
        return "true".equals(textOrNull(name));
    }

    public BigDecimal decimal(@CompileTimeConstant String name) {
        BigDecimal value = decimalOrNull(name);
        if (value == null) {
            throw Skip.unreadable(name);
        }
        return value;
    }

    /** A number that is never really zero: 0 and blank mean absent. A negative one skips the row. */
    public @Nullable BigDecimal positiveOrNull(@CompileTimeConstant String name) {
        return positive(decimalOrNull(name), name);
    }

    private static @Nullable BigDecimal positive(@Nullable BigDecimal value, @CompileTimeConstant String name) {
        if (value == null || value.signum() == 0) {
            return null;
        }
        if (value.signum() < 0) {
            throw Skip.unreadable(name);
        }
        return value;
    }

    /** A price: 0 and blank mean that there is none. A negative one skips the row. */
    public @Nullable BigDecimal price(@CompileTimeConstant String name) {
        return positiveOrNull(name);
    }

    /** The funding rate; a row without one is skipped as such. Zero is a rate. */
    public BigDecimal fundingRate(@CompileTimeConstant String name) {
        BigDecimal value = decimalOrNull(name);
        if (value == null) {
            throw Skip.because(Skip.NO_FUNDING_RATE);
        }
        return value;
    }

    /** An instant in epoch milliseconds; null when absent, blank or 0. */
    public @Nullable Long millis(@CompileTimeConstant String name) {
        return scaledTime(name, 0);
    }

    /** An instant in epoch seconds, in milliseconds; null when absent, blank or 0. */
    public @Nullable Long seconds(@CompileTimeConstant String name) {
        return scaledTime(name, 3);
    }

    /** An instant in epoch microseconds, in milliseconds; null when absent, blank or 0. */
    public @Nullable Long micros(@CompileTimeConstant String name) {
        return scaledTime(name, -3);
    }

    /** An instant in epoch nanoseconds, in milliseconds; null when absent, blank or 0. */
    public @Nullable Long nanos(@CompileTimeConstant String name) {
        return scaledTime(name, -6);
    }

    /** An ISO-8601 instant, in epoch milliseconds; null when absent or blank. */
    public @Nullable Long iso(@CompileTimeConstant String name) {
        return isoWith("", name);
    }

    /** An ISO-8601 time that is UTC without saying so, in epoch milliseconds; null when absent or blank. */
    public @Nullable Long isoUtc(@CompileTimeConstant String name) {
        return isoWith("Z", name);
    }

    private @Nullable Long isoWith(String zone, @CompileTimeConstant String name) {
        String text = textOrNull(name);
        try {
            return text == null
                    ? null
                    : Long.valueOf(Instant.parse(text.endsWith("Z") ? text : text + zone)
                            .toEpochMilli());
        } catch (DateTimeException | ArithmeticException e) {
            throw Skip.unreadable(name);
        }
    }

    /** An instant in epoch milliseconds, of a count of seconds (3), milliseconds (0), microseconds (-3) or nanoseconds (-6). */
    private @Nullable Long scaledTime(@CompileTimeConstant String name, int powerOfTen) {
        BigDecimal count = positiveOrNull(name);
        BigDecimal ms = count == null ? null : count.scaleByPowerOfTen(powerOfTen);
        if (ms != null && ms.compareTo(LATEST) > 0) {
            throw Skip.unreadable(name);
        }
        return ms == null ? null : Long.valueOf(ms.longValue());
    }
}
