package io.fundingobservatory.testbed.sim;

import java.math.BigDecimal;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes an exchange's JSON as tersely as it is read: {@code text} in quotes, {@code number} bare; {@code item} is an element
 * of a list. A null value becomes {@code null}: the wire defines what an exchange writes instead of it.
 */
public final class Json {
    private final StringBuilder out = new StringBuilder(1_024);
    private boolean first = true;

    private Json() {}

    /** A body that is an object. */
    public static String object(Consumer<Json> members) {
        var json = new Json();
        json.nested('{', '}', () -> members.accept(json));
        return json.out.toString();
    }

    /** A body that is a list of objects, one for each item. */
    public static <T> String list(Iterable<T> items, BiConsumer<Json, T> members) {
        return array(json -> items.forEach(item -> json.item(row -> members.accept(row, item))));
    }

    /** A body that is a list of anything. */
    public static String array(Consumer<Json> elements) {
        var json = new Json();
        json.nested('[', ']', () -> elements.accept(json));
        return json.out.toString();
    }

    /** A decimal in plain notation, or what this exchange writes where there is none. */
    public static String plain(@Nullable BigDecimal value, String whenAbsent) {
        return value == null ? whenAbsent : value.toPlainString();
    }

    public Json text(String name, @Nullable String value) {
        member(name);
        return quoted(value);
    }

    /** A decimal between quotes. */
    public Json text(String name, @Nullable BigDecimal value) {
        return text(name, value == null ? null : value.toPlainString());
    }

    /** An integer between quotes. */
    public Json text(String name, long value) {
        return text(name, Long.toString(value));
    }

    public Json number(String name, @Nullable BigDecimal value) {
        return raw(name, value == null ? "null" : value.toPlainString());
    }

    public Json number(String name, long value) {
        return raw(name, Long.toString(value));
    }

    public Json flag(String name, boolean value) {
        return raw(name, Boolean.toString(value));
    }

    public Json nothing(String name) {
        return raw(name, "null");
    }

    /** JSON that is ready. */
    public Json raw(String name, String json) {
        member(name);
        out.append(json);
        return this;
    }

    public Json object(String name, Consumer<Json> members) {
        member(name);
        return nested('{', '}', () -> members.accept(this));
    }

    public Json array(String name, Consumer<Json> elements) {
        member(name);
        return nested('[', ']', () -> elements.accept(this));
    }

    /** A list of objects, one for each item. */
    public <T> Json list(String name, Iterable<T> items, BiConsumer<Json, T> members) {
        return array(name, json -> items.forEach(item -> json.item(row -> members.accept(row, item))));
    }

    // ---- elements of a list

    /** An object inside a list. */
    public Json item(Consumer<Json> members) {
        comma();
        return nested('{', '}', () -> members.accept(this));
    }

    /** A list inside a list. */
    public Json items(Consumer<Json> elements) {
        comma();
        return nested('[', ']', () -> elements.accept(this));
    }

    public Json item(@Nullable String text) {
        comma();
        return quoted(text);
    }

    public Json itemRaw(String json) {
        comma();
        out.append(json);
        return this;
    }

    private Json nested(char open, char close, Runnable inside) {
        out.append(open);
        first = true;
        inside.run();
        out.append(close);
        first = false;
        return this;
    }

    private void member(String name) {
        comma();
        quoted(name);
        out.append(':');
    }

    private void comma() {
        if (!first) {
            out.append(',');
        }
        first = false;
    }

    private Json quoted(@Nullable String text) {
        if (text == null) {
            out.append("null");
            return this;
        }
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append("\\u%04x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
        return this;
    }
}
