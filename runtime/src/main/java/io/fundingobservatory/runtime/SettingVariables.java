package io.fundingobservatory.runtime;

import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.value.PropertyResolver;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Environment variables of settings: {@code OBSERVATORY_INGEST_POLL_INTERVAL} is {@code
 * observatory.ingest.poll-interval}. Micronaut reads an underscore as a dot or a hyphen and has no list of
 * keys, so it would ignore a misspelt variable.
 */
public final class SettingVariables {
    private SettingVariables() {}

    /**
     * The first variable below a prefix that is not a setting; empty when all are.
     *
     * @param prefix such as {@code observatory.ingest}
     * @param known the keys directly below it; a number after one is a place in its list
     * @param free keys below which any name is allowed
     * @param variables the names of the environment
     */
    public static Optional<String> unknown(
            String prefix, Collection<String> known, Collection<String> free, Collection<String> variables) {
        String begins = prefix.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_') + '_';
        return variables.stream()
                .filter(name -> name.startsWith(begins))
                .filter(name -> {
                    String key = name.substring(begins.length())
                            .toLowerCase(Locale.ROOT)
                            .replace('_', '-');
                    return !known.contains(key.replaceFirst("-\\d+$", ""))
                            && free.stream().noneMatch(key::startsWith);
                })
                .sorted()
                .findFirst();
    }

    /**
     * Rejects keys below a prefix that are not settings.
     *
     * @param prefix such as {@code observatory.ingest}
     * @param known the keys directly below it
     * @param entries the names that are set there. A variable is read as {@code poll-interval} and as {@code poll.interval}
     * @throws IllegalArgumentException with one line that names the key and the known ones
     */
    public static void refuseUnknown(String prefix, Collection<String> known, Collection<String> entries) {
        unknown(prefix, known, List.of(), System.getenv().keySet())
                .or(() -> entries.stream()
                        .filter(entry ->
                                known.stream().noneMatch(name -> name.equals(entry) || name.startsWith(entry + "-")))
                        .map(entry -> prefix + '.' + entry)
                        .findFirst())
                .ifPresent(key -> {
                    throw new IllegalArgumentException("unknown key " + key + "; known below " + prefix + " are "
                            + known.stream().sorted().toList());
                });
    }

    /**
     * Rejects values that cannot be converted: Micronaut would take the default in their place.
     *
     * @param prefix such as {@code observatory.ingest}
     * @param settings each component is a setting directly below the prefix
     * @throws IllegalArgumentException with one line that names the key, the value and what it must be
     */
    public static void refuseUnreadable(PropertyResolver environment, String prefix, Class<? extends Record> settings) {
        for (RecordComponent setting : settings.getRecordComponents()) {
            String key = prefix + '.' + NameUtils.hyphenate(setting.getName());
            Class<?> type = setting.getType();
            String value = environment.getProperty(key, String.class).orElse("");
            if (!value.isBlank() && environment.getProperty(key, type).isEmpty()) {
                throw new IllegalArgumentException(key + " is " + value + " and must be " + form(type));
            }
        }
    }

    private static String form(Class<?> type) {
        if (type.isEnum()) {
            return "one of " + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT);
        }
        return type == Duration.class ? "a duration such as 10s" : "a whole number";
    }
}
