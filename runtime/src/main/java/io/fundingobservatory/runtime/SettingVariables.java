package io.fundingobservatory.runtime;

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
}
