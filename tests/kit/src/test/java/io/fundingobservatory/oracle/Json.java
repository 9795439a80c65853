package io.fundingobservatory.oracle;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A plain reader of JSON, so that the model shares no code with what it judges. Objects become maps, arrays lists, numbers
 * {@link BigDecimal}s with every digit.
 */
public final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Reads one object; anything else is an {@link IllegalArgumentException}. */
    @SuppressWarnings("unchecked")
    public static Map<String, @Nullable Object> object(byte[] utf8) {
        Object value = read(new String(utf8, StandardCharsets.UTF_8));
        if (value instanceof Map<?, ?> map) {
            return (Map<String, @Nullable Object>) map;
        }
        throw new IllegalArgumentException("not an object");
    }

    static @Nullable Object read(String text) {
        var json = new Json(text);
        Object value = json.value();
        json.blanks();
        if (json.at != text.length()) {
            throw json.wrong("more than one value");
        }
        return value;
    }

    private @Nullable Object value() {
        blanks();
        return switch (peek()) {
            case '{' -> map();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> map() {
        var map = new LinkedHashMap<String, @Nullable Object>();
        at++;
        blanks();
        while (peek() != '}') {
            String name = string();
            blanks();
            expect(':');
            if (map.containsKey(name)) {
                throw wrong(name + " twice");
            }
            map.put(name, value());
            blanks();
            if (peek() == ',') {
                at++;
                blanks();
            }
        }
        at++;
        return map;
    }

    private List<@Nullable Object> list() {
        var list = new ArrayList<@Nullable Object>();
        at++;
        blanks();
        while (peek() != ']') {
            list.add(value());
            blanks();
            if (peek() == ',') {
                at++;
                blanks();
            }
        }
        at++;
        return list;
    }

    private String string() {
        expect('"');
        var string = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            string.append(c == '\\' ? escaped() : c);
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char c = text.charAt(at++);
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> c;
        };
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("no " + word);
        }
        at += word.length();
        return value;
    }

    private BigDecimal number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        try {
            return new BigDecimal(text.substring(from, at));
        } catch (NumberFormatException e) {
            throw wrong("no value");
        }
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("ends too early");
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw wrong("no " + c);
        }
        at++;
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(what + " at " + at);
    }
}
