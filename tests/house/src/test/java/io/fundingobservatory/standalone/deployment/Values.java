package io.fundingobservatory.standalone.deployment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Walks what a YAML or JSON parser returned. */
public final class Values {
    private static final Pattern STEP = Pattern.compile("\\[([^]]+)]|[^.\\[]+");

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
     * Returns the value at a path such as {@code metadata.labels[a.b/c]} or {@code containers.0.env[NAME].value}; null when there is
     * none. Brackets hold a key with dots, or the name of an element of a list.
     */
    public static @Nullable Object at(@Nullable Object object, String path) {
        Object at = object;
        for (MatchResult step : STEP.matcher(path).results().toList()) {
            String named = step.group(1);
            at = switch (at) {
                case Map<?, ?> map -> map.get(named == null ? step.group() : named);
                case List<?> list
                when named != null ->
                    list.stream()
                            .filter(one -> named.equals(at(one, "name")))
                            .findFirst()
                            .orElse(null);
                case List<?> list ->
                    Integer.parseInt(step.group()) < list.size() ? list.get(Integer.parseInt(step.group())) : null;
                case null, default -> null;
            };
        }
        return at;
    }
}
