package io.fundingobservatory.standalone.deployment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Walks what a YAML or JSON parser returned. */
public final class Values {
    private Values() {}

    /** An object with text keys; an error that says what it is otherwise. */
    public static Map<String, Object> map(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> found)) {
            throw new AssertionError("not an object: " + value);
        }
        var map = new LinkedHashMap<String, Object>();
        found.forEach((key, one) -> map.put(String.valueOf(key), one));
        return map;
    }

    public static List<?> list(@Nullable Object value) {
        if (!(value instanceof List<?> list)) {
            throw new AssertionError("not a list: " + value);
        }
        return list;
    }

    /**
     * Returns the value at a path such as {@code metadata.labels} or {@code containers.0.image}; null when
     * there is none.
     */
    public static @Nullable Object at(@Nullable Object object, String path) {
        Object at = object;
        for (String step : path.split("\\.")) {
            at = switch (at) {
                case Map<?, ?> map -> map.get(step);
                case List<?> list -> Integer.parseInt(step) < list.size() ? list.get(Integer.parseInt(step)) : null;
                case null, default -> null;
            };
        }
        return at;
    }
}
