package io.fundingobservatory.ingest.reading;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A piece of an exchange's answer. Numbers are accepted as JSON numbers and as strings, because exchanges change between the two.
 *
 * <p>{@code text}, {@code decimal}, {@code flag} ask for what must be there and {@link Skip} the row otherwise. The {@code …OrNull}
 * forms ask for what may be absent. {@code price} and the time forms also take {@code 0} and {@code ""} as absent, which is how
 * exchanges write them.
 */
public final class Node {
    private static final int MAX_DIGITS = 64;

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxDocumentLength(32L * 1024 * 1024)
                            .maxStringLength(4_096)
                            .maxNameLength(256)
                            .maxNumberLength(MAX_DIGITS)
                            .maxNestingDepth(32)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            // 32.10 stays 32.10: the exchange's own figure, not a tidied one
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private final JsonNode json;

    private Node(JsonNode json) {
        this.json = json;
    }

    /** Reads a body; throws when it is not one whole JSON document within the limits. */
    public static Node parse(byte[] body) throws IOException {
        JsonNode json = JSON.readTree(body);
        if (json == null || json.isMissingNode()) {
            throw new IOException("empty body");
        }
        return new Node(json);
    }

    /** The first line of what is wrong with a body, without the body itself. */
    public static String problem(IOException e) {
        String message = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
        return message == null
                ? e.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }

    // ---- structure

    /** The member or, where there is none, an absent node that has neither members nor elements. */
    public Node at(String name) {
        return new Node(json.path(name));
    }

    /** The element or, where there is none, an absent node. */
    public Node at(int position) {
        return new Node(json.path(position));
    }

    public boolean has(String name) {
        return present(json.path(name));
    }

    public boolean exists() {
        return present(json);
    }

    public boolean isArray() {
        return json.isArray();
    }

    public boolean isObject() {
        return json.isObject();
    }

    /** A row that is a list, with its elements under these names in their order; a missing or surplus one is left out. */
    public Node named(String... names) {
        var object = JSON.createObjectNode();
        for (int i = 0; i < Math.min(names.length, json.isArray() ? json.size() : 0); i++) {
            object.set(names[i], json.get(i));
        }
        return new Node(object);
    }

    /** The elements of a list; none when this is not a list. */
    public List<Node> elements() {
        var elements = new ArrayList<Node>(json.size());
        if (json.isArray()) {
            json.forEach(element -> elements.add(new Node(element)));
        }
        return elements;
    }

    /** The elements of the list under a name; none when there is no such list. */
    public List<Node> list(String name) {
        return at(name).elements();
    }

    /** The members of an object in their order; none when this is not an object. */
    public Map<String, Node> members() {
        var members = new LinkedHashMap<String, Node>();
        json.properties().forEach(member -> members.put(member.getKey(), new Node(member.getValue())));
        return members;
    }

    /** The elements of the list under a name by one of their fields; the first wins, rows without that field are left out. */
    public Map<String, Node> listBy(String name, String field) {
        return by(list(name), field);
    }

    /** Nodes by one of their fields; the first wins, nodes without that field are left out. */
    public static Map<String, Node> by(List<Node> nodes, String field) {
        var index = new LinkedHashMap<String, Node>();
        for (Node node : nodes) {
            String key = node.textOrNull(field);
            if (key != null) {
                index.putIfAbsent(key, node);
            }
        }
        return index;
    }

    // ---- values

    /** A text that must be there; a number is taken as it is written. */
    public String text(String name) {
        String text = textOrNull(name);
        if (text == null) {
            throw Skip.unreadable(name);
        }
        return text;
    }

    /** A text; null when absent, null or blank. */
    public @Nullable String textOrNull(String name) {
        JsonNode value = json.path(name);
        if (!value.isValueNode() || value.isNull() || value.isMissingNode()) {
            return null;
        }
        String text = value.asText();
        return text.isBlank() ? null : text;
    }

    /** This node itself as text; null when it is absent, null, blank or not a value. */
    public @Nullable String asText() {
        return new Node(JSON.createObjectNode().set("it", json.isMissingNode() ? null : json)).textOrNull("it");
    }

    /** Whether the text under a name is one of these. */
    public boolean is(String name, String... words) {
        String text = textOrNull(name);
        return text != null && List.of(words).contains(text);
    }

    /** True or false, also spelled as a text; null when absent or anything else. */
    public @Nullable Boolean flagOrNull(String name) {
        String text = textOrNull(name);
        return text == null ? null : text.equals("true") ? Boolean.TRUE : text.equals("false") ? Boolean.FALSE : null;
    }

    /** Whether the flag under a name is there and true. */
    public boolean flag(String name) {
        return Boolean.TRUE.equals(flagOrNull(name));
    }

    /** A number that must be there. */
    public BigDecimal decimal(String name) {
        BigDecimal value = decimalOrNull(name);
        if (value == null) {
            throw Skip.unreadable(name);
        }
        return value;
    }

    /** A number; null when absent, null or blank. Zero is a number. Anything else that is no number skips the row. */
    public @Nullable BigDecimal decimalOrNull(String name) {
        return number(json.path(name), name);
    }

    /** A number that is never really zero: 0 and blank mean absent. A negative one skips the row. */
    public @Nullable BigDecimal positiveOrNull(String name) {
        BigDecimal value = decimalOrNull(name);
        if (value == null || value.signum() == 0) {
            return null;
        }
        if (value.signum() < 0) {
            throw Skip.unreadable(name);
        }
        return value;
    }

    /** A price: 0 and blank mean that there is none. A negative one skips the row. */
    public @Nullable BigDecimal price(String name) {
        return positiveOrNull(name);
    }

    /** The funding rate; a row without one is skipped as such. Zero is a rate. */
    public BigDecimal fundingRate(String name) {
        BigDecimal value = decimalOrNull(name);
        if (value == null) {
            throw Skip.because(Skip.NO_FUNDING_RATE);
        }
        return value;
    }

    /** An instant in epoch milliseconds; null when absent, blank or 0. */
    public @Nullable Long millis(String name) {
        return scaledTime(name, 0);
    }

    /** An instant in epoch seconds, in milliseconds; null when absent, blank or 0. */
    public @Nullable Long seconds(String name) {
        return scaledTime(name, 3);
    }

    /** An instant in epoch microseconds, in milliseconds; null when absent, blank or 0. */
    public @Nullable Long micros(String name) {
        return scaledTime(name, -3);
    }

    /** An instant in epoch nanoseconds, in milliseconds; null when absent, blank or 0. */
    public @Nullable Long nanos(String name) {
        return scaledTime(name, -6);
    }

    /** An ISO-8601 instant, in epoch milliseconds; null when absent or blank. */
    public @Nullable Long iso(String name) {
        return isoWith("", name);
    }

    /** An ISO-8601 time that is UTC without saying so, in epoch milliseconds; null when absent or blank. */
    public @Nullable Long isoUtc(String name) {
        return isoWith("Z", name);
    }

    private @Nullable Long isoWith(String zone, String name) {
        String text = textOrNull(name);
        if (text == null) {
            return null;
        }
        try {
            return Instant.parse(text.endsWith("Z") ? text : text + zone).toEpochMilli();
        } catch (DateTimeException e) {
            throw Skip.unreadable(name);
        }
    }

    private @Nullable Long scaledTime(String name, int powerOfTen) {
        BigDecimal value = positiveOrNull(name);
        if (value == null) {
            return null;
        }
        BigDecimal ms = value.scaleByPowerOfTen(powerOfTen);
        if (ms.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw Skip.unreadable(name);
        }
        return ms.longValue();
    }

    private static @Nullable BigDecimal number(JsonNode value, String name) {
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        try {
            if (value.isTextual()) {
                String text = value.asText().strip();
                return text.isEmpty() ? null : bounded(text.length() > MAX_DIGITS ? null : new BigDecimal(text), name);
            }
            if (value.isNumber()) {
                return bounded(value.decimalValue(), name);
            }
        } catch (NumberFormatException e) {
            throw Skip.unreadable(name);
        }
        throw Skip.unreadable(name);
    }

    private static BigDecimal bounded(@Nullable BigDecimal value, String name) {
        if (value == null || value.precision() > MAX_DIGITS || Math.abs((long) value.scale()) > MAX_DIGITS) {
            throw Skip.unreadable(name);
        }
        return value;
    }

    private static boolean present(JsonNode node) {
        return !(node instanceof MissingNode) && !node.isNull();
    }
}
